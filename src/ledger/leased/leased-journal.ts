import type { NanoUsd } from '../../domain/money'
import type { CallEnding, CallOpening, AccruedCost } from '../../domain/record'
import { GatewayError } from '../../errors/gateway-error'
import { ExchangedCallQueue, type LeasedEntry } from './exchanged-calls'
import { requestUntilAnswered, ExchangeRejected, type LeaseAnswer } from './exchange'
import type { Slice } from './slice'
import type { Flight, Flushed, LeasedJournalParts, SpooledCall } from './journal-parts'
import { chargeOf, RejectedCalls } from './rejected-calls'
import { SpoolPair } from './spool-pair'

/** More would make what is taken wait behind a huge commit. */
const maxCallsAtOnce = 400
/** Exchanges in which a process that closes gives everything back. */
const maxLastTurns = 1000
const maxWaiting = 100_000
/** How often those that wait ask again: soon where a question is due, else as others give back. */
const requestAgainMs = 1
const waitAgainMs = 5
/** An exchange that is rejected without calls can only be tried again. */
const rejectedAgainMs = 1000

/** Calls and slices of many in one exchange at a time; what comes meanwhile gathers for the next. */
export class LeasedJournal {
  readonly #calls = new ExchangedCallQueue()
  #flight: Flight | null = null
  #flushes: Flushed[] = []
  #durable = false
  #isDue = false
  #isUrged = false
  #timer: ReturnType<typeof setTimeout> | null = null
  #looking: ReturnType<typeof setTimeout> | null = null
  #polling: ReturnType<typeof setTimeout> | null = null
  #beating: ReturnType<typeof setInterval> | null = null
  #closed = false
  readonly #rejected: RejectedCalls
  readonly #spools: SpoolPair
  readonly #parts: LeasedJournalParts

  constructor(parts: LeasedJournalParts) {
    this.#parts = parts
    const commit = () => this.flush(false)
    this.#spools = new SpoolPair(parts.spools, commit, parts.onFault)
    this.#rejected = new RejectedCalls({ ...parts, spools: this.#spools })
    if (parts.beatMs !== null) this.#beating = setInterval(this.#beat, parts.beatMs)
  }

  open(opening: CallOpening, held: NanoUsd, slices: readonly Slice[]): LeasedEntry {
    const entry: LeasedEntry = {
      opening,
      held,
      slices,
      holding: null,
      owed: null,
      ending: null,
      carried: null,
      written: false,
      spooled: null,
      endedIn: 0,
      isBeingWritten: false,
    }
    this.#calls.begin(entry)
    this.#looking ??= setTimeout(this.#writePending, this.#parts.pendingAfterMs)
    return entry
  }

  /** Another opening of the same call, by which another model answers it. */
  reopen(entry: LeasedEntry, opening: CallOpening): void {
    entry.opening = opening
    if (this.#calls.reopen(entry)) this.#schedule()
  }

  owe(entry: LeasedEntry, owed: AccruedCost): void {
    entry.owed = owed
    this.#calls.note(entry)
    this.#schedule()
    this.#spools.add({ opening: entry.opening, held: entry.held, owed }, (entry.spooled ??= [0, 0]))
    try {
      this.#spools.write()
    } catch {
      // It was told, and is tried again.
    }
  }

  end(entry: LeasedEntry, ending: CallEnding): void {
    this.#calls.end(entry, ending)
    this.#schedule()
    // Nothing is lost with what costs nothing, and what carries a row is committed before anybody is told.
    if (ending.cost > 0 && entry.carried === null && this.#parts.spools !== null)
      this.#spoolEnding(entry, ending)
  }

  /** Another ending in place of one that is not written. @returns false when it is, or may be */
  amend(entry: LeasedEntry, ending: CallEnding): boolean {
    if (!this.#calls.amend(entry, ending)) return false
    this.#spools.add(
      { opening: entry.opening, held: entry.held, ending },
      (entry.spooled ??= [0, 0]),
      entry.endedIn,
    )
    return true
  }

  /** As of `Ledger`. */
  spooled(): Promise<void> {
    return this.#spools.writeTogether()
  }

  /** Writes what was begun and ended so far. @throws what the engine throws; it is tried again all the same */
  async flush(durable: boolean): Promise<void> {
    if (this.#calls.isEmpty() && !durable && this.#flight === null) return
    await new Promise<void>((resolve, reject) => {
      this.#flushes.push({ resolve, reject })
      this.#durable ||= durable
      this.#isDue = true
      this.#calls.noteAll()
      this.#send()
    })
  }

  /** Slices have something to say that cannot wait for calls. */
  urge(): void {
    if (this.#isUrged) return
    this.#isUrged = true
    // What else is wanted in the same turn goes with it.
    queueMicrotask(this.#sendUrged)
  }

  queueLength(): number {
    return this.#calls.endedCount()
  }

  ready(now: number): boolean {
    const running = this.#calls.runningCount()
    const isBounded = running + this.#calls.endedCount() < maxWaiting
    const isKept = !this.#closed && isBounded && this.#parts.slices.isTrusted(now)
    return isKept && this.#spools.roomFor(running + 1)
  }

  /** Writes what waits, durably, and gives everything back; what ends later is written as it comes. */
  async close(): Promise<void> {
    this.#closed = true
    const { slices } = this.#parts
    try {
      if (!slices.fenced) await this.flush(true)
      slices.close()
      for (let turn = 0; turn < maxLastTurns && !slices.fenced && slices.isStirred(); turn++)
        await this.flush(true)
    } finally {
      for (const timer of [this.#timer, this.#looking, this.#polling])
        if (timer !== null) clearTimeout(timer)
      if (this.#beating !== null) clearInterval(this.#beating)
      this.#spools.close()
    }
  }

  #spoolEnding(entry: LeasedEntry, ending: CallEnding): void {
    const record = { opening: entry.opening, held: entry.held, ending }
    entry.endedIn = this.#spools.add(record, (entry.spooled ??= [0, 0]))
  }

  #schedule(): void {
    if (this.#closed) {
      this.#isDue = true
      return this.urge()
    }
    this.#timer ??= setTimeout(this.#due, this.#parts.flushMs)
  }

  readonly #due = (): void => {
    this.#timer = null
    this.#isDue = true
    this.#send()
  }

  readonly #beat = (): void => {
    const { slices, now } = this.#parts
    slices.tick(now())
    slices.sweep(now())
    this.#send(true)
  }

  readonly #sendUrged = (): void => {
    this.#isUrged = false
    this.#send()
    this.#poll()
  }

  /** Looks after waiting calls until none is left. */
  #poll(): void {
    const { slices } = this.#parts
    if (!slices.isWaiting()) return
    this.#polling ??= setTimeout(this.#pollAgain, slices.isAsking() ? requestAgainMs : waitAgainMs)
  }

  readonly #pollAgain = (): void => {
    this.#polling = null
    const { slices, now } = this.#parts
    slices.tick(now())
    if (!slices.isInFlight()) slices.askAgain()
    this.#send()
    this.#poll()
  }

  /** Writes as pending what runs for so long that it was here at the last look. */
  readonly #writePending = (): void => {
    this.#looking = null
    const { notes, goesOn } = this.#calls.look()
    if (notes) this.#schedule()
    if (goesOn && !this.#closed)
      this.#looking = setTimeout(this.#writePending, this.#parts.pendingAfterMs)
  }

  #send(beats = false): void {
    const { slices, now } = this.#parts
    if (this.#flight !== null || slices.fenced) return
    const gathered = this.#isDue ? this.#calls.gather(maxCallsAtOnce) : null
    const durable = this.#durable && this.#isDue
    const isIdle = gathered === null && !durable && !beats && !slices.isStirred()
    if (isIdle && this.#flushes.length === 0) return
    const spooled: SpooledCall[] = []
    for (const entry of [...(gathered?.ended ?? []), ...(gathered?.noted ?? [])]) {
      if (entry.spooled !== null) spooled.push([entry, entry.spooled])
      entry.spooled = null
      if (entry.ending !== null && entry.ending.cost > 0)
        slices.charge(entry.slices, entry.ending.cost)
    }
    // Whoever looks elsewhere sees what calls hold that go on.
    for (const entry of gathered?.noted ?? [])
      for (const slice of entry.slices) if (slice.limit !== null) slices.stir(slice)
    const isLast = gathered === null || !gathered.isMore
    this.#isDue = !isLast
    this.#durable &&= !isLast
    const told = isLast ? this.#flushes.splice(0) : []
    this.#spools.turn()
    const exchange = { ...slices.next(now()), calls: gathered?.calls ?? null, durable }
    this.#flight = { exchange, gathered, spooled, told }
    void this.#exchange(this.#flight)
  }

  async #exchange(flight: Flight): Promise<void> {
    const { engine, onFault } = this.#parts
    const failed = (fault: unknown) => {
      for (const { reject } of flight.told.splice(0)) reject(fault)
      onFault(fault)
    }
    try {
      this.#got(flight, await requestUntilAnswered(engine, flight.exchange, failed))
    } catch (rejected) {
      if (!(rejected instanceof ExchangeRejected)) throw rejected
      onFault(rejected)
      await this.#isolate(flight, rejected)
    }
  }

  /**
   * Sends a rejected exchange again without its calls, and then each of them alone: one that cannot be kept must not
   * hold up the others.
   */
  async #isolate({ exchange, gathered, spooled, told }: Flight, rejected: Error): Promise<void> {
    if (gathered === null) await Bun.sleep(rejectedAgainMs)
    const { ended = [], noted = [], reopened = [] } = gathered ?? {}
    const lines = this.#parts.slices.withdraw(exchange.lines, ended.map(chargeOf))
    for (const [entry, counts] of spooled) entry.spooled = counts
    this.#flushes.unshift(...told)
    const calls = new Set([...ended, ...noted, ...reopened])
    const [first] = calls
    const isKept = first !== undefined && (calls.size > 1 || this.#strip(first, rejected))
    if (isKept) this.#calls.suspect({ ended, noted, reopened })
    this.#isDue ||= this.#flushes.length > 0 || !this.#calls.isEmpty()
    this.#durable ||= exchange.durable
    const again = { ...exchange, lines, calls: null, durable: false }
    this.#flight = { exchange: again, gathered: null, spooled: [], told: [] }
    await this.#exchange(this.#flight)
  }

  /** @returns whether anything is left to write of it */
  #strip(entry: LeasedEntry, rejected: Error): boolean {
    // Reported once: without it everything is written.
    if (!this.#rejected.isStripped(entry))
      for (const { reject } of this.#flushes.splice(0)) reject(rejected)
    return this.#rejected.strip(entry, rejected.cause)
  }

  #got(flight: Flight, answer: LeaseAnswer): void {
    const { slices, now, onFenced } = this.#parts
    this.#flight = null
    slices.reply(answer, now())
    if (slices.fenced) {
      const fault = new GatewayError('gateway_error', {})
      for (const { reject } of [...flight.told, ...this.#flushes.splice(0)]) reject(fault)
      return onFenced?.()
    }
    if (flight.gathered !== null) this.#calls.kept(flight.gathered)
    for (const [, counts] of flight.spooled) this.#spools.kept(counts)
    for (const { resolve } of flight.told) resolve()
    this.#poll()
    if (slices.isStirred() || this.#isDue || this.#flushes.length > 0) this.#send()
  }
}
