import { dayMs } from '../../../domain/clock'
import type { SumPeriod } from '../../../ledger/store/audit-mark'
import { zoneDayOf } from '../../../ledger/sums/unaggregated'
import { monthSql } from '../../../ledger/sums/month-cover'
import { vendorOf } from '../../../ledger/sums/profit-sums'
import type { tableMoves } from './moved-tables'

type SumTable = {
  [Table in keyof typeof tableMoves]: (typeof tableMoves)[Table] extends 'sums' ? Table : never
}[keyof typeof tableMoves]

/** SQL of the columns of a primary key, for the row of sums that a call `r` counts in. */
type SumKey = Readonly<Record<string, string>>

const day = `r.created / ${dayMs}`
const month = monthSql(day)
/** SQL of the periods that a call `r` counts in. */
export const periods = { day, zone_day: zoneDayOf('r'), month } as const satisfies Record<
  SumPeriod,
  string
>
const date = `date(r.created / 1000, 'unixepoch')`
const ofProject = { project: 'r.project', key: 'r.key', model: 'r.model' }
const ofVendor = { model: 'r.model', vendor: vendorOf }

/** Columns of tables of sums that are periods; of `spent`, rows are over all time too. */
export const sumPeriods: Readonly<
  Record<string, { readonly kind: SumPeriod; readonly column: string }>
> = {
  usage_days: { kind: 'day', column: 'day' },
  usage_zone_days: { kind: 'zone_day', column: 'day' },
  usage_zone_model_days: { kind: 'zone_day', column: 'day' },
  usage_zone_key_days: { kind: 'zone_day', column: 'day' },
  usage_months: { kind: 'month', column: 'month' },
  usage_model_days: { kind: 'day', column: 'day' },
  usage_service_days: { kind: 'day', column: 'day' },
  usage_key_months: { kind: 'month', column: 'month' },
  profit_days: { kind: 'day', column: 'day' },
  profit_months: { kind: 'month', column: 'month' },
  profit_accounts: { kind: 'day', column: 'day' },
  profit_account_months: { kind: 'month', column: 'month' },
}

/**
 * The rows that a call counts in, in each table of sums; `spent` has one for each kind of cap. What
 * changes sums is a call that ends, or what is given back of one.
 */
export const sumKeys = {
  spent: [
    { kind: `'key'`, id: 'r.key', period: `''` },
    { kind: `'project-month'`, id: 'r.project', period: `substr(${date}, 1, 7)` },
    { kind: `'account'`, id: 'r.account', period: `''` },
    { kind: `'account-day'`, id: 'r.account', period: date },
    { kind: `'service-day'`, id: '0', period: date },
  ],
  usage_days: [{ ...ofProject, day }],
  usage_zone_days: [{ ...ofProject, day: periods.zone_day }],
  usage_zone_model_days: [{ project: 'r.project', day: periods.zone_day, model: 'r.model' }],
  usage_zone_key_days: [{ project: 'r.project', day: periods.zone_day, key: 'r.key' }],
  usage_months: [{ ...ofProject, month }],
  usage_model_days: [{ project: 'r.project', day, model: 'r.model' }],
  usage_service_days: [{ day, model: 'r.model' }],
  usage_key_months: [{ month, project: 'r.project', key: 'r.key' }],
  profit_days: [{ ...ofVendor, day }],
  profit_months: [{ ...ofVendor, month }],
  profit_accounts: [{ account: 'r.account', day }],
  profit_account_months: [{ account: 'r.account', month }],
} as const satisfies Record<SumTable, readonly SumKey[]>
