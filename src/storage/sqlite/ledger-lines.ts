import type { Ms } from '../../domain/clock'
import { firstRequestIdAt } from '../../domain/ids'
import { minus, nanoUsd, plus } from '../../domain/money'
import type { LedgerLine, Reports } from '../../domain/report'
import type { Connection } from './database'
import type { Rows } from './store-rows'

interface Row {
  readonly created: number
  readonly kind: LedgerLine['kind']
  readonly amount: number
  readonly reference: string
  readonly note: string | null
  readonly by: string | null
}

/** Transfers looked at in one read: a few tens of milliseconds. */
export const transfersInPage = 50_000

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

/** By the order in which they were written: an index would bring the whole span, page after page. */
const rangeSql = `
  SELECT created, kind, reference, note, by, CASE WHEN credit = $account THEN amount ELSE -amount END AS amount
  FROM transfers NOT INDEXED
  WHERE id > $after AND id <= $last AND (debit = $account OR credit = $account)
    AND CASE WHEN kind = 'charge' THEN reference >= $firstRequest ELSE created >= $from END`

/**
 * Lines of one moment, read in pages: a read that lasts keeps the log from beginning anew, and
 * whoever prints the lines may be slow. Transfers are never changed, so those up to the newest one
 * of that moment stay what they were.
 */
export function openLedgerLines({ raw }: Connection): Rows<Reports>['ledger'] {
  const state = raw.prepare<{ balance: number; newest: number | null }, [number]>(
    `SELECT balance, (SELECT max(id) FROM transfers) AS newest FROM accounts WHERE id = ? AND id > 0`,
  )
  const first = raw.prepare<{ id: number | null }, [number, string]>(firstSql)
  const total = raw.prepare<{ amount: number }, [Range & Bindings]>(
    `SELECT coalesce(sum(amount), 0) AS amount FROM (${rangeSql}) AS found`,
  )
  const lines = raw.prepare<Row, [Range & Bindings]>(`${rangeSql} ORDER BY id`)

  return ({ account, from, to }, take) => {
    const now = state.get(account)
    if (now === null) return null
    const firstRequest = firstRequestIdAt(from)
    const pages = pagesOf(first.get(from, firstRequest)?.id ?? null, now.newest)
    const asked = { account, from, firstRequest }
    let opening = nanoUsd(now.balance)
    for (const page of pages)
      opening = minus(opening, nanoUsd(total.get({ ...asked, ...page })?.amount ?? 0))
    let closing = opening
    for (const page of pages)
      for (const { created, amount, ...row } of lines.all({ ...asked, ...page })) {
        if (created >= to) continue
        closing = plus(closing, nanoUsd(amount))
        take({ ...row, created: created as Ms, amount: nanoUsd(amount), balance: closing })
      }
    return { opening, closing }
  }
}

type Bindings = Record<string, string | number>

/** From the first transfer to the newest; none where there is nothing to read. */
function pagesOf(
  first: number | null,
  newest: number | null,
): readonly Pick<Range, 'after' | 'last'>[] {
  if (first === null || newest === null || first > newest) return []
  const count = Math.ceil((newest - first + 1) / transfersInPage)
  return Array.from({ length: count }, (_, page) => {
    const after = first - 1 + page * transfersInPage
    return { after, last: Math.min(after + transfersInPage, newest) }
  })
}
