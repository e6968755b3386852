import { and, eq, sql } from 'drizzle-orm'
import type { AccountReader } from '../../domain/reports/account-reader'
import { dayMs, dayOf, type Ms } from '../../domain/clock'
import { firstRequestIdAt, type AccountId, type RequestId } from '../../domain/ids'
import { minus, nanoUsd, plus, zeroUsd, type NanoUsd } from '../../domain/money'
import type {
  StatementLine,
  StatementPage,
  StatementQuery,
  StatementSums,
} from '../../domain/reports/statement'
import { requests, transfers } from '../../storage/schema'
import type { ReadConnection } from '../../storage/sqlite/connection'
import { freshSpentOfAccount } from '../../ledger/sums/unaggregated'

/** Net of refunds, by the day of the call, as `usage_days` has it: parameter 1 is the account. */
const daysSql = `
  SELECT period AS day, sum(amount) AS amount FROM (
    SELECT period, amount FROM spent WHERE id = ?1 AND kind = 'account-day'
    UNION ALL ${freshSpentOfAccount}
  ) AS found GROUP BY period ORDER BY period`

/** The time in a call's id is a little later than the one that its day is told by. */
const slackMs = 1000

const isAsked = ({ fromDay, toDay }: StatementQuery, at: number): boolean =>
  at >= fromDay * dayMs && at < (toDay + 1) * dayMs

/** A line without its balance. */
type Movement = Omit<StatementLine, 'balance'>

/** A movement that is no charge. */
interface OtherMovement extends Movement {
  readonly kind: 'topup' | 'adjustment' | 'refund'
  readonly transfer: number
  /** When the call of a refund was sent. */
  readonly called: Ms | null
}

/** All that an account's statements are made of, but for single charges. */
interface History {
  /** The newest transfer of anybody: later ones are not in it. */
  readonly newest: number
  /** What was charged on each UTC day, refunds not counted. */
  readonly charges: ReadonlyMap<string, NanoUsd>
  readonly others: readonly OtherMovement[]
}

/**
 * Statements of an account, from the sums of its days: as long as its days and what people moved, and
 * not as its calls. Single charges come from the pages of its calls.
 */
export function openAccountStatement(
  connection: ReadConnection,
  calls: AccountReader['calls'],
): AccountReader['statement'] {
  const readHistory = openHistory(connection)
  const charge = connection.raw.prepare<{ id: number; amount: number }, [string]>(
    `SELECT id, amount FROM transfers WHERE kind = 'charge' AND reference = ?`,
  )
  const chargesOf: ChargesOf = async (query, before, newest) => {
    const page = await calls({
      account: query.account,
      project: null,
      key: null,
      model: null,
      status: null,
      from: (query.fromDay * dayMs - slackMs) as Ms,
      to: ((query.toDay + 1) * dayMs + slackMs) as Ms,
      before: before as RequestId | null,
      max: query.max,
    })
    const charges = page.calls.flatMap(({ id, created }) => {
      const found = isAsked(query, created) ? charge.get(id) : null
      // Free, running, or charged since the first page was read.
      if (found === null || found.id > newest) return []
      return [{ ...charged(nanoUsd(found.amount), created, 'charge'), reference: id }]
    })
    return { charges, next: page.next }
  }
  return async (query) => {
    const history = readHistory(query.account)
    const sums = sumsOf(history, query)
    const page =
      query.by === 'day'
        ? pageOfDays(history, query, sums)
        : await pageOfCalls(history, query, sums, chargesOf)
    return { ...page, sums }
  }
}

function openHistory({ orm, raw }: ReadConnection): (account: AccountId) => History {
  const days = raw.prepare<{ day: string; amount: number }, [number]>(daysSql)
  const newest = raw.prepare<{ id: number | null }, []>('SELECT max(id) AS id FROM transfers')
  const movedBy = (side: typeof transfers.credit | typeof transfers.debit, account: AccountId) =>
    orm
      .select({
        transfer: transfers.id,
        kind: sql<OtherMovement['kind']>`${transfers.kind}`,
        at: sql<Ms>`${transfers.created}`,
        amount: transfers.amount,
        reference: transfers.reference,
        note: sql<string | null>`CASE WHEN ${transfers.told} = 1 THEN ${transfers.note} END`,
        called: sql<Ms | null>`${requests.created}`,
      })
      .from(transfers)
      .leftJoin(requests, and(eq(transfers.kind, 'refund'), eq(requests.id, transfers.reference)))
      // As the partial indexes say it: a bound value would not be seen to be the same.
      .where(
        and(eq(side, account), sql`${transfers.kind} <> 'charge'`, sql`in_time(${transfers.id})`),
      )
      .all()
  const othersOf = (account: AccountId): readonly OtherMovement[] => [
    ...movedBy(transfers.credit, account),
    ...movedBy(transfers.debit, account).map((row) => ({
      ...row,
      amount: minus(zeroUsd, row.amount),
    })),
  ]

  // Of one moment: another connection writes meanwhile.
  return raw.transaction((account: AccountId): History => {
    const others = othersOf(account)
    const charges = new Map(days.all(account).map(({ day, amount }) => [day, nanoUsd(amount)]))
    for (const { kind, called, at, amount } of others)
      if (kind === 'refund') {
        const day = dayOf(called ?? at)
        charges.set(day, plus(charges.get(day) ?? zeroUsd, amount))
      }
    return { newest: newest.get()?.id ?? 0, charges, others }
  })
}

function sumsOf({ charges, others }: History, { fromDay, toDay }: StatementQuery): StatementSums {
  const [from, end] = [fromDay * dayMs, (toDay + 1) * dayMs]
  let opening = zeroUsd
  const sums = { topup: zeroUsd, adjustment: zeroUsd, refund: zeroUsd, charge: zeroUsd }
  for (const { kind, at, amount } of others)
    if (at < from) opening = plus(opening, amount)
    else if (at < end) sums[kind] = plus(sums[kind], amount)
  for (const [day, amount] of charges) {
    const at = Date.parse(day)
    if (at < from) opening = minus(opening, amount)
    else if (at < end) sums.charge = plus(sums.charge, amount)
  }
  const moved = plus(plus(sums.topup, sums.adjustment), sums.refund)
  return {
    opening,
    closing: minus(plus(opening, moved), sums.charge),
    toppedUp: sums.topup,
    adjusted: sums.adjustment,
    refunded: sums.refund,
    charged: sums.charge,
  }
}

const charged = (amount: NanoUsd, at: Ms, kind: 'charge' | 'charges'): Movement => ({
  kind,
  at,
  amount: minus(zeroUsd, amount),
  reference: null,
  note: null,
})

const otherLine = ({ transfer: _, called: __, ...line }: OtherMovement): Movement => line

/** Lines with their balances, from the newest one down. @param closing with all of them counted */
function balanced(movements: readonly Movement[], closing: NanoUsd): readonly StatementLine[] {
  let balance = closing
  return movements.map((movement) => {
    const line = { ...movement, balance }
    balance = minus(balance, movement.amount)
    return line
  })
}

/** Above every other movement of its day: its charges are known in full when it is over. */
const atDayEnd = Number.MAX_SAFE_INTEGER

/** The whole range is made each time; a page goes on behind the place that the last one ended at. */
function pageOfDays(
  { charges, others }: History,
  query: StatementQuery,
  { closing }: StatementSums,
): Omit<StatementPage, 'sums'> {
  const { before, max } = query
  const placed = [
    ...[...charges]
      .filter(([day, amount]) => amount !== 0 && isAsked(query, Date.parse(day)))
      .map(([day, amount]) => ({
        movement: charged(amount, Date.parse(day) as Ms, 'charges'),
        day,
        place: atDayEnd,
      })),
    ...others
      .filter(({ at }) => isAsked(query, at))
      .map((each) => ({ movement: otherLine(each), day: dayOf(each.at), place: each.transfer })),
  ].toSorted((a, b) => (a.day === b.day ? b.place - a.place : a.day < b.day ? 1 : -1))
  const all = balanced(
    placed.map(({ movement }) => movement),
    closing,
  )
  const names = placed.map(({ day, place }) => `${day}.${place}`)
  const start = before === null ? 0 : names.indexOf(before) + 1
  const end = start + max
  return {
    lines: all.slice(start, end),
    next: end < all.length ? (names[end - 1] ?? null) : null,
  }
}

interface ChargesPage {
  readonly charges: readonly Movement[]
  readonly next: string | null
}
type ChargesOf = (
  query: StatementQuery,
  before: string | null,
  newest: number,
) => Promise<ChargesPage>

/** Where a page of calls goes on, with what all of its pages are of. */
interface Place {
  /** Transfers that are newer are in none of the pages. */
  readonly newest: number
  readonly balance: NanoUsd
  /** A call's id, or what stands at its place. */
  readonly before: string | null
}

const placeText = ({ newest, balance, before }: Place): string => `${newest}.${balance}.${before}`

function placeOf(text: string | null): Place | null {
  const [, newest, balance, before] = /^(\d{1,16})\.(-?\d{1,16})\.(req_\w+)$/.exec(text ?? '') ?? []
  if (newest === undefined || balance === undefined || before === undefined) return null
  return { newest: Number(newest), balance: nanoUsd(Number(balance)), before }
}

/** Charges by their calls, and what was moved between them. */
async function pageOfCalls(
  { newest, others }: History,
  query: StatementQuery,
  { closing }: StatementSums,
  chargesOf: ChargesOf,
): Promise<Omit<StatementPage, 'sums'>> {
  const first: Place = { newest, balance: closing, before: null }
  const place = placeOf(query.before) ?? first
  const { charges, next } = await chargesOf(query, place.before, place.newest)
  const isHere = (position: string): boolean =>
    (next === null || position >= next) && (place.before === null || position < place.before)
  const movements = [
    ...charges.map((movement) => ({ movement, position: movement.reference ?? '', transfer: 0 })),
    ...others
      .filter(({ at, transfer }) => isAsked(query, at) && transfer <= place.newest)
      .map((each) => ({
        movement: otherLine(each),
        position: firstRequestIdAt(each.at),
        transfer: each.transfer,
      }))
      .filter(({ position }) => isHere(position)),
  ]
    .toSorted((a, b) =>
      a.position === b.position ? b.transfer - a.transfer : a.position < b.position ? 1 : -1,
    )
    .map(({ movement }) => movement)
  const lines = balanced(movements, place.balance)
  const last = lines.at(-1)
  const balance = last === undefined ? place.balance : minus(last.balance, last.amount)
  return { lines, next: next === null ? null : placeText({ ...place, balance, before: next }) }
}
