import type {
  AccountReader,
  UsageDay,
  UsageDimension,
  UsageFigures,
  UsageGroup,
  UsageRow,
} from '../../domain/reports/account-reader'
import type { ProjectId } from '../../domain/ids'
import { nanoUsd } from '../../domain/money'
import type { ReadConnection } from '../../storage/sqlite/connection'
import { freshDaysOfAccount, freshDaysOfProject } from '../../ledger/sums/unaggregated'
import type { ReadDeadline } from '../../storage/sqlite/read-deadline'

const sums = `sum(requests) AS requests, sum(errors) AS errors,
  sum(input_tokens) AS "inputTokens", sum(output_tokens) AS "outputTokens", sum(cost) AS cost`

const counted = 'requests, errors, input_tokens, output_tokens, cost'
const ofKept = 'u.requests, u.errors, u.input_tokens, u.output_tokens, u.cost'

interface Filter extends Record<string, number | string | null> {
  readonly account: number
  readonly fromDay: number
  readonly toDay: number
  readonly project: number | null
  readonly key: number | null
  readonly model: string | null
}

const wanted = `day BETWEEN $fromDay AND $toDay AND ($project IS NULL OR project = $project)
  AND ($key IS NULL OR key = $key) AND ($model IS NULL OR model = $model)`

/** What kept rows are read from. */
interface Source {
  /** SQL that joins them as `u` to a project `p`. */
  readonly join: string
  /** What rows of it fulfil beside their days and project. */
  readonly where: string
}

const ofProject = (table: string): string => `CROSS JOIN ${table} u ON u.project = p.id`
const inTime = 'in_time(u.day)'
const ofKey = '($key IS NULL OR u.key = $key)'
const ofModel = '($model IS NULL OR u.model = $model)'
const allDays: Source = {
  join: ofProject('usage_zone_days'),
  where: `${inTime} AND ${ofKey} AND ${ofModel}`,
}
const modelDays: Source = {
  join: ofProject('usage_zone_model_days'),
  where: `${inTime} AND ${ofModel}`,
}
const keyDays: Source = {
  join: ofProject('usage_zone_key_days'),
  where: `${inTime} AND ${ofKey}`,
}
/** All days, found by those of the key: a project's lie by day, with every key in between. */
const daysOfKey: Source = {
  join: `CROSS JOIN usage_zone_key_days d ON d.project = p.id
    CROSS JOIN usage_zone_days u ON u.project = d.project AND u.day = d.day AND u.key = d.key`,
  where: `d.key = $key AND ${inTime} AND ${ofModel}`,
}

/** The smallest table that tells the groups of what is asked for. */
function sourceOf(by: UsageDimension, { key, model }: Pick<Filter, 'key' | 'model'>): Source {
  if (by !== 'key' && key === null) return modelDays
  if (by !== 'model' && model === null) return keyDays
  return key === null ? allDays : daysOfKey
}

/** As `counted`. */
type CountedRow = readonly [
  day: number,
  group: string | number,
  requests: number,
  errors: number,
  inputTokens: number,
  outputTokens: number,
  cost: number,
]

/**
 * Rows of an account, in its sums and on their way there. They are added up here: to SQLite, groups of
 * days and something else are a list to sort, which takes longer than reading them.
 */
const summarySql = (by: UsageDimension, { join, where }: Source): string => `
  SELECT day, ${by}, ${counted} FROM (${freshDaysOfAccount('zone')}) AS found WHERE ${wanted}
  UNION ALL SELECT u.day, u.${by}, ${ofKept} FROM projects p INDEXED BY projects_account
    ${join}
  WHERE p.account = $account AND ($project IS NULL OR p.id = $project)
    AND u.day BETWEEN $fromDay AND $toDay AND ${where}`

/** Usage by the days of the service's zone. */
export function openAccountUsage(
  { raw }: ReadConnection,
  deadline: ReadDeadline,
): Pick<AccountReader, 'usage' | 'usageRows'> {
  return {
    async usage({ by, maxGroups, maxDrawn, ...filter }) {
      const rows = raw.query<unknown, [Filter]>(summarySql(by, sourceOf(by, filter)))
      const total = new SummedUsage()
      const days = new Map<number, SummedUsage>()
      const groups = new Map<string | number, SummedUsage>()
      for (const row of rows.values({ ...filter }) as unknown as readonly CountedRow[]) {
        deadline.tick()
        const [day, group] = row
        total.add(row)
        summedIn(days, day).add(row)
        const ofGroup = summedIn(groups, group)
        ofGroup.add(row)
        ofGroup.addDay(row)
      }
      const dearest = [...groups].sort(
        ([, one], [, other]) => other.cost - one.cost || other.requests - one.requests,
      )
      const drawn = dearest.slice(0, maxDrawn)
      return await Promise.resolve({
        total: total.figures(),
        days: [...days]
          .map(([day, sums]): UsageDay => ({
            day,
            ...sums.figures(),
            groups: drawn.flatMap(([group, { days: itsDays }]) => {
              const cost = itsDays.get(day)
              return cost === undefined ? [] : { group: String(group), cost: nanoUsd(cost) }
            }),
          }))
          .sort((one, other) => one.day - other.day),
        groups: dearest
          .slice(0, maxGroups)
          .map(([group, sums]): UsageGroup => ({ group: String(group), ...sums.figures() })),
        groupCount: dearest.length,
      })
    },
    usageRows: openUsageRows(raw),
  }
}

/** Figures that are added up; a sum made anew for each row would cost more than the rows. */
class SummedUsage {
  requests = 0
  errors = 0
  inputTokens = 0
  outputTokens = 0
  cost = 0
  /** Costs of its days. */
  readonly days = new Map<number, number>()

  add([, , requests, errors, inputTokens, outputTokens, cost]: CountedRow): void {
    this.requests += requests
    this.errors += errors
    this.inputTokens += inputTokens
    this.outputTokens += outputTokens
    this.cost += cost
  }

  addDay([day, , , , , , cost]: CountedRow): void {
    this.days.set(day, (this.days.get(day) ?? 0) + cost)
  }

  figures(): UsageFigures {
    const { requests, errors, inputTokens, outputTokens, cost } = this
    return { requests, errors, inputTokens, outputTokens, cost: nanoUsd(cost) }
  }
}

function summedIn<Key>(sums: Map<Key, SummedUsage>, key: Key): SummedUsage {
  let found = sums.get(key)
  if (found === undefined) sums.set(key, (found = new SummedUsage()))
  return found
}

/** Where to go on in one project. */
interface Cursor extends Record<string, number | string | null> {
  readonly id: number
  readonly day: number
  readonly behindKey: number
  readonly behindModel: string
  readonly fromDay: number
  readonly toDay: number
  readonly key: number | null
  readonly model: string | null
  readonly max: number
}

const behind = `(day, key, model) > ($day, $behindKey, $behindModel) AND day BETWEEN $fromDay AND $toDay
  AND ($key IS NULL OR key = $key) AND ($model IS NULL OR model = $model)`

/** The day up to which there is a page in the sums; days behind it need not be looked at. */
const lastDaySql = `
  SELECT day FROM usage_zone_days WHERE project = $id AND in_time(day) AND ${behind}
  ORDER BY day, key, model LIMIT 1 OFFSET $max`

const rowsSql = `
  SELECT day, key, model, ${sums} FROM (
    SELECT * FROM (${freshDaysOfProject('zone', '$id')}) AS found WHERE ${behind}
    UNION ALL SELECT * FROM usage_zone_days WHERE project = $id AND in_time(day) AND ${behind}
  ) AS found GROUP BY 1, 2, 3 ORDER BY 1, 2, 3 LIMIT $max`

/** In the order in which sums are kept: project, day, key, model. */
function openUsageRows(raw: ReadConnection['raw']): AccountReader['usageRows'] {
  const projects = raw.prepare<{ id: ProjectId }, [Record<string, number | null>]>(
    `SELECT id FROM projects WHERE account = $account AND id >= $first
      AND ($project IS NULL OR id = $project) ORDER BY id`,
  )
  const lastDay = raw.prepare<{ day: number }, [Cursor]>(lastDaySql)
  const rows = raw.prepare<Omit<UsageRow, 'project'>, [Cursor]>(rowsSql)
  return async ({ account, project, fromDay, toDay, key, model, after, max }) => {
    const found: UsageRow[] = []
    for (const { id } of projects.all({ account, project, first: after?.project ?? 0 })) {
      const from = after?.project === id ? after : null
      const asked = {
        id,
        day: from?.day ?? -1,
        behindKey: from?.key ?? 0,
        behindModel: from?.model ?? '',
        fromDay,
        toDay,
        key,
        model,
        max: max - found.length,
      }
      const last = lastDay.get(asked)?.day ?? toDay
      for (const row of rows.all({ ...asked, toDay: last })) found.push({ project: id, ...row })
      if (found.length >= max) break
    }
    return await Promise.resolve(found)
  }
}
