import { dayMs } from '../../domain/clock'
import { zoneDayOf } from './fresh-charges'
import { uncosted, vendorOf } from './profit-sums'

/**
 * Relations that an audit looks at, as SQL. What is looked at one by one may be fewer than all, where
 * the others were looked at before and cannot have changed since; what is added up is always all.
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

export const everything: Audited = {
  calls: 'requests',
  transfers: 'transfers',
  ended: `(${endedCalls('requests')})`,
  moved: `(${movedAmounts('transfers')})`,
}
