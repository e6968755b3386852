import type { CallEnding, CallOpening, AccruedCost } from '../domain/record'
import { withOwing, type Entry, type CommitParts } from './journal-batch'

/** Which of the calls that go on a commit writes as pending: those that run for a while, or all. */
export type WrittenRunning = 'none' | 'old' | 'all'

/** A commit that somebody asks for. */
export interface CommitOrder {
  /** Which of the calls that go on are written as pending. */
  running: WrittenRunning
  durable: boolean
  /** By a timer, which tries again. */
  isAttempt?: boolean
}

export interface NextCommit extends CommitOrder {
  readonly over: Promise<void>
}

/** Calls that run or have ended, as far as no commit has written what is to be written of them. */
export class WaitingCalls {
  // Still running and not yet in the database, in two generations: a call that ends before its
  // second look leaves here, and is written once, as ended.
  #young = new Set<Entry>()
  readonly #old = new Set<Entry>()
  /** Still running, and written as pending. */
  readonly #pending = new Set<Entry>()
  /** What they owe is not in the database. */
  #owing = new Set<Entry>()
  /** Their pending rows name another model than answers. */
  #reopened = new Set<Entry>()
  #ended: Entry[] = []
  /** Calls that ended and that the commit under way writes. */
  #inFlight: readonly Entry[] = []

  begin(entry: Entry): void {
    if (entry.written) this.#pending.add(entry)
    else this.#young.add(entry)
  }

  /** Whether its pending row is in the database: another process may have written it, or not. */
  found(entry: Entry, isThere: boolean): void {
    entry.written = isThere
    const isRunning =
      this.#old.delete(entry) || this.#young.delete(entry) || this.#pending.delete(entry)
    if (isRunning) (isThere ? this.#pending : this.#young).add(entry)
  }

  /** Entries of calls that run, and of ended calls that no commit has written. */
  open(): readonly Entry[] {
    return [...this.#pending, ...this.#old, ...this.#young, ...this.#inFlight, ...this.#ended]
  }

  /** @returns whether there is something to be written of it */
  reopen(entry: Entry, opening: CallOpening): boolean {
    entry.opening = opening
    if (!entry.written && !entry.isBeingWritten) return false
    this.#reopened.add(entry)
    return true
  }

  owe(entry: Entry, owed: AccruedCost): void {
    entry.owed = owed
    this.#owing.add(entry)
  }

  end(entry: Entry, ending: CallEnding): void {
    entry.ending = ending
    this.#owing.delete(entry)
    if (!this.#young.delete(entry) && !this.#old.delete(entry)) this.#pending.delete(entry)
    this.#ended.push(entry)
  }

  /** @returns false for one that is written, or is being written */
  amend(entry: Entry, ending: CallEnding): boolean {
    if (!this.#ended.includes(entry)) return false
    entry.ending = ending
    return true
  }

  /** Number of calls that run and are not in the database. */
  running(): number {
    return this.#young.size + this.#old.size
  }

  /** Number of calls that have ended and are not known to be in the database. */
  ended(): number {
    return this.#ended.length + this.#inFlight.length
  }

  /** Takes what a commit writes; what comes while it is under way is the next one's. Null for nothing. */
  take(running: WrittenRunning): CommitParts | null {
    const owing = this.#owing
    const reopened = this.#reopened
    const ended = this.#ended
    const due = this.#runningOf(running)
    if (due.length + ended.length + owing.size + reopened.size === 0) return null
    if (owing.size > 0) this.#owing = new Set()
    if (reopened.size > 0) this.#reopened = new Set()
    this.#ended = []
    this.#inFlight = ended
    const opened = owing.size === 0 ? due : withOwing(due, owing)
    for (const entry of opened) entry.isBeingWritten = true
    return { opened, reopened, owing, ended }
  }

  /** That commit is over. */
  written({ opened }: CommitParts): void {
    this.#inFlight = []
    for (const entry of opened) {
      entry.written = true
      entry.isBeingWritten = false
      if (this.#old.delete(entry) || this.#young.delete(entry)) this.#pending.add(entry)
    }
  }

  /** That commit failed: the next one writes it. */
  putBack({ opened, reopened, owing, ended }: CommitParts): void {
    for (const entry of opened) entry.isBeingWritten = false
    for (const entry of owing) if (entry.ending === null) this.#owing.add(entry)
    for (const entry of reopened) this.#reopened.add(entry)
    this.#ended = [...ended, ...this.#ended]
    this.#inFlight = []
  }

  /** What runs now is old at the next look. @returns whether there is any */
  age(): boolean {
    for (const entry of this.#young) this.#old.add(entry)
    this.#young = new Set()
    return this.#old.size > 0
  }

  #runningOf(running: WrittenRunning): readonly Entry[] {
    if (running === 'none') return []
    return running === 'old' ? Array.from(this.#old) : [...this.#old, ...this.#young]
  }
}
