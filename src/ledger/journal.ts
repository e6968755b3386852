import type { NanoUsd } from '../domain/money'
import type { CallEnding, CallOpening, Owed } from '../domain/record'
import { GatewayError } from '../errors/gateway-error'
import type { Book } from './book'
import { openSpoolWriter, type EndingSpool, type SpoolWriter } from './ending-spool'
import { batchOf, withOwing, type Entry } from './journal-batch'
import type { Batch, LedgerStore } from './store'
import { openSumRounds, type SumRounds } from './sum-rounds'

/** Records and charges of many calls, in one commit every few milliseconds. */
export interface Journal {
  open(opening: CallOpening, held: NanoUsd): Entry
  /** Another opening of the same call, by which another model answers it. */
  reopen(entry: Entry, opening: CallOpening): void
  /** What a call owes that goes on: it is written as pending with it. */
  owe(entry: Entry, owed: Owed): void
  /** The charge itself is the book's; this writes it down. */
  end(entry: Entry, ending: CallEnding): void
  /** Another ending in place of one that is not written. @returns false when it is */
  amend(entry: Entry, ending: CallEnding): boolean
  /** What ended or owes so far survives this process from now on. @throws what `Ledger.spool` throws */
  spool(): void
  /** Same, in one write for all that end before it. */
  spooled(): void | Promise<void>
  /** `due` has something that no call brought: the next commit asks it, soon. */
  tell(): void
  /** @throws what the database throws; nothing is lost, the next flush writes it */
  flush(durable: boolean): void
  /** Number of ended calls that wait for a commit. */
  queueLength(): number
  /**
   * False when what ends could not be kept: too much waits for a database that does not write, the
   * disk gives the spool no room either, or it is closed.
   */
  ready(): boolean
  /** Writes what waits, durably; what ends later is written as it comes. */
  close(): void
}

export interface JournalParts {
  readonly store: LedgerStore
  readonly book: Book
  readonly spool: EndingSpool | null
  readonly flushMs: number
  /** How long a call runs, at least, before it is written as pending; at most twice as long. */
  readonly pendingAfterMs: number
  /** What is to be told because of the charges that a commit writes. */
  readonly due?: NonNullable<Batch['due']>
  /** Told after each commit. */
  onWritten?(): void
  /** Told when a commit failed; it is tried again. */
  onFault(fault: unknown): void
}

/** Calls that may wait for a commit; by then the database has not written for a long while. */
const mostWaiting = 100_000
const shortestBackoffMs = 50
const longestBackoffMs = 1000
export const openJournal = (parts: JournalParts): Journal => new GatheringJournal(parts)

class GatheringJournal implements Journal {
  // Still running and not yet in the database, in two generations: a call that ends before its
  // second look leaves here, and is written once, as ended.
  #young = new Set<Entry>()
  readonly #old = new Set<Entry>()
  /** What they owe is not in the database. */
  readonly #owing = new Set<Entry>()
  /** Their pending rows name another model than answers. */
  readonly #reopened = new Set<Entry>()
  #ended: Entry[] = []
  #timer: ReturnType<typeof setTimeout> | null = null
  #looking: ReturnType<typeof setTimeout> | null = null
  #telling = false
  #waitMs: number
  #closed = false
  #spooling: Promise<void> | null = null
  /** The database does not write, and the disk gives the spool nothing more. */
  #stuck = false
  /** So was told. */
  #cramped = false
  readonly #spool: SpoolWriter
  readonly #sums: SumRounds
  readonly #parts: JournalParts

  constructor(parts: JournalParts) {
    this.#parts = parts
    this.#waitMs = parts.flushMs
    this.#spool = openSpoolWriter(parts.spool)
    this.#sums = openSumRounds(parts.store, parts.onFault)
  }

  open(opening: CallOpening, held: NanoUsd): Entry {
    const entry: Entry = { opening, held, owed: null, ending: null, video: null, written: false }
    this.#young.add(entry)
    this.#look()
    return entry
  }

  reopen(entry: Entry, opening: CallOpening): void {
    entry.opening = opening
    if (!entry.written) return
    this.#reopened.add(entry)
    if (this.#closed) return this.#write([], true)
    this.#schedule()
  }

  owe(entry: Entry, owed: Owed): void {
    entry.owed = owed
    this.#owing.add(entry)
    if (this.#closed) return this.#write([], true)
    this.#schedule()
    this.#spool.add({ opening: entry.opening, held: entry.held, owed })
    try {
      this.spool()
    } catch (fault) {
      this.#parts.onFault(fault)
    }
  }

  end(entry: Entry, ending: CallEnding): void {
    entry.ending = ending
    this.#owing.delete(entry)
    if (!this.#young.delete(entry)) this.#old.delete(entry)
    this.#ended.push(entry)
    if (this.#closed) return this.#write([], true)
    this.#schedule()
    // Nothing is lost with what costs nothing, and a video is committed before anybody is told.
    if (ending.cost > 0 && entry.video === null)
      this.#spool.add({ opening: entry.opening, held: entry.held, ending })
  }

  amend(entry: Entry, ending: CallEnding): boolean {
    if (!this.#ended.includes(entry)) return false
    entry.ending = ending
    this.#spool.add({ opening: entry.opening, held: entry.held, ending })
    return true
  }

  spool(): void {
    if (this.#spool.empty()) return
    try {
      this.#spool.write()
    } catch (fault) {
      this.#parts.onFault(fault)
      this.#commitInstead()
    }
  }

  spooled(): void | Promise<void> {
    if (this.#spool.empty()) return
    // What ends in the same turn is added before a microtask runs.
    return (this.#spooling ??= Promise.resolve().then(this.#spoolTogether))
  }

  tell(): void {
    this.#telling = true
    if (!this.#closed) this.#schedule()
  }

  flush(durable: boolean): void {
    this.#write([...this.#old, ...this.#young], durable)
  }

  queueLength(): number {
    return this.#ended.length
  }

  ready(): boolean {
    const running = this.#young.size + this.#old.size
    const kept = !this.#closed && !this.#stuck && running + this.#ended.length < mostWaiting
    return kept && this.#hasRoom(running + 1)
  }

  close(): void {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#looking !== null) clearTimeout(this.#looking)
    this.#sums.close()
    this.#timer = null
    this.#looking = null
    let committed = false
    try {
      this.#write([...this.#old, ...this.#young], true)
      committed = true
    } finally {
      this.#parts.spool?.close(committed)
    }
  }

  /** @param due written as pending, and with them those that owe something */
  #write(due: readonly Entry[], durable: boolean): void {
    const owing = this.#owing
    const reopened = this.#reopened
    const unchanged = owing.size === 0 && reopened.size === 0
    const nothing = due.length === 0 && this.#ended.length === 0 && unchanged
    if (!durable && !this.#telling && nothing) return
    const { store, book, onWritten } = this.#parts
    const opened = owing.size === 0 ? due : withOwing(due, owing)
    const batch = batchOf({ opened, reopened, owing, ended: this.#ended }, this.#parts)
    book.written(store.commit(batch, durable))
    this.#telling = false
    onWritten?.()
    this.#spool.clear()
    this.#stuck = false
    owing.clear()
    reopened.clear()
    for (const entry of opened) {
      entry.written = true
      if (!this.#old.delete(entry)) this.#young.delete(entry)
    }
    if (this.#ended.length > 0) this.#sums.begin()
    this.#ended = []
  }

  #attempt(opened: readonly Entry[]): void {
    const { flushMs, spool, onFault } = this.#parts
    try {
      this.#write(opened, false)
      this.#waitMs = flushMs
    } catch (fault) {
      this.#waitMs = Math.min(Math.max(this.#waitMs * 2, shortestBackoffMs), longestBackoffMs)
      // What room the spool has is for calls that run already.
      this.#stuck = spool?.extend() === false
      this.#schedule()
      onFault(fault)
    }
  }

  // A closure made in a method that every call runs would cost a scope at each; these are made once.
  #schedule(): void {
    this.#timer ??= setTimeout(this.#commitDue, this.#waitMs)
  }

  readonly #commitDue = (): void => {
    this.#timer = null
    this.#attempt([])
  }

  #look(): void {
    this.#looking ??= setTimeout(this.#writePending, this.#parts.pendingAfterMs)
  }

  /** Writes as pending what runs for so long that it was here at the last look. */
  readonly #writePending = (): void => {
    this.#looking = null
    this.#attempt(Array.from(this.#old))
    for (const entry of this.#young) this.#old.add(entry)
    this.#young = new Set()
    if (this.#old.size > 0) this.#look()
  }

  #hasRoom(calls: number): boolean {
    const room = this.#spool.roomFor(calls)
    if (!room && !this.#cramped)
      this.#parts.onFault(new Error('the disk has no room for the spool'))
    this.#cramped = !room
    return room
  }

  readonly #spoolTogether = (): void => {
    this.#spooling = null
    this.spool()
  }

  #commitInstead(): void {
    try {
      this.#write([], false)
    } catch (cause) {
      this.#stuck = true
      this.#schedule()
      throw new GatewayError('gateway_error', {}, { cause })
    }
  }
}
