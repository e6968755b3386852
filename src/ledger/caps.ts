import type { Caller } from '../domain/caller'
import type { Ms } from '../domain/clock'
import type { NanoUsd } from '../domain/money'
import { GatewayError } from '../errors/gateway-error'
import type { Sums } from './places'
import { settled, type Tally } from './tally'

export interface CapSettings {
  /** What an account may spend in all before it is verified. */
  readonly kycCeiling: NanoUsd
  /** What the whole service may spend a day; null for no limit. */
  readonly serviceDayCapacity: NanoUsd | null
}

/** What is asked of the caps: an amount, for a call that was opened then. */
export interface Asked {
  readonly amount: NanoUsd
  readonly opened: Ms
}

/**
 * Every cap against spent + held + what is asked now.
 * @throws key_spend_limit_reached | project_budget_exceeded | daily_cap_reached | kyc_required | daily_capacity_reached
 */
export function checkCaps(
  caller: Caller,
  sums: Sums,
  { amount: needed, opened }: Asked,
  settings: CapSettings,
): void {
  const { key, project, account } = caller
  check('key_spend_limit_reached', sums.key, key.spendLimit, needed)
  check('project_budget_exceeded', sums.projectMonth, project.monthlyBudget, needed)
  check('daily_cap_reached', sums.accountDay, account.dailyCap, needed)
  if (!account.verified) check('kyc_required', sums.account, settings.kycCeiling, needed)
  const capacity = settings.serviceDayCapacity
  if (capacity !== null && used(sums.serviceDay) + needed > capacity) {
    const until = Date.parse(sums.serviceDay.scope.period) + dayMs
    const retryAfterSeconds = Math.max(1, Math.ceil((until - opened) / 1000))
    const opens = `${new Date(until).toISOString().slice(0, 10)} 00:00 UTC`
    throw new GatewayError('daily_capacity_reached', { opens }, { retryAfterSeconds })
  }
}

const dayMs = 86_400_000

type CapCode =
  'key_spend_limit_reached' | 'project_budget_exceeded' | 'daily_cap_reached' | 'kyc_required'

function check(code: CapCode, sum: Tally, limit: NanoUsd | null, needed: NanoUsd): void {
  if (limit === null) return
  const spent = used(sum)
  if (spent + needed <= limit) return
  throw new GatewayError(code, { limit, spent: spent as NanoUsd, needed })
}

const used = (sum: Tally): number => settled(sum) + sum.held
