import { Elysia, t, type Static } from 'elysia'
import type { UsageBy, UsageDimension, UsageRow } from '../../domain/account-reader'
import { dayMs, dayOf, type Ms } from '../../domain/clock'
import type { AccountId, KeyId, ProjectId } from '../../domain/ids'
import { nanoUsd, plus, showUsd, zeroUsd } from '../../domain/money'
import { Refusal } from '../refusal'
import { csvOf } from './csv'
import { ModelName, OptionalId } from './fields'
import type { ConsoleParts } from './parts'

const maxDays = 366
const maxGroups = 100
/** As many as there are colours for. */
const maxDrawn = 5

const Day = t.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' })
const range = { from: Day, to: Day, project: OptionalId, key: OptionalId, model: ModelName }
const Asked = t.Object(range)
const AskedBy = t.Object({
  ...range,
  by: t.Union([t.Literal('model'), t.Literal('key'), t.Literal('project')], { default: 'model' }),
})

type Filter = Omit<UsageBy, 'by'>

/**
 * `GET /app/api/usage`: calls that ended, by UTC day and by model, key or project.
 * `GET /app/api/usage.csv`: all four at once.
 */
export const usageApi = (parts: ConsoleParts) =>
  new Elysia({ normalize: false })
    .get(
      '/usage',
      async ({ request, query }) => {
        const { account } = await parts.customer(request)
        const filter = filterOf(account, query)
        parts.ledger.flush()
        const rows = await parts.reader.usage({ ...filter, by: ['day', query.by] })
        const nameOf = await namesOf(parts, account, rows)
        const groupOf = (row: UsageRow) => String(row[query.by] ?? '')
        const groups = grouped(rows, groupOf)
          .map(([group, all]) => ({ group, ...sumOf(all) }))
          .toSorted((a, b) => Number(b.usd) - Number(a.usd) || b.requests - a.requests)
        const drawn = new Set(groups.slice(0, maxDrawn).map(({ group }) => group))
        return {
          from: query.from,
          to: query.to,
          by: query.by,
          total: sumOf(rows),
          days: grouped(rows, (row) => showDay(row.day ?? 0)).map(([day, all]) => ({
            day,
            ...sumOf(all),
            /** Of the dearest groups. */
            groups: all
              .filter((row) => drawn.has(groupOf(row)))
              .map((row) => ({ group: groupOf(row), usd: showUsd(row.cost) })),
          })),
          /** The dearest; `usage.csv` has all. */
          groups: groups
            .slice(0, maxGroups)
            .map((sum) => ({ ...sum, name: nameOf(query.by, sum.group) })),
          group_count: groups.length,
        }
      },
      { query: AskedBy },
    )
    .get(
      '/usage.csv',
      async ({ request, query, set }) => {
        const { account } = await parts.customer(request)
        const filter = filterOf(account, query)
        parts.ledger.flush()
        const by = ['day', 'project', 'key', 'model'] as const
        const rows = await parts.reader.usage({ ...filter, by })
        const nameOf = await namesOf(parts, account, rows)
        set.headers['content-type'] = 'text/csv; charset=utf-8'
        set.headers['content-disposition'] =
          `attachment; filename="usage-${query.from}-${query.to}.csv"`
        return csvOf([
          'day project key model requests errors input_tokens output_tokens usd'.split(' '),
          ...rows
            .toSorted((a, b) => (a.day ?? 0) - (b.day ?? 0))
            .map((row) => [
              showDay(row.day ?? 0),
              nameOf('project', String(row.project)),
              nameOf('key', String(row.key)),
              row.model ?? '',
              ...[row.requests, row.errors, row.inputTokens, row.outputTokens].map(String),
              showUsd(row.cost),
            ]),
        ])
      },
      { query: Asked },
    )

/** @throws Refusal for days that are none, and for too many of them */
function filterOf(account: AccountId, asked: Static<typeof Asked>): Filter {
  const [fromDay, toDay] = [readDay(asked.from), readDay(asked.to)]
  if (fromDay > toDay) throw new Refusal(400, 'range_turned')
  if (toDay - fromDay >= maxDays) throw new Refusal(400, 'range_too_long', { max: maxDays })
  return {
    account,
    fromDay,
    toDay,
    project: (asked.project ?? null) as ProjectId | null,
    key: (asked.key ?? null) as KeyId | null,
    model: asked.model ?? null,
  }
}

const showDay = (day: number): string => dayOf((day * dayMs) as Ms)

function readDay(text: string): number {
  const day = Date.parse(text) / dayMs
  // Some engines take a 31st of any month.
  if (Number.isNaN(day) || showDay(day) !== text) throw new Refusal(400, 'invalid')
  return day
}

function grouped(
  rows: readonly UsageRow[],
  nameOf: (row: UsageRow) => string,
): readonly (readonly [string, readonly UsageRow[]])[] {
  return [...Map.groupBy(rows, nameOf)]
}

const sumOf = (rows: readonly UsageRow[]) => ({
  requests: rows.reduce((all, { requests }) => all + requests, 0),
  errors: rows.reduce((all, { errors }) => all + errors, 0),
  input_tokens: rows.reduce((all, { inputTokens }) => all + inputTokens, 0),
  output_tokens: rows.reduce((all, { outputTokens }) => all + outputTokens, 0),
  usd: showUsd(rows.reduce((all, { cost }) => plus(all, nanoUsd(cost)), zeroUsd)),
})

/** Names of keys and projects; a model is its own. */
async function namesOf(
  { reader, own }: ConsoleParts,
  account: AccountId,
  rows: readonly UsageRow[],
): Promise<(by: UsageDimension, group: string) => string> {
  const ids = new Set(rows.flatMap(({ key }) => (key === null ? [] : [key])))
  const keys = await reader.keyNames(account, [...ids])
  return (by, group) => {
    if (by === 'key') return keys.get(Number(group) as KeyId) ?? group
    if (by === 'project') return own.projectName(account, Number(group) as ProjectId) ?? group
    return group
  }
}
