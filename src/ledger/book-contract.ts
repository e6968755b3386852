import type { Caller } from '../domain/caller'
import type { Ms } from '../domain/clock'
import type { AccountId } from '../domain/ids'
import type { NanoUsd } from '../domain/money'
import type { Refund } from '../domain/video-job'
import type { RequestedToHold, CallerCaps, CapQuestion } from './caps'
import type { HandedMoney } from './handover'
import type { Funds, Room } from './ledger'
import type { Holding, Places } from './places'
import type { Scope } from './store'
import type { ChargesInFlight } from './unwritten-charges'

/** Balances and sums in memory: every decision about money is made here. */
export interface Book {
  /** Everything that `hold` checks, and nothing held. @throws what `Ledger.hold` throws */
  check(caller: Caller, amount: NanoUsd, opened: Ms): Promise<Funds>
  /** Decides in memory. @returns null where sums have to be read first @throws what `Ledger.hold` throws */
  holdNow(caller: Caller, asked: RequestedToHold): Holding | null
  /**
   * Same, where the caller's sums are read once.
   * @param decides whether this book still does, once they are
   * @returns null where it does not
   */
  hold(caller: Caller, asked: RequestedToHold, decides: () => boolean): Promise<Holding | null>
  /** Reads the sums of a caller, as far as they are not in memory. */
  read(caller: Caller, opened: Ms): Promise<unknown>
  /** Holds what a call of another process holds, whatever there is. */
  adopt(caller: Caller, money: HandedMoney, opened: Ms): Holding
  /**
   * By what is in memory: sums that another process may have changed are read for the next look.
   * @throws what `Ledger.hold` throws; what was held stays held
   */
  grow(caller: Caller, holding: Holding, asked: Omit<CapQuestion, 'firm'>): void
  /** Gives back a part of what is held; below zero sets more aside, whatever there is. */
  lower(holding: Holding, by: NanoUsd): void
  /** As of `Hold`. @param held for the call itself */
  chargeable(holding: Holding, held: NanoUsd, cost: NanoUsd): NanoUsd
  /** Ends a hold of `held` and charges `cost`, whatever the balance. */
  close(holding: Holding, held: NanoUsd, cost: NanoUsd): void
  /** Takes back a charge that no commit has written. */
  takeBack(places: Places, cost: NanoUsd): void
  /** As of `Ledger`. */
  room(caller: Caller, opened: Ms): Promise<Room>
  funds(account: AccountId): Promise<Funds>
  caps(caller: Caller, now: Ms): Promise<CallerCaps>
  /** What was charged in a scope, holds not counted. */
  spent(scope: Scope): Promise<NanoUsd>
  heldInAll(): NanoUsd
  /** Number of open holds, those of zero included. */
  holds(): number
  /** A commit begins that writes what was charged so far; none is under way. */
  begin(): ChargesInFlight
  /** Those are committed now. @param balances committed balances of the charged accounts */
  written(charges: ChargesInFlight, balances: ReadonlyMap<AccountId, NanoUsd>): void
  /** The commit of those failed: the next one writes them. */
  failed(charges: ChargesInFlight): void
  /** Charges went back in the database: what they were counted in is read anew. */
  refunded(refunds: readonly Refund[]): Promise<void>
  /** Another process may have moved money: read balances and sums anew when they are next needed. */
  expire(): void
}
