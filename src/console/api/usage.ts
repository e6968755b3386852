import { Elysia, t, type Static } from 'elysia'
import type {
  UsageDimension,
  UsageFigures,
  UsageRow,
  UsageRowsQuery,
} from '../../domain/reports/account-reader'
import type { AccountId, KeyId, ProjectId } from '../../domain/ids'
import { nanoUsd, showUsd } from '../../domain/money'
import { csvOf } from './csv'
import { dayRange, DayText, showDay } from './days'
import { ModelName, OptionalId } from './fields'
import type { ConsoleParts } from './parts'

const maxGroups = 100
/** As many as there are colours for. */
const maxDrawn = 5

const range = { from: DayText, to: DayText, project: OptionalId, key: OptionalId, model: ModelName }
const Asked = t.Object(range)
const RequestedBy = t.Object({
  ...range,
  by: t.Union([t.Literal('model'), t.Literal('key'), t.Literal('project')], { default: 'model' }),
})

type Filter = Omit<UsageRowsQuery, 'after' | 'max'>

/**
 * `GET /app/api/usage`: calls that ended, by day of the service's zone and by model, key or project.
 * `GET /app/api/usage.csv`: all four at once.
 */
export const usageApi = (parts: ConsoleParts) =>
  new Elysia({ normalize: false })
    .get(
      '/usage',
      async ({ request, query }) => {
        const { account } = await parts.customer(request)
        const filter = filterOf(account, query)
        await parts.ledger.flush()
        const { by } = query
        const found = await parts.reader.usage({ ...filter, by, maxGroups, maxDrawn })
        const ids = found.groups.map(({ group }) => Number(group))
        const nameOf = await namesOf(parts, account, {
          keys: by === 'key' ? ids : [],
          projects: by === 'project' ? ids : [],
        })
        return {
          from: query.from,
          to: query.to,
          by,
          total: figuresOf(found.total),
          days: found.days.map(({ day, groups, ...figures }) => ({
            day: showDay(day),
            ...figuresOf(figures),
            /** Of the dearest groups. */
            groups: groups.map(({ group, cost }) => ({ group, usd: showUsd(cost) })),
          })),
          /** The dearest; `usage.csv` has all. */
          groups: found.groups.map(({ group, ...figures }) => ({
            group,
            ...figuresOf(figures),
            name: nameOf(by, group),
          })),
          group_count: found.groupCount,
        }
      },
      { query: RequestedBy },
    )
    .get(
      '/usage.csv',
      async ({ request, query }) => {
        const { account } = await parts.customer(request)
        const filter = filterOf(account, query)
        await parts.ledger.flush()
        const lines = csvLines(parts, filter)
        // What is refused is refused before anything is sent.
        const first = await lines.next()
        return new Response(
          new ReadableStream<Uint8Array>({
            start: (stream) => stream.enqueue(utf8.encode(first.value)),
            async pull(stream) {
              const next = await lines.next()
              if (next.done === true) stream.close()
              else stream.enqueue(utf8.encode(next.value))
            },
          }),
          {
            headers: {
              'content-type': 'text/csv; charset=utf-8',
              'content-disposition': `attachment; filename="usage-${query.from}-${query.to}.csv"`,
              'cache-control': 'no-store',
            },
          },
        )
      },
      { query: Asked },
    )

const utf8 = new TextEncoder()
/** Rows in one piece: a few milliseconds. */
const rowsInPiece = 1000
const csvHead = 'day project key model requests errors input_tokens output_tokens usd'.split(' ')

/** The head, then rows in pieces, in the order of project, day, key and model. */
async function* csvLines(
  parts: ConsoleParts,
  filter: Filter,
): AsyncGenerator<string, undefined, undefined> {
  let after: UsageRow | null = null
  let head: readonly string[][] = [csvHead]
  do {
    const rows: readonly UsageRow[] = await parts.reader.usageRows({
      ...filter,
      after,
      max: rowsInPiece,
    })
    const nameOf = await namesOf(parts, filter.account, {
      keys: [...new Set(rows.map(({ key }) => key))],
      projects: [...new Set(rows.map(({ project }) => project))],
    })
    yield csvOf([
      ...head,
      ...rows.map((row) => [
        showDay(row.day),
        nameOf('project', String(row.project)),
        nameOf('key', String(row.key)),
        row.model,
        ...[row.requests, row.errors, row.inputTokens, row.outputTokens].map(String),
        showUsd(nanoUsd(row.cost)),
      ]),
    ])
    head = []
    after = rows.length < rowsInPiece ? null : (rows.at(-1) ?? null)
  } while (after !== null)
}

/** @throws Refusal for days that are none, and for too many of them */
const filterOf = (account: AccountId, asked: Static<typeof Asked>): Filter => ({
  account,
  ...dayRange(asked),
  project: (asked.project ?? null) as ProjectId | null,
  key: (asked.key ?? null) as KeyId | null,
  model: asked.model ?? null,
})

const figuresOf = (figures: UsageFigures) => ({
  requests: figures.requests,
  errors: figures.errors,
  input_tokens: figures.inputTokens,
  output_tokens: figures.outputTokens,
  usd: showUsd(figures.cost),
})

/** Names of keys and projects; a model is its own. */
async function namesOf(
  { reader }: ConsoleParts,
  account: AccountId,
  ids: { readonly keys: readonly number[]; readonly projects: readonly number[] },
): Promise<(by: UsageDimension, group: string) => string> {
  const [keys, projects] = await Promise.all([
    reader.keyNames(account, ids.keys as readonly KeyId[]),
    reader.projectNames(account, ids.projects as readonly ProjectId[]),
  ])
  return (by, group) => {
    if (by === 'key') return keys.get(Number(group) as KeyId) ?? group
    if (by === 'project') return projects.get(Number(group) as ProjectId) ?? group
    return group
  }
}
