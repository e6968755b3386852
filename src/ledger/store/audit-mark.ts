import { dayMs } from '../../domain/clock'
import { zoneDayOf } from '../sums/unaggregated'
import { uncosted, vendorOf } from '../sums/profit-sums'

/** What sums are added up by: days of UTC, days of the service's zone, or months of UTC by their first day. */
export type SumPeriod = 'day' | 'zone_day' | 'month'

/**
 * Relations and periods that an audit looks at, as SQL. Calls, transfers and periods may be fewer
 * than all, where the others were looked at before and cannot have changed since.
 */
export interface Audited {
  /** Calls whose charges and lists are looked for; columns of `requests`. */
  readonly calls: string
  /** Transfers whose calls are looked for; columns of `transfers`. */
  readonly transfers: string
  /**
   * All calls that ended, or sums of them: account, project, key, model, vendor, day, zone_day, calls,
   * cost, vendor_cost and uncosted.
   */
  readonly ended: string
  /** All that was moved, or sums of it: account and amount. */
  readonly moved: string
  /** What caps must have spent but for refunds: `called` (kind, id, period, amount), as a part of `WITH`. */
  readonly spent: string
  /** Condition that a period is looked at. @param period SQL of it, by its number of days since 1970 */
  looksAt(kind: SumPeriod, period: string): string
  /** Same, of the month of a day. */
  looksAtMonthOf(day: string): string
}

/** Rows of `Audited.ended`, one for each call. @param calls relation with the columns of `requests` */
export const endedCalls = (calls: string): string => `
  SELECT r.account AS account, r.project AS project, r.key AS key, r.model AS model,
    ${vendorOf} AS vendor, r.created / ${dayMs} AS day, ${zoneDayOf('r')} AS zone_day, 1 AS calls,
    r.cost AS cost, coalesce(r.vendor_cost, 0) AS vendor_cost, ${uncosted} AS uncosted
  FROM ${calls} r WHERE r.status <> 'pending'`

/** Rows of `Audited.moved`, two for each transfer. @param transfers relation with the columns of `transfers` */
export const movedAmounts = (transfers: string): string => `
  SELECT t.credit AS account, t.amount AS amount FROM ${transfers} t
  UNION ALL SELECT t.debit, -t.amount FROM ${transfers} t`

/** Days of calls with their caps, as parts of `WITH`. @param ended relation as of `Audited.ended` */
export const datedCalls = (ended: string): string => `
  dated AS MATERIALIZED (
    SELECT account, project, key, sum(cost) AS cost, date(day * 86400, 'unixepoch') AS date
    FROM ${ended} AS ended WHERE cost <> 0 GROUP BY account, project, key, day
  )`

/** The caps that days count in. @param dated relation as of `datedCalls` */
export const capsOfDays = (dated: string): string =>
  scopes
    .map(
      ([kind, id, period]) =>
        `SELECT ${kind} AS kind, ${id} AS id, ${period} AS period, cost AS amount FROM ${dated}`,
    )
    .join(' UNION ALL ')

const scopes = [
  [`'key'`, 'key', `''`],
  [`'project-month'`, 'project', 'substr(date, 1, 7)'],
  [`'account'`, 'account', `''`],
  [`'account-day'`, 'account', 'date'],
  [`'service-day'`, '0', 'date'],
] as const

const allCalls = `(${endedCalls('requests')})`

export const everything: Audited = {
  calls: 'requests',
  transfers: 'transfers',
  ended: allCalls,
  moved: `(${movedAmounts('transfers')})`,
  spent: `${datedCalls(allCalls)}, called AS (${capsOfDays('dated')})`,
  looksAt: () => '1 = 1',
  looksAtMonthOf: () => '1 = 1',
}
