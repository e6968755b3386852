import type { Caller } from '../domain/caller'
import type { Ms } from '../domain/clock'
import type { AccountId, KeyId } from '../domain/ids'
import { minus, nanoUsd, plus, zeroUsd, type NanoUsd } from '../domain/money'
import type { Refund } from '../domain/video-job'
import { GatewayError, isGatewayError } from '../errors/gateway-error'
import {
  capRoom,
  capsOf,
  checkCaps,
  checkFree,
  type Asked,
  type CallerCaps,
  type CapSettings,
} from './caps'
import type { Funds } from './ledger'
import { periodOf } from './periods'
import { openPlaces, type Places } from './places'
import { scopesOf } from './scopes'
import type { Batch, LedgerStore, Scope } from './store'
import { openTallies, settled, type Tally } from './tally'
import type { Charged, Refused } from './watch'

/** Money of one call. */
export interface Holding {
  readonly places: Places
  /** Beyond what is held: what it can still cost. */
  reserved: NanoUsd
  /** As of `Hold`. */
  readonly metered: boolean
}

/** What is asked for a call that begins. */
export interface AskedToHold {
  readonly amount: NanoUsd
  /** The most that the call can cost. */
  readonly possible: NanoUsd
  /** As of `HoldRequest`. */
  readonly endsAtMoney: boolean
  readonly opened: Ms
}

/** Balances and sums in memory: every decision about money is made here. */
export interface Book {
  /** Everything that `hold` checks, and nothing held. @throws what `Ledger.hold` throws */
  check(caller: Caller, amount: NanoUsd, opened: Ms): Funds
  /** @throws what `Ledger.hold` throws */
  hold(caller: Caller, asked: AskedToHold): Holding
  /** @throws what `Ledger.hold` throws; what was held stays held */
  grow(caller: Caller, holding: Holding, asked: Omit<Asked, 'firm'>): void
  /** As of `Hold`. @param held for the call itself */
  chargeable(holding: Holding, held: NanoUsd, cost: NanoUsd): NanoUsd
  /** Ends a hold of `held` and charges `cost`, whatever the balance. */
  close(holding: Holding, held: NanoUsd, cost: NanoUsd): void
  /** Takes back a charge that no commit has written. */
  takeBack(places: Places, cost: NanoUsd): void
  funds(account: AccountId): Funds
  caps(caller: Caller, now: Ms): CallerCaps
  spentByKey(key: KeyId): NanoUsd
  spentByAccount(account: AccountId): NanoUsd
  heldInAll(): NanoUsd
  /** Number of open holds, those of zero included. */
  holds(): number
  /** Charges that no commit has written, per sum. */
  unwritten(): Batch['spent']
  /** The keys that those charges are of. */
  charged(): readonly Charged[]
  /** All of that is committed now. @param balances committed balances of the charged accounts */
  written(balances: ReadonlyMap<AccountId, NanoUsd>): void
  /** Charges went back in the database: what they were counted in is read anew. */
  refunded(refunds: readonly Refund[]): void
  /** Another process may have moved money: read balances and sums anew when they are next needed. */
  expire(): void
}

export function openBook(
  store: LedgerStore,
  settings: CapSettings,
  onRefused: (refusal: Refused) => void,
): Book {
  const tallies = openTallies(store)
  const placesOf = openPlaces(tallies)
  let chargedSums: Tally<Scope>[] = []
  let chargedPlaces: Places[] = []
  let chargedBalances: { readonly account: AccountId; readonly tally: Tally }[] = []
  let heldInAll = zeroUsd
  let holds = 0

  const refresh = (places: Places) => {
    const reading = tallies.reading()
    if (places.reading === reading) return
    tallies.refresh(places.balance)
    for (const sum of places.charged) tallies.refresh(sum)
    places.reading = reading
  }

  const check = (caller: Caller, places: Places, asked: Asked) => {
    const { amount, firm } = asked
    if (amount < 0) throw new Error(`a hold of ${amount}`)
    refresh(places)
    // What costs nothing needs neither money nor room under a cap.
    if (amount === 0) return checkFree(caller, places.sums, settings)
    checkCaps(caller, places.sums, asked, settings)
    const { balance } = places
    const held = nanoUsd(balance.held + (firm ? balance.reserved : 0))
    const available = minus(settled(balance), held)
    if (available < amount)
      throw new GatewayError('insufficient_credit', { available, held, needed: amount })
  }

  /** What is left beside what is held. @param firm beside the most that all which runs can cost */
  const roomOf = (caller: Caller, { balance, sums }: Places, firm: boolean): number => {
    const money = settled(balance) - balance.held - (firm ? balance.reserved : 0)
    return Math.min(money, capRoom(caller, sums, settings, firm))
  }

  /** @param more below zero to give it back */
  const reserve = ({ balance, charged }: Places, more: number) => {
    balance.reserved = nanoUsd(balance.reserved + more)
    for (const sum of charged) sum.reserved = nanoUsd(sum.reserved + more)
  }

  const take = (caller: Caller, places: Places, asked: Asked) => {
    const { amount } = asked
    try {
      check(caller, places, asked)
    } catch (thrown) {
      if (isGatewayError(thrown))
        onRefused({ caller, sums: places.sums, code: thrown.code, needed: amount })
      throw thrown
    }
    // The sums are narrower than this: past it, none of them can lose a digit.
    heldInAll = plus(heldInAll, amount)
    places.balance.held = nanoUsd(places.balance.held + amount)
    for (const sum of places.charged) sum.held = nanoUsd(sum.held + amount)
  }

  const charge = (places: Places, cost: NanoUsd) => {
    const { balance } = places
    if (!places.unwritten) chargedPlaces.push(places)
    places.unwritten = true
    if (balance.pending === 0) chargedBalances.push({ account: places.account, tally: balance })
    balance.pending = minus(balance.pending, cost)
    for (const sum of places.charged) {
      if (sum.pending === 0) chargedSums.push(sum)
      sum.pending = plus(sum.pending, cost)
    }
  }

  const takeBack = (places: Places, cost: NanoUsd) => {
    const { balance, sums } = places
    balance.pending = plus(balance.pending, cost)
    for (const sum of places.charged) sum.pending = minus(sum.pending, cost)
    chargedBalances = chargedBalances.filter(({ tally }) => tally.pending !== 0)
    chargedSums = chargedSums.filter(({ pending }) => pending !== 0)
    if (sums.key.pending !== 0) return
    places.unwritten = false
    chargedPlaces = chargedPlaces.filter((each) => each !== places)
  }

  const current = (tally: Tally): Tally => {
    tallies.refresh(tally)
    return tally
  }

  return {
    check(caller, amount, opened) {
      const places = placesOf(caller, opened)
      check(caller, places, { amount, opened, firm: false })
      return fundsOf(places.balance)
    },
    hold(caller, { amount, possible, endsAtMoney, opened }) {
      const places = placesOf(caller, opened)
      take(caller, places, { amount, opened, firm: false })
      const wanted = minus(possible, amount)
      const room = wanted > 0 ? roomOf(caller, places, true) : 0
      const metered = wanted > room
      const reserved = metered ? nanoUsd(endsAtMoney ? 0 : Math.max(0, room)) : wanted
      if (reserved > 0) reserve(places, reserved)
      places.balance.holds++
      for (const sum of places.charged) sum.holds++
      holds++
      return { places, reserved, metered }
    },
    grow(caller, holding, { amount, opened }) {
      const { places } = holding
      const own = Math.min(amount, holding.reserved)
      reserve(places, -own)
      try {
        take(caller, places, { amount, opened, firm: own < amount })
        holding.reserved = minus(holding.reserved, own as NanoUsd)
      } catch (thrown) {
        reserve(places, own)
        throw thrown
      }
    },
    chargeable({ places, reserved }, held, cost) {
      refresh(places)
      // What others hold stays theirs; what they may come to beyond it, as far as this one has enough.
      const spare = held + Math.max(0, roomOf(places.caller, places, false))
      const firm = held + reserved + Math.max(0, roomOf(places.caller, places, true))
      return nanoUsd(Math.min(cost, spare, firm, Math.max(0, settled(places.balance))))
    },
    close({ places, reserved }, held, cost) {
      if (reserved > 0) reserve(places, -reserved)
      drop(places.balance, held)
      for (const sum of places.charged) drop(sum, held)
      heldInAll = minus(heldInAll, held)
      holds--
      if (cost !== 0) charge(places, cost)
    },
    takeBack,
    funds: (id) => fundsOf(current(tallies.of({ kind: 'balance', id, period: '' }))),
    caps(caller, now) {
      const places = placesOf(caller, now)
      refresh(places)
      return capsOf(caller, places.sums, settings)
    },
    spentByKey: (id) => settled(current(tallies.of({ kind: 'key', id, period: '' }))),
    spentByAccount: (id) => settled(current(tallies.of({ kind: 'account', id, period: '' }))),
    heldInAll: () => heldInAll,
    holds: () => holds,
    unwritten: () => chargedSums.map(({ scope, pending }) => ({ scope, amount: pending })),
    charged: () => chargedPlaces,
    written(balances) {
      for (const sum of chargedSums) {
        sum.committed = plus(sum.committed, sum.pending)
        sum.pending = zeroUsd
      }
      for (const { account, tally } of chargedBalances) {
        const balance = balances.get(account)
        if (balance === undefined) throw new Error(`account ${account} was not charged`)
        tally.committed = balance
        tally.reading = tallies.reading()
        tally.pending = zeroUsd
      }
      for (const places of chargedPlaces) places.unwritten = false
      chargedSums = []
      chargedBalances = []
      chargedPlaces = []
    },
    refunded(refunds) {
      for (const refund of refunds) {
        const { account, opened } = refund
        const sums = Object.values(scopesOf(refund, periodOf(opened)))
        tallies.reread([{ kind: 'balance', id: account, period: '' }, ...sums])
      }
    },
    expire: tallies.expire,
  }
}

function fundsOf(balance: Tally): Funds {
  const total = settled(balance)
  return { balance: total, held: balance.held, available: minus(total, balance.held) }
}

function drop(tally: Tally, held: NanoUsd): void {
  tally.held = minus(tally.held, held)
  tally.holds--
  if (tally.held < 0 || tally.holds < 0) throw new Error('held below zero')
}
