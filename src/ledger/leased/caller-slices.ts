import { verificationCeiling, type Caller } from '../../domain/caller'
import type { Ms } from '../../domain/clock'
import type { KeyId } from '../../domain/ids'
import type { CapSettings } from '../caps'
import type { HoldRequest } from '../ledger'
import { openPeriods, type Period } from '../periods'
import { scopesOf } from '../scopes'
import type { Asked, Slice } from './slice'
import type { NodeSlices } from './node-slices'

/** Slices that the money of one key's calls is held in and charged to. */
export interface CallerSlices {
  readonly key: Slice
  readonly projectMonth: Slice
  readonly accountDay: Slice
  readonly account: Slice
  readonly serviceDay: Slice
  readonly balance: Slice
  /** All of them, in the order in which they refuse. */
  readonly slices: readonly Slice[]
}

/** Keys whose purses are kept at hand; with six slices a key that is about 150 MB. */
const maxKnown = 100_000

/**
 * Finds a key's slices once a day, not once a call. What has, holds and owes nothing is forgotten when the
 * day changes, or when there is too much of it.
 */
export function openCallerSlices(slices: NodeSlices): (caller: Caller, opened: Ms) => CallerSlices {
  const periodOf = openPeriods()
  const known = new Map<KeyId, CallerSlices>()
  let newest: Period = periodOf(0 as Ms)
  let limit = maxKnown

  const forget = () => {
    known.clear()
    // Where most are in use, looking again at once would only cost time.
    limit = Math.max(maxKnown, slices.shelves.forgetIdle())
  }

  return (caller, opened) => {
    const period = periodOf(opened)
    if (period !== newest) {
      if (period.day < newest.day) return purseOf(slices, caller, period)
      forget()
      newest = period
    }
    const { id } = caller.key
    let purse = known.get(id)
    if (purse === undefined) {
      if (known.size >= limit) forget()
      purse = purseOf(slices, caller, period)
      known.set(id, purse)
    }
    return purse
  }
}

function purseOf(
  slices: NodeSlices,
  { account, project, key }: Caller,
  period: Period,
): CallerSlices {
  const scopes = scopesOf({ account: account.id, project: project.id, key: key.id }, period)
  const purse = {
    key: slices.of(scopes.key),
    projectMonth: slices.of(scopes.projectMonth),
    accountDay: slices.of(scopes.accountDay),
    account: slices.of(scopes.account),
    serviceDay: slices.of(scopes.serviceDay),
    balance: slices.of({ kind: 'balance', id: account.id, period: '' }),
  }
  return { ...purse, slices: Object.values(purse) }
}

/** Caps as they are by now. */
export function limitCallerSlices(
  purse: CallerSlices,
  caller: Caller,
  settings: CapSettings,
): void {
  const { key, project, account } = caller
  purse.key.limitTo(key.spendLimit)
  purse.projectMonth.limitTo(project.monthlyBudget)
  purse.accountDay.limitTo(account.dailyCap)
  purse.account.limitTo(verificationCeiling(account, settings))
  purse.serviceDay.limitTo(settings.serviceDayCapacity)
}

/** Money that a call asks of its slices. */
export const requestedOf = (
  { amount: need, possible = need, endsAtMoney = false }: HoldRequest,
  { slices }: CallerSlices,
): Asked => ({ slices, need, possible, endsAtMoney, isContent: false })
