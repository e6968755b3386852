import { verificationCeiling, type Caller } from '../domain/caller'
import type { Ms } from '../domain/clock'
import { nanoUsd, zeroUsd, type NanoUsd } from '../domain/money'
import { GatewayError } from '../errors/gateway-error'
import { endOfDay, endOfMonth } from './periods'
import type { CallerSums } from './places'
import { settled, type Tally } from './tally'

export interface CapSettings {
  /** What an account may spend in all before it is verified. */
  readonly kycCeiling: NanoUsd
  /** What the whole service may spend a day; null for no limit. */
  readonly serviceDayCapacity: NanoUsd | null
}

/** Amount to be checked against the caps, for a call that was opened then. */
export interface CapQuestion {
  readonly amount: NanoUsd
  readonly opened: Ms
  /** Leaves alone what is reserved for others too, and not only what is held for them. */
  readonly firm: boolean
}

/** Hold to be checked against the caps, for a call that begins. */
export interface RequestedToHold {
  readonly amount: NanoUsd
  /** The most that the call can cost. */
  readonly possible: NanoUsd
  /** As of `HoldRequest`. */
  readonly endsAtMoney: boolean
  readonly opened: Ms
}

/**
 * Every cap against spent + held + what is asked now.
 * @throws key_spend_limit_reached | project_budget_exceeded | daily_cap_reached | kyc_required | daily_capacity_reached
 */
export function checkCaps(
  caller: Caller,
  sums: CallerSums,
  asked: CapQuestion,
  settings: CapSettings,
): void {
  const { key, project, account } = caller
  check('key_spend_limit_reached', sums.key, key.spendLimit, asked)
  check('project_budget_exceeded', sums.projectMonth, project.monthlyBudget, asked)
  check('daily_cap_reached', sums.accountDay, account.dailyCap, asked)
  check('kyc_required', sums.account, verificationCeiling(account, settings), asked)
  const capacity = settings.serviceDayCapacity
  const { amount, opened, firm } = asked
  if (capacity !== null && used(sums.serviceDay, firm) + amount > capacity) {
    const until = endOfDay(sums.serviceDay.scope.period)
    const retryAfterSeconds = Math.max(1, Math.ceil((until - opened) / 1000))
    const opens = `${new Date(until).toISOString().slice(0, 10)} 00:00 UTC`
    throw new GatewayError('daily_capacity_reached', { opens }, { retryAfterSeconds })
  }
}

/**
 * Room that the narrowest cap leaves beside what is held; below zero where more is held than the cap.
 * @param firm beside the most that all which runs can cost
 */
export function capRoom(
  { key, project, account }: Caller,
  sums: CallerSums,
  settings: CapSettings,
  firm: boolean,
): number {
  const capacity = settings.serviceDayCapacity
  return Math.min(
    roomIn(sums.key, key.spendLimit, firm),
    roomIn(sums.projectMonth, project.monthlyBudget, firm),
    roomIn(sums.accountDay, account.dailyCap, firm),
    roomIn(sums.account, verificationCeiling(account, settings), firm),
    roomIn(sums.serviceDay, capacity, firm),
  )
}

const roomIn = (sum: Tally, limit: NanoUsd | null, firm: boolean): number =>
  limit === null ? Infinity : limit - used(sum, firm)

/**
 * Calls that cost nothing: they pass every cap, but an unverified account whose ceiling is reached
 * is refused these too.
 * @throws kyc_required
 */
export function checkFree({ account }: Caller, sums: CallerSums, settings: CapSettings): void {
  const limit = verificationCeiling(account, settings)
  const spent = settled(sums.account)
  if (limit === null || spent < limit) return
  throw new GatewayError('kyc_required', { limit, spent, needed: zeroUsd })
}

/** A cap as it stands. */
export interface CapState {
  readonly limit: NanoUsd
  readonly spent: NanoUsd
  /** Not spent, nor held by running calls. */
  readonly left: NanoUsd
  /** Start of its next period; null for a cap without one. */
  readonly resets: Ms | null
}

/** Caps of one caller; null: there is none. */
export interface CallerCaps {
  readonly key: CapState | null
  readonly projectMonth: CapState | null
  readonly accountDay: CapState | null
  /** Null once the account is verified. */
  readonly verification: CapState | null
}

export const capsOf = (
  { key, project, account }: Caller,
  sums: CallerSums,
  settings: CapSettings,
): CallerCaps => ({
  key: stateOf(sums.key, key.spendLimit, null),
  projectMonth: stateOf(
    sums.projectMonth,
    project.monthlyBudget,
    endOfMonth(sums.projectMonth.scope.period),
  ),
  accountDay: stateOf(sums.accountDay, account.dailyCap, endOfDay(sums.accountDay.scope.period)),
  verification: stateOf(sums.account, verificationCeiling(account, settings), null),
})

function stateOf(sum: Tally, limit: NanoUsd | null, resets: Ms | null): CapState | null {
  if (limit === null) return null
  const left = nanoUsd(Math.max(0, limit - used(sum, true)))
  return { limit, spent: settled(sum), left, resets }
}

type CapCode =
  'key_spend_limit_reached' | 'project_budget_exceeded' | 'daily_cap_reached' | 'kyc_required'

function check(
  code: CapCode,
  sum: Tally,
  limit: NanoUsd | null,
  { amount: needed, firm }: CapQuestion,
): void {
  if (limit === null) return
  const spent = used(sum, firm)
  if (spent + needed <= limit) return
  throw new GatewayError(code, { limit, spent: spent as NanoUsd, needed })
}

const used = (sum: Tally, firm: boolean): number =>
  settled(sum) + sum.held + (firm ? sum.reserved : 0)
