import type { NanoUsd } from '../domain/money'
import type { CallEnding, CallOpening, AccruedCost } from '../domain/record'
import type { Entry } from './journal-batch'
import type { Holding } from './places'

/** Records and charges of many calls, in one commit every few milliseconds. */
export interface Journal {
  open(opening: CallOpening, held: NanoUsd, holding: Holding): Entry
  /** Goes on with a call of another process. */
  adopt(entry: Entry): void
  /** Whether the pending row of a call is in the database: another process may have written it, or not. */
  found(entry: Entry, isThere: boolean): void
  /** Calls that run, and those that have ended and that no commit has written. */
  unwritten(): readonly Entry[]
  /** Another opening of the same call, by which another model answers it. */
  reopen(entry: Entry, opening: CallOpening): void
  /** What a call owes that goes on: it is written as pending with it. */
  owe(entry: Entry, owed: AccruedCost): void
  /** The charge itself is the book's; this writes it down. */
  end(entry: Entry, ending: CallEnding): void
  /** Another ending in place of one that is not written. @returns false when it is */
  amend(entry: Entry, ending: CallEnding): boolean
  /** What ended or owes so far survives this process from then on. @throws what `Ledger.spooled` throws */
  spooled(): Promise<void>
  /** The watch has something that no call brought: the next commit asks it, soon. */
  tell(): void
  /**
   * One commit is under way at a time; what is asked for meanwhile is one more, of everybody.
   * @throws what the database throws; nothing is lost, the next flush writes it
   */
  flush(durable: boolean): Promise<void>
  /** Number of ended calls that wait for a commit. */
  queueLength(): number
  /**
   * False when what ends could not be kept: too much waits for a database that does not write, the
   * disk gives the spool no room either, or it is closed.
   */
  ready(): boolean
  /** Writes what waits, durably; what ends later is written as it comes. */
  close(): Promise<void>
}
