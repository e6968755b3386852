import { dayMs, nextMonthStart } from '../../../domain/clock'
import {
  datedCalls,
  endedCalls,
  movedAmounts,
  capsOfDays,
  type Audited,
  type SumPeriod,
} from '../../../ledger/store/audit-mark'
import { zoneDayOf } from '../../../ledger/sums/unaggregated'
import { uncosted, vendorOf } from '../../../ledger/sums/profit-sums'

/** Ids of the calls and transfers that came after the first copy, for as long as a move lasts. */
export const sinceTables = [
  'CREATE TABLE since_requests (id text COLLATE "C" PRIMARY KEY)',
  'CREATE TABLE since_transfers (id bigint PRIMARY KEY)',
]

/** Takes down what came after the first copy. @param from table of what came */
export const sinceSql: Readonly<Record<string, (from: string) => string>> = {
  requests: (from) => `INSERT INTO since_requests SELECT id FROM ${from}`,
  transfers: (from) => `INSERT INTO since_transfers SELECT id FROM ${from}`,
}

/**
 * Adds the first copy up, so that the end need not read it again. Who is paid by a cost card is looked
 * up by whoever reads that.
 */
export const baseSums = [
  `CREATE TABLE base_ended AS
   SELECT r.account, r.project, r.key, r.model, r.vendor, r.cost_card, r.created / ${dayMs} AS day,
     ${zoneDayOf('r')} AS zone_day, count(*) AS calls, sum(r.cost) AS cost,
     sum(coalesce(r.vendor_cost, 0)) AS vendor_cost, sum(CAST(${uncosted} AS bigint)) AS uncosted
   FROM requests r GROUP BY 1, 2, 3, 4, 5, 6, 7, 8`,
  `CREATE TABLE base_moved AS
   SELECT account, sum(amount) AS amount FROM (${movedAmounts('transfers')}) AS moves GROUP BY 1`,
  `CREATE TABLE base_spent AS
   WITH ${datedCalls('base_ended')}
   SELECT kind, id, period, sum(amount) AS amount FROM (${capsOfDays('dated')}) AS found GROUP BY 1, 2, 3`,
  // What is charged is in the sums, or else in a call that has changed.
  'UPDATE summed SET transfer = (SELECT coalesce(max(id), 0) FROM transfers)',
]

/** Tables that a database that is served from has no need of. */
export const moveTables = [
  'since_requests',
  'since_transfers',
  'base_ended',
  'base_moved',
  'base_spent',
]

/** Periods in which something changed since the first copy, as numbers of days; null for any. */
export type ChangedPeriods = Readonly<Record<SumPeriod, readonly number[]>> | null

/** SQL of that. @param period of the period, as its number */
export const isChanged = (changed: ChangedPeriods, kind: SumPeriod, period: string): string =>
  changed === null
    ? '1 = 1'
    : changed[kind].length === 0
      ? '1 = 0'
      : `${period} IN (${changed[kind].join()})`

/** Same, of the month of a day. */
const isMonthChanged = (changed: ChangedPeriods, day: string): string => {
  if (changed === null) return '1 = 1'
  const months = changed.month.map(
    (month) => `${day} BETWEEN ${month} AND ${nextMonthStart(month) - 1}`,
  )
  return months.length === 0 ? '1 = 0' : months.join(' OR ')
}

const baseEnded = `
  SELECT r.account AS account, r.project AS project, r.key AS key, r.model AS model,
    ${vendorOf} AS vendor, r.day AS day, r.zone_day AS zone_day, r.calls AS calls, r.cost AS cost,
    r.vendor_cost AS vendor_cost, r.uncosted AS uncosted
  FROM base_ended r`
const calls = '(SELECT c.* FROM since_requests s JOIN requests c ON c.id = s.id)'
const transfers = '(SELECT c.* FROM since_transfers s JOIN transfers c ON c.id = s.id)'
const endedSince = `(${endedCalls(calls)})`

/** All of the first copy, but for periods that changed while it was made: they are looked at in the end. */
export const baseAudited = (changed: ChangedPeriods): Audited => ({
  calls: 'requests',
  transfers: 'transfers',
  ended: `(${baseEnded})`,
  moved: 'base_moved',
  spent: `called AS (SELECT kind, id, period, amount FROM base_spent)`,
  looksAt: (kind, period) => `NOT (${isChanged(changed, kind, period)})`,
  looksAtMonthOf: (day) => `NOT (${isMonthChanged(changed, day)})`,
})

/** Rows since the first copy, the periods that changed, and all that is added up over time. */
export const sinceAudited = (changed: ChangedPeriods): Audited => ({
  calls,
  transfers,
  ended: `(${baseEnded} UNION ALL ${endedCalls(calls)})`,
  moved: `(SELECT account, amount FROM base_moved UNION ALL ${movedAmounts(transfers)})`,
  spent: `${datedCalls(endedSince)}, called AS (
    SELECT kind, id, period, amount FROM base_spent UNION ALL ${capsOfDays('dated')})`,
  looksAt: (kind, period) => isChanged(changed, kind, period),
  looksAtMonthOf: (day) => isMonthChanged(changed, day),
})
