import { verificationCeiling, type Caller } from '../../domain/caller'
import type { Ms } from '../../domain/clock'
import { nanoUsd, zeroUsd, type NanoUsd } from '../../domain/money'
import { GatewayError } from '../../errors/gateway-error'
import type { CallerCaps, CapSettings, CapState } from '../caps'
import type { Funds } from '../ledger'
import { endOfDay, endOfMonth } from '../periods'
import type { SumScope } from '../store'
import { baseOf } from './exchange'
import type { CallerSlices } from './caller-slices'
import type { Slice } from './slice'

/** What was asked for, and refused. */
interface RefusedHold {
  readonly needed: NanoUsd
  readonly opened: Ms
  /** What is reserved for others was left alone too. */
  readonly firm: boolean
}

const capCodes = {
  key: 'key_spend_limit_reached',
  'project-month': 'project_budget_exceeded',
  'account-day': 'daily_cap_reached',
  account: 'kyc_required',
} as const satisfies Partial<Record<SumScope['kind'], string>>

/** Error of a hold that a slice did not cover. */
export function refusalOf(slice: Slice, { needed, opened, firm }: RefusedHold): GatewayError {
  const { scope, reserved } = slice
  const left = slice.reach() - (firm ? reserved : 0)
  if (scope.kind === 'balance') {
    const available = nanoUsd(left)
    const held = nanoUsd(slice.sum - slice.unwritten - left)
    return new GatewayError('insufficient_credit', { available, held, needed })
  }
  if (scope.kind === 'service-day') {
    const until = endOfDay(scope.period)
    const retryAfterSeconds = Math.max(1, Math.ceil((until - opened) / 1000))
    const opens = `${new Date(until).toISOString().slice(0, 10)} 00:00 UTC`
    return new GatewayError('daily_capacity_reached', { opens }, { retryAfterSeconds })
  }
  if (!(scope.kind in capCodes)) throw new Error(`a hold refused by ${slice.name}`)
  const limit = nanoUsd(slice.limit ?? 0)
  return new GatewayError(capCodes[scope.kind as keyof typeof capCodes], {
    limit,
    spent: nanoUsd(limit - left),
    needed,
  })
}

/**
 * Calls that cost nothing pass every cap, but those of an unverified account whose ceiling is reached.
 * @throws kyc_required
 */
export function checkFreeCall(
  { account }: Caller,
  purse: CallerSlices,
  settings: CapSettings,
): void {
  const limit = verificationCeiling(account, settings)
  const spent = spentOfSlice(purse.account)
  if (limit === null || spent < limit) return
  throw new GatewayError('kyc_required', { limit, spent, needed: zeroUsd })
}

/** Charged so far, what no exchange has brought included. */
export const spentOfSlice = ({ sum, unwritten }: Slice): NanoUsd => nanoUsd(sum + unwritten)

export function fundsIn(balance: Slice): Funds {
  const total = nanoUsd(balance.sum - balance.unwritten)
  const available = nanoUsd(unheldOf(balance))
  return { balance: total, held: nanoUsd(total - available), available }
}

/** What no running call holds, of any node; where that is not known, what no other node has a slice of. */
function unheldOf(slice: Slice): number {
  const { limit, heldElsewhere, held, unwritten, sum, name } = slice
  if (limit === null || heldElsewhere === null) return slice.reach()
  return baseOf(name, limit, sum) - heldElsewhere - held - unwritten
}

export const capsIn = ({ key, projectMonth, account, accountDay }: CallerSlices): CallerCaps => ({
  key: stateOf(key, null),
  projectMonth: stateOf(projectMonth, endOfMonth(projectMonth.scope.period)),
  accountDay: stateOf(accountDay, endOfDay(accountDay.scope.period)),
  verification: stateOf(account, null),
})

function stateOf(slice: Slice, resets: Ms | null): CapState | null {
  if (slice.limit === null) return null
  const left = nanoUsd(Math.max(0, unheldOf(slice) - slice.reserved))
  return { limit: nanoUsd(slice.limit), spent: spentOfSlice(slice), left, resets }
}
