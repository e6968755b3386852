import type {
  AccountReader,
  UsageDay,
  UsageDimension,
  UsageFigures,
  UsageGroup,
  UsageRow,
} from '../../domain/account-reader'
import type { ProjectId } from '../../domain/ids'
import { nanoUsd, plus, zeroUsd } from '../../domain/money'
import type { ReadConnection } from './database'
import { freshDaysOfAccount, freshDaysOfProject } from './fresh-charges'
import type { ReadDeadline } from './read-deadline'
import { openRollupMark } from './usage-rollups'

const sums = `sum(requests) AS requests, sum(errors) AS errors,
  sum(input_tokens) AS "inputTokens", sum(output_tokens) AS "outputTokens", sum(cost) AS cost`

const counted = 'requests, errors, input_tokens, output_tokens, cost'

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

/** What kept rows are read from, as SQL with the alias `u`. */
interface Source {
  readonly table: string
  /** What rows of it fulfil beside their days and project. */
  readonly where: string
}

const inTime = 'in_time(u.day)'
const ofKey = '($key IS NULL OR u.key = $key)'
const ofModel = '($model IS NULL OR u.model = $model)'
const allDays: Source = {
  table: 'usage_zone_days u',
  where: `${inTime} AND ${ofKey} AND ${ofModel}`,
}
const modelDays: Source = {
  table: 'usage_zone_model_days u',
  where: `${inTime} AND ${ofModel}`,
}
const keyDays: Source = { table: 'usage_zone_key_days u', where: `${inTime} AND ${ofKey}` }

/** The smallest table that tells the groups of what is asked for, once roll-ups have all days. */
function sourceOf(by: UsageDimension, { key, model }: Pick<Filter, 'key' | 'model'>): Source {
  if (by !== 'key' && key === null) return modelDays
  return by !== 'model' && model === null ? keyDays : allDays
}

interface DayRow extends UsageFigures {
  readonly day: number
  readonly group: string
}

/** Rows of an account, in its sums and on their way there. */
const summarySql = (by: UsageDimension, { table, where }: Source): string => `
  SELECT day, CAST(grouped AS TEXT) AS "group", ${sums} FROM (
    SELECT day, ${by} AS grouped, ${counted}
    FROM (${freshDaysOfAccount('zone')}) AS found WHERE ${wanted}
    UNION ALL SELECT u.day, u.${by}, ${counted} FROM projects p INDEXED BY projects_account
      CROSS JOIN ${table} ON u.project = p.id
    WHERE p.account = $account AND ($project IS NULL OR p.id = $project)
      AND u.day BETWEEN $fromDay AND $toDay AND ${where}
  ) AS found GROUP BY day, grouped`

/** Usage by the days of the service's zone. */
export function openAccountUsage(
  { raw, orm }: ReadConnection,
  deadline: ReadDeadline,
): Pick<AccountReader, 'usage' | 'usageRows'> {
  const markOf = openRollupMark({ raw, orm }, 'zone')
  return {
    async usage({ by, maxGroups, maxDrawn, ...filter }) {
      const source = markOf() === null ? sourceOf(by, filter) : allDays
      const rows = raw.query<DayRow, [Filter]>(summarySql(by, source))
      const days = new Map<number, UsageFigures>()
      const groups = new Map<string, UsageFigures>()
      let total = nothing
      const found: DayRow[] = []
      for (const row of rows.iterate({ ...filter })) {
        deadline.tick()
        total = added(total, row)
        days.set(row.day, added(days.get(row.day) ?? nothing, row))
        groups.set(row.group, added(groups.get(row.group) ?? nothing, row))
        found.push(row)
      }
      const dearest = [...groups]
        .map(([group, figures]): UsageGroup => ({ group, ...figures }))
        .sort((one, other) => other.cost - one.cost || other.requests - one.requests)
      const drawn = new Set(dearest.slice(0, maxDrawn).map(({ group }) => group))
      const ofDays = Map.groupBy(
        found.filter(({ group }) => drawn.has(group)),
        ({ day }) => day,
      )
      return await Promise.resolve({
        total,
        days: [...days]
          .map(([day, figures]): UsageDay => ({
            day,
            ...figures,
            groups: (ofDays.get(day) ?? []).map(({ group, cost }) => ({ group, cost })),
          }))
          .sort((one, other) => one.day - other.day),
        groups: dearest.slice(0, maxGroups),
        groupCount: dearest.length,
      })
    },
    usageRows: openUsageRows(raw),
  }
}

const nothing: UsageFigures = {
  requests: 0,
  errors: 0,
  inputTokens: 0,
  outputTokens: 0,
  cost: zeroUsd,
}

const added = (sum: UsageFigures, row: UsageFigures): UsageFigures => ({
  requests: sum.requests + row.requests,
  errors: sum.errors + row.errors,
  inputTokens: sum.inputTokens + row.inputTokens,
  outputTokens: sum.outputTokens + row.outputTokens,
  cost: plus(sum.cost, nanoUsd(row.cost)),
})

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
