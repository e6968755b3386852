import type { Caller } from '../domain/caller'
import type { Ms } from '../domain/clock'
import type { AccountId, KeyId } from '../domain/ids'
import { minus, zeroUsd, type NanoUsd } from '../domain/money'
import { GatewayError } from '../errors/gateway-error'
import { checkCaps, type CapSettings, type Sums } from './caps'
import type { Funds } from './ledger'
import type { Period } from './periods'
import type { LedgerStore, Scope } from './store'
import { openTally, type Tally } from './tally'

/** Where the money of one call is held and will be charged. */
export interface Places {
  readonly account: AccountId
  readonly balance: Tally
  readonly sums: Sums
}

/** A sum that has something to commit. */
export interface DirtySum {
  readonly scope: Scope
  readonly tally: Tally
}

/** Balances and sums in memory: every decision about money is made here. */
export interface Book {
  /** @throws what `Ledger.hold` throws */
  hold(caller: Caller, amount: NanoUsd, opened: Ms): Places
  grow(caller: Caller, places: Places, by: NanoUsd): void
  drop(places: Places, amount: NanoUsd): void
  charge(places: Places, cost: NanoUsd): void
  funds(account: AccountId): Funds
  spentByKey(key: KeyId): NanoUsd
  heldInAll(): NanoUsd
  dirtySums(): readonly DirtySum[]
  /** Balances charged since the last commit. */
  dirtyBalances(): ReadonlyMap<AccountId, Tally>
  /** What was dirty is committed. */
  clean(): void
  expire(): void
}

export function openBook(
  store: LedgerStore,
  settings: CapSettings,
  period: (time: Ms) => Period,
): Book {
  const balances = new Map<AccountId, Tally>()
  const sums = new Map<string, Tally>()
  const scopes = new Map<Tally, Scope>()
  const dirty = new Set<Tally>()
  const charged = new Map<AccountId, Tally>()
  let heldInAll = 0

  const balanceOf = (account: AccountId): Tally => {
    let tally = balances.get(account)
    if (tally === undefined) {
      tally = openTally(() => store.balance(account) ?? zeroUsd)
      balances.set(account, tally)
    }
    return tally
  }

  const sumOf = (scope: Scope): Tally => {
    const name = `${scope.kind} ${scope.id} ${scope.period}`
    let tally = sums.get(name)
    if (tally === undefined) {
      tally = openTally(() => store.spent(scope))
      sums.set(name, tally)
      scopes.set(tally, scope)
    }
    return tally
  }

  // Once a day, together with the places that point at them: memory stays that of one day.
  const newPeriod = () => {
    forgetIdle(balances)
    forgetIdle(sums, (gone) => scopes.delete(gone))
  }
  const placesOf = openPlaces({ balanceOf, sumOf, period, newPeriod })

  const take = (caller: Caller, places: Places, amount: NanoUsd) => {
    if (amount > 0) {
      checkCaps(caller, places.sums, amount, settings)
      const { available, held } = fundsOf(places.balance)
      if (available < amount)
        throw new GatewayError('insufficient_credit', { available, held, needed: amount })
    }
    for (const tally of everyTally(places)) tally.hold(amount)
    heldInAll += amount
  }

  return {
    hold(caller, amount, opened) {
      const places = placesOf(caller, opened)
      take(caller, places, amount)
      return places
    },
    grow: take,
    drop(places, amount) {
      for (const tally of everyTally(places)) tally.drop(amount)
      heldInAll -= amount
    },
    charge(places, cost) {
      if (cost === 0) return
      places.balance.add(-cost as NanoUsd)
      charged.set(places.account, places.balance)
      for (const tally of sumTallies(places.sums)) {
        tally.add(cost)
        dirty.add(tally)
      }
    },
    funds: (account) => fundsOf(balanceOf(account)),
    spentByKey: (id) => sumOf({ kind: 'key', id, period: '' }).settled(),
    heldInAll: () => heldInAll as NanoUsd,
    dirtySums: () =>
      [...dirty].flatMap((tally) => {
        const scope = scopes.get(tally)
        return scope === undefined ? [] : [{ scope, tally }]
      }),
    dirtyBalances: () => charged,
    clean() {
      dirty.clear()
      charged.clear()
    },
    expire() {
      for (const tally of balances.values()) tally.expire()
      for (const tally of sums.values()) tally.expire()
    },
  }
}

/** Finds a key's tallies once a day, not once a call. */
function openPlaces(parts: {
  balanceOf: (account: AccountId) => Tally
  sumOf: (scope: Scope) => Tally
  period: (time: Ms) => Period
  newPeriod: () => void
}): (caller: Caller, opened: Ms) => Places {
  const { balanceOf, sumOf } = parts
  const known = new Map<KeyId, Places>()
  let of: Period | null = null
  return ({ account, project, key }, opened) => {
    const now = parts.period(opened)
    if (now !== of) {
      known.clear()
      parts.newPeriod()
      of = now
    }
    let places = known.get(key.id)
    if (places === undefined) {
      places = {
        account: account.id,
        balance: balanceOf(account.id),
        sums: {
          key: sumOf({ kind: 'key', id: key.id, period: '' }),
          projectMonth: sumOf({ kind: 'project-month', id: project.id, period: now.month }),
          account: sumOf({ kind: 'account', id: account.id, period: '' }),
          accountDay: sumOf({ kind: 'account-day', id: account.id, period: now.day }),
          serviceDay: sumOf({ kind: 'service-day', id: 0, period: now.day }),
        },
      }
      known.set(key.id, places)
    }
    return places
  }
}

function fundsOf(tally: Tally): Funds {
  const balance = tally.settled()
  const held = tally.held()
  return { balance, held, available: minus(balance, held) }
}

const sumTallies = ({ key, projectMonth, account, accountDay, serviceDay }: Sums): Tally[] => [
  key,
  projectMonth,
  account,
  accountDay,
  serviceDay,
]

const everyTally = (places: Places): Tally[] => [places.balance, ...sumTallies(places.sums)]

function forgetIdle<Name>(tallies: Map<Name, Tally>, gone?: (tally: Tally) => void): void {
  for (const [name, tally] of tallies)
    if (tally.idle()) {
      tallies.delete(name)
      gone?.(tally)
    }
}
