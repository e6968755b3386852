import type { Caller } from '../domain/caller'
import type { Ms } from '../domain/clock'
import type { AccountId, KeyId } from '../domain/ids'
import { nanoUsd, type NanoUsd } from '../domain/money'
import { openPeriods, type Period } from './periods'
import { scopesOf } from './scopes'
import type { Scope } from './store'
import type { Tallies, Tally } from './tally'

/** The sums a caller's caps are checked against. */
export interface CallerSums {
  readonly key: Tally<Scope>
  readonly projectMonth: Tally<Scope>
  readonly account: Tally<Scope>
  readonly accountDay: Tally<Scope>
  readonly serviceDay: Tally<Scope>
}

/** Sums that the money of one call is held and charged in. */
export interface Places {
  /** As of the newest call. */
  caller: Caller
  readonly account: AccountId
  readonly balance: Tally
  readonly sums: CallerSums
  /** The sums again, to go through. */
  readonly charged: readonly Tally<Scope>[]
  /** No tally of them was read before this reading. */
  reading: number
  /** They are being read anew for a call that goes on meanwhile. */
  loading: boolean
  /** Something was charged here that no commit has written. */
  unwritten: boolean
}

/** Keys whose places are kept at hand; with five tallies a key that is about 100 MB. */
const maxKnown = 100_000

/**
 * Finds a key's places once a day, not once a call. What is idle is forgotten when the day
 * changes, or when there is too much of it: memory is that of one day's callers.
 */
export function openPlaces(tallies: Tallies): (caller: Caller, opened: Ms) => Places {
  const periodOf = openPeriods()
  const known = new Map<KeyId, Places>()
  let newest: Period = periodOf(0 as Ms)
  let limit = maxKnown

  const forget = () => {
    known.clear()
    tallies.forgetIdle()
    // Where most are in use, looking again at once would only cost time.
    limit = Math.max(maxKnown, tallies.count())
  }

  return (caller, opened) => {
    const period = periodOf(opened)
    if (period !== newest) {
      if (period.day < newest.day) return placesOf(tallies, caller, period)
      forget()
      newest = period
    }
    const { id } = caller.key
    let places = known.get(id)
    if (places === undefined) {
      if (known.size >= limit) forget()
      places = placesOf(tallies, caller, period)
      known.set(id, places)
    }
    places.caller = caller
    return places
  }
}

function placesOf(tallies: Tallies, caller: Caller, period: Period): Places {
  const { account, project, key } = caller
  const scopes = scopesOf({ account: account.id, project: project.id, key: key.id }, period)
  const sums: CallerSums = {
    key: tallies.of(scopes.key),
    projectMonth: tallies.of(scopes.projectMonth),
    account: tallies.of(scopes.account),
    accountDay: tallies.of(scopes.accountDay),
    serviceDay: tallies.of(scopes.serviceDay),
  }
  return {
    caller,
    account: account.id,
    balance: tallies.of({ kind: 'balance', id: account.id, period: '' }),
    sums,
    charged: Object.values(sums),
    // Tallies that were in memory already may be older than this reading.
    reading: -1,
    loading: false,
    unwritten: false,
  }
}

export const talliesOf = ({ balance, charged }: Places): readonly Tally[] => [balance, ...charged]

/** Whether none of them was read before a reading. */
export function isRead(places: Places, reading: number): boolean {
  if (places.reading >= reading) return true
  if (places.balance.reading < reading) return false
  for (const sum of places.charged) if (sum.reading < reading) return false
  places.reading = reading
  return true
}

/** @param more below zero to give it back */
export function reserve({ balance, charged }: Places, more: number): void {
  balance.reserved = nanoUsd(balance.reserved + more)
  for (const sum of charged) sum.reserved = nanoUsd(sum.reserved + more)
}

/** Money of one call. */
export interface Holding {
  readonly places: Places
  /** Beyond what is held: what it can still cost. */
  reserved: NanoUsd
  /** As of `Hold`. */
  readonly metered: boolean
}
