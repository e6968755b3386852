import type { AccountReader } from '../../domain/reports/account-reader'
import type { Ms } from '../../domain/clock'
import { firstRequestIdAt } from '../../domain/ids'
import { minus, nanoUsd, plus, zeroUsd, type NanoUsd } from '../../domain/money'
import type { LedgerLine, LedgerQuery } from '../../domain/reports/report'
import type { ReadConnection } from '../../storage/sqlite/connection'
import type { ReadDeadline } from '../../storage/sqlite/read-deadline'

interface Row {
  readonly id: number
  readonly created: number
  readonly kind: LedgerLine['kind']
  readonly amount: number
  readonly reference: string
  readonly note: string | null
  readonly by: string | null
}

/** Transfers scanned by one statement: a few tens of milliseconds. */
export const transfersInScan = 50_000

/** Which transfers may be lines: the parameters are those of both. */
interface Range {
  readonly account: number
  readonly from: number
  /** The id of the first request that may have been made then. */
  readonly firstRequest: string
  /** Transfers above this one, up to the other. */
  readonly after: number
  readonly last: number
}

/**
 * The first transfer that can be a line. No index knows the accounts of charges: it would cost each
 * call more than all the rest of its writing. Charges are found by the time in the ids of their
 * requests, and all others by their kinds, since those are made by people.
 */
const firstSql = `
  SELECT min(id) AS id FROM (
    SELECT min(id) AS id FROM transfers WHERE kind = 'charge' AND reference >= ?2
    UNION ALL SELECT min(id) FROM transfers
      WHERE kind IN ('topup', 'adjustment', 'refund') AND created >= ?1) AS found`

/** By the order of writing: an index would bring the whole span for each scan. */
const rangeSql = `
  SELECT id, created, kind, reference, note, by, CASE WHEN credit = $account THEN amount ELSE -amount END AS amount
  FROM transfers NOT INDEXED
  WHERE id > $after AND id <= $last AND (debit = $account OR credit = $account)
    AND CASE WHEN kind = 'charge' THEN reference >= $firstRequest ELSE created >= $from END`

/** Position of a page, with what all pages share. */
interface Cursor {
  /** Newest transfer of the first page's moment: later ones are on no page. */
  readonly newest: number
  readonly from: Ms
  readonly to: Ms
  /** Transfer that was scanned last. */
  readonly after: number
  /** Balance there; of the present, less what was scanned, until `isOpened`. */
  readonly balance: NanoUsd
  /** The opening balance is known: lines follow. */
  readonly isOpened: boolean
}

/**
 * Movements in pages, each a read of its own: a read that lasts keeps the log from beginning anew.
 * Transfers never change and their ids grow, so those up to the newest one of the first page stay
 * what they were.
 */
export function openLedgerLines(
  { raw }: Pick<ReadConnection, 'raw'>,
  deadline: Pick<ReadDeadline, 'isNear'>,
): AccountReader['ledger'] {
  const state = raw.prepare<{ balance: number; newest: number | null }, [number]>(
    `SELECT balance, (SELECT max(id) FROM transfers) AS newest FROM accounts WHERE id = ? AND id > 0`,
  )
  const first = raw.prepare<{ id: number | null }, [number, string]>(firstSql)
  const total = raw.prepare<{ amount: number }, [Range & Bindings]>(
    `SELECT coalesce(sum(amount), 0) AS amount FROM (${rangeSql}) AS found`,
  )
  const page = raw.prepare<Row, [Range & Bindings]>(
    `${rangeSql} AND created < $to ORDER BY id LIMIT $max`,
  )

  /** The position before the first transfer that can be a line. */
  const startOf = (from: Ms, newest: number): number =>
    (first.get(from, firstRequestIdAt(from))?.id ?? newest + 1) - 1
  const begin = ({ account, from, to }: LedgerQuery): Cursor => {
    // In one statement: both are of one moment.
    const now = state.get(account)
    const newest = now?.newest ?? 0
    const after = startOf(from, newest)
    return { newest, from, to, after, balance: nanoUsd(now?.balance ?? 0), isOpened: false }
  }
  const scanned = (account: number, { newest, from, after }: Cursor): Range => ({
    account,
    from,
    firstRequest: firstRequestIdAt(from),
    after,
    last: Math.min(after + transfersInScan, newest),
  })

  /** Takes from the present balance what moved since the span began. */
  function opened(account: number, start: Cursor): Cursor {
    let { after, balance } = start
    while (after < start.newest) {
      const range = scanned(account, { ...start, after })
      balance = minus(balance, nanoUsd(total.get({ ...range })?.amount ?? 0))
      after = range.last
      if (deadline.isNear()) return { ...start, after, balance }
    }
    return { ...start, after: startOf(start.from, start.newest), balance, isOpened: true }
  }

  return async (query) => {
    const { account, max } = query
    let cursor = cursorIn(query.after) ?? begin(query)
    if (!cursor.isOpened) cursor = opened(account, cursor)
    if (!cursor.isOpened)
      return { lines: [], next: cursorText(cursor), opening: null, closing: null }
    const opening = cursor.balance
    const lines: LedgerLine[] = []
    while (cursor.after < cursor.newest && lines.length < max) {
      const range = scanned(account, cursor)
      const wanted = max - lines.length
      const rows = page.all({ ...range, to: cursor.to, max: wanted })
      let { balance } = cursor
      for (const { id: _, created, amount, ...row } of rows) {
        balance = plus(balance, nanoUsd(amount))
        lines.push({ ...row, created: created as Ms, amount: nanoUsd(amount), balance })
      }
      const isFull = rows.length === wanted
      cursor = { ...cursor, after: isFull ? (rows.at(-1)?.id ?? range.last) : range.last, balance }
      if (deadline.isNear()) break
    }
    const next = cursor.after < cursor.newest ? cursorText(cursor) : null
    return { lines, next, opening, closing: cursor.balance }
  }
}

type Bindings = Record<string, string | number>

const cursorText = ({ newest, from, to, after, balance, isOpened }: Cursor): string =>
  [newest, from, to, after, balance, isOpened ? 1 : 0].join('.')

function cursorIn(text: string | null): Cursor | null {
  if (text === null || !/^\d+(?:\.-?\d+){4}\.[01]$/.test(text)) return null
  const [newest = 0, from = 0, to = 0, after = 0, balance = zeroUsd, isOpened = 0] = text
    .split('.')
    .map(Number)
  if (![newest, from, to, after, balance].every(Number.isSafeInteger)) return null
  return {
    newest,
    from: from as Ms,
    to: to as Ms,
    after,
    balance: nanoUsd(balance),
    isOpened: isOpened === 1,
  }
}
