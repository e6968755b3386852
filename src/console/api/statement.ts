import { Elysia, t, type Static } from 'elysia'
import type { AccountId } from '../../domain/ids'
import { showUsd } from '../../domain/money'
import type { StatementLine, StatementPage, StatementQuery } from '../../domain/reports/statement'
import { csvStream } from './csv'
import { dayRange, DayText } from './days'
import { max } from './fields'
import type { ConsoleParts } from './parts'

const range = {
  from: DayText,
  to: DayText,
  by: t.Union([t.Literal('day'), t.Literal('call')], { default: 'day' }),
}
const Asked = t.Object({ ...range, before: t.Optional(t.String({ maxLength: 80 })), max })
const Exported = t.Object(range)

const maxInRead = 500
const columns = 'time kind usd balance_usd reference note'.split(' ')

/**
 * `GET /app/api/statement`: every movement of the account's money, newest first, with the balance
 * after it. `GET /app/api/statement.csv`: the whole range, as it is read.
 */
export const statementApi = (parts: ConsoleParts) => {
  const read = async (account: AccountId, { from, to, by }: Range, page: Page) => {
    await parts.ledger.flush()
    return parts.reader.statement({ account, ...dayRange({ from, to }), by, ...page })
  }
  return new Elysia({ normalize: false })
    .get(
      '/statement',
      async ({ request, query }) => {
        const { account } = await parts.customer(request)
        const page = { before: query.before ?? null, max: query.max }
        const { lines, next, sums } = await read(account, query, page)
        return { data: lines.map(lineView), next, sums: sumsView(sums) }
      },
      { query: Asked },
    )
    .get(
      '/statement.csv',
      async ({ request, query }) => {
        const { account } = await parts.customer(request)
        // Refused before the head is sent.
        dayRange(query)
        const pages = pagesOf((before) => read(account, query, { before, max: maxInRead }))
        return new Response(csvStream(columns, pages), {
          headers: {
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': `attachment; filename="statement-${query.from}-${query.to}.csv"`,
          },
        })
      },
      { query: Exported },
    )
}

type Range = Static<typeof Exported>
type Page = Pick<StatementQuery, 'before' | 'max'>

async function* pagesOf(
  read: (before: string | null) => Promise<StatementPage>,
): AsyncGenerator<readonly (readonly string[])[]> {
  for (let before: string | null = null; ;) {
    const { lines, next } = await read(before)
    yield lines.map(cellsOf)
    if (next === null) return
    before = next
  }
}

const cellsOf = (line: StatementLine): readonly string[] => [
  line.kind === 'charges'
    ? new Date(line.at).toISOString().slice(0, 10)
    : new Date(line.at).toISOString(),
  line.kind,
  showUsd(line.amount),
  showUsd(line.balance),
  line.reference ?? '',
  line.note ?? '',
]

const lineView = ({ kind, at, amount, balance, reference, note }: StatementLine) => ({
  kind,
  at: at as number,
  usd: showUsd(amount),
  balance_usd: showUsd(balance),
  reference,
  note,
})

const sumsView = (sums: StatementPage['sums']) => ({
  opening_usd: showUsd(sums.opening),
  closing_usd: showUsd(sums.closing),
  topped_up_usd: showUsd(sums.toppedUp),
  adjusted_usd: showUsd(sums.adjusted),
  refunded_usd: showUsd(sums.refunded),
  charged_usd: showUsd(sums.charged),
})
