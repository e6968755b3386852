import type { AccountId } from '../domain/ids'
import type { NanoUsd } from '../domain/money'
import type { CallEnding, CallOpening, AccruedCost } from '../domain/record'
import { GatewayError } from '../errors/gateway-error'
import type { Book } from './book-contract'
import { openSpoolWriter, type EndingSpool, type SpoolWriter } from './ending-spool'
import { batchOf, newEntry, nothingToWrite, type Entry } from './journal-batch'
import type { Holding } from './places'
import type { Journal } from './journal-contract'
import type { JournalStore } from './store'
import type { StoreTurns } from './store-turns'
import { openSumRounds, type SumRounds } from './sum-rounds'
import { sumsIn, type ChargesInFlight } from './unwritten-charges'
import {
  WaitingCalls,
  type CommitOrder,
  type NextCommit,
  type WrittenRunning,
} from './waiting-calls'
import type { Dues } from './watch'

interface JournalParts {
  readonly store: JournalStore
  readonly book: Book
  readonly spool: EndingSpool | null
  readonly flushMs: number
  /** How long a call runs, at least, before it is written as pending; at most twice as long. */
  readonly pendingAfterMs: number
  readonly turns: StoreTurns
  /** What is to be told because of the charges that a commit writes. */
  due(charges: ChargesInFlight): Dues
  /** Told after each commit. */
  onWritten(balances: ReadonlyMap<AccountId, NanoUsd>): void
  /** Told when a commit failed; it is tried again. */
  onFault(fault: unknown): void
}

/** Calls that may wait for a commit; by then the database has not written for a long while. */
const maxWaiting = 100_000
const minBackoffMs = 50
const maxBackoffMs = 1000

const nothing = Promise.resolve()

export const openJournal = (parts: JournalParts): Journal => new GatheringJournal(parts)

class GatheringJournal implements Journal {
  readonly #calls = new WaitingCalls()
  /** The commit that comes next; null where nobody asked for one. */
  #next: NextCommit | null = null
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

  open(opening: CallOpening, held: NanoUsd, holding: Holding): Entry {
    const entry = newEntry(opening, held, holding)
    this.adopt(entry)
    return entry
  }

  adopt(entry: Entry): void {
    this.#calls.begin(entry)
    this.#look()
  }

  found(entry: Entry, isThere: boolean): void {
    this.#calls.found(entry, isThere)
  }

  unwritten(): readonly Entry[] {
    return this.#calls.open()
  }

  reopen(entry: Entry, opening: CallOpening): void {
    if (this.#calls.reopen(entry, opening)) this.#schedule()
  }

  owe(entry: Entry, owed: AccruedCost): void {
    this.#calls.owe(entry, owed)
    this.#schedule()
    if (this.#closed) return
    this.#spool.add({ opening: entry.opening, held: entry.held, owed })
    this.#writeSpool().catch(this.#parts.onFault)
  }

  end(entry: Entry, ending: CallEnding): void {
    this.#calls.end(entry, ending)
    this.#schedule()
    // Nothing is lost with what costs nothing, and what carries a row is committed before anybody is told.
    if (!this.#closed && ending.cost > 0 && entry.carried === null)
      this.#spool.add({ opening: entry.opening, held: entry.held, ending })
  }

  amend(entry: Entry, ending: CallEnding): boolean {
    if (!this.#calls.amend(entry, ending)) return false
    this.#spool.add({ opening: entry.opening, held: entry.held, ending })
    return true
  }

  spooled(): Promise<void> {
    if (this.#spool.empty()) return nothing
    // What ends in the same turn is added before a microtask runs.
    return (this.#spooling ??= nothing.then(this.#spoolTogether))
  }

  tell(): void {
    this.#telling = true
    this.#schedule()
  }

  flush(durable: boolean): Promise<void> {
    return this.#commit({ running: 'all', durable })
  }

  queueLength(): number {
    return this.#calls.ended()
  }

  ready(): boolean {
    const running = this.#calls.running()
    const kept = !this.#closed && !this.#stuck && running + this.queueLength() < maxWaiting
    return kept && this.#hasRoom(running + 1)
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    if (this.#looking !== null) clearTimeout(this.#looking)
    this.#sums.close()
    this.#timer = null
    this.#looking = null
    let committed = false
    try {
      await this.#commit({ running: 'all', durable: true })
      committed = true
    } finally {
      this.#parts.spool?.close(committed)
    }
  }

  /** Asks for a commit of what there is by then. */
  #commit({ running, durable, isAttempt = false }: CommitOrder): Promise<void> {
    const next = this.#next
    if (next !== null) {
      if (durable) next.durable = true
      if (isAttempt) next.isAttempt = true
      if (next.running !== 'all' && running !== 'none') next.running = running
      return next.over
    }
    const asked: CommitOrder = { running, durable, isAttempt }
    const over = this.#parts.turns.alone(() => {
      this.#next = null
      return this.#write(asked)
    })
    this.#next = Object.assign(asked, { over })
    return over
  }

  async #write({ running, durable }: CommitOrder): Promise<void> {
    const { store, book, due, onWritten } = this.#parts
    const writing = this.#calls.take(running)
    if (writing === null && !durable && !this.#telling) return
    const wasReporting = this.#telling
    this.#telling = false
    this.#spool.begin()
    const charges = book.begin()
    let balances: ReadonlyMap<AccountId, NanoUsd>
    try {
      const batch = batchOf(writing ?? nothingToWrite, sumsIn(charges), due(charges))
      balances = await store.commit(batch, durable)
    } catch (fault) {
      book.failed(charges)
      this.#telling ||= wasReporting
      if (writing !== null) this.#calls.putBack(writing)
      throw fault
    }
    book.written(charges, balances)
    onWritten(balances)
    this.#spool.committed()
    this.#stuck = false
    if (writing === null) return
    this.#calls.written(writing)
    if (writing.ended.length > 0) this.#sums.begin()
  }

  async #attempt(running: WrittenRunning): Promise<void> {
    const { flushMs, spool, onFault } = this.#parts
    const isJoining = this.#next?.isAttempt === true
    const over = this.#commit({ running, durable: this.#closed, isAttempt: true })
    // What comes of it is seen to once.
    if (isJoining) return await over.catch(() => {})
    try {
      await over
      this.#waitMs = flushMs
    } catch (fault) {
      this.#waitMs = Math.min(Math.max(this.#waitMs * 2, minBackoffMs), maxBackoffMs)
      // What room the spool has is for calls that run already.
      this.#stuck = spool?.extend() === false
      if (!this.#closed) this.#schedule()
      onFault(fault)
    }
  }

  // A closure made in a method that every call runs would cost a scope at each; these are made once.
  #schedule(): void {
    if (this.#closed) void this.#attempt('none')
    else this.#timer ??= setTimeout(this.#commitDue, this.#waitMs)
  }

  readonly #commitDue = (): void => {
    this.#timer = null
    void this.#attempt('none')
  }

  #look(): void {
    this.#looking ??= setTimeout(this.#writePending, this.#parts.pendingAfterMs)
  }

  /** Writes as pending what runs for so long that it was here at the last look. */
  readonly #writePending = (): void => {
    this.#looking = null
    void this.#attempt('old').finally(this.#ageRunning)
  }

  readonly #ageRunning = (): void => {
    if (this.#calls.age() && !this.#closed) this.#look()
  }

  #hasRoom(calls: number): boolean {
    const room = this.#spool.roomFor(calls)
    if (!room && !this.#cramped)
      this.#parts.onFault(new Error('the disk has no room for the spool'))
    this.#cramped = !room
    return room
  }

  readonly #spoolTogether = (): Promise<void> => {
    this.#spooling = null
    return this.#writeSpool()
  }

  /** At once, where the disk takes it; else everything is committed instead. */
  async #writeSpool(): Promise<void> {
    if (this.#spool.empty()) return
    try {
      this.#spool.write()
    } catch (fault) {
      this.#parts.onFault(fault)
      await this.#commitInstead()
    }
  }

  async #commitInstead(): Promise<void> {
    try {
      await this.#commit({ running: 'none', durable: false })
    } catch (cause) {
      this.#stuck = true
      if (!this.#closed) this.#schedule()
      throw new GatewayError('gateway_error', {}, { cause })
    }
  }
}
