import { costsOf, dueSlices, type SliceCharge } from './due-slices'
import type { SentLine } from './slice-reclaim'
import type { LeaseAnswer, LeasedScope, LeaseExchange, Line } from './exchange'
import type { NodeId } from '../../domain/ids'
import type { SliceRules } from './slice-rules'
import { SliceShelves } from './slices'
import { ReportedHolds } from './reported-holds'
import { WaitingLines, type NodeState } from './wait-queue'
import type { Asked, HoldResult, Slice } from './slice'

export { usualRules, type SliceRules } from './slice-rules'

/** The fence falls before the engine's clock says so, however clocks differ. */
const trustShare = 0.9

/** What of an exchange is about scopes. */
type Told = Pick<LeaseExchange, 'node' | 'no' | 'lines'>

const unavailable: HoldResult = { how: 'unavailable' }

interface Flight {
  readonly no: number
  readonly sentAt: number
  readonly reading: number
  readonly slices: readonly Slice[]
  readonly said: readonly SentLine[]
}

/**
 * Everything that one process may hold. It decides in memory; what it lacks, its next exchange asks for,
 * one at a time. Pure: clock and exchanges are handed in.
 */
export class NodeSlices implements NodeState {
  fenced = false
  reading = 0
  replied = 0
  readonly shelves = new SliceShelves()
  readonly node: NodeId
  readonly #rules: SliceRules
  readonly #lines = new WaitingLines(this)
  readonly #stirred = new Set<Slice>()
  /** What they charge goes with the next exchange, and none is sent for it. */
  readonly #along = new Set<Slice>()
  readonly #toldHolds = new ReportedHolds()
  #trustedUntil = Number.NEGATIVE_INFINITY
  #flight: Flight | null = null
  #no = 0
  #isClosing = false

  constructor(node: NodeId, rules: SliceRules) {
    this.node = node
    this.#rules = rules
  }

  get looks(): number {
    return this.#rules.looks
  }

  get patienceMs(): number {
    return this.#rules.patienceMs
  }

  of(scope: LeasedScope): Slice {
    return this.shelves.of(scope)
  }

  /** The engine knows the node since then. */
  begin(now: number): void {
    this.#trustedUntil = now + trustShare * this.#rules.ttlMs
  }

  isTrusted(now: number): boolean {
    return !this.fenced && now < this.#trustedUntil
  }

  /** Decides in memory; null where exchanges must bring what lacks: see `wait`. */
  hold(asked: Asked, now: number): HoldResult | null {
    if (!this.isTrusted(now)) return unavailable
    return this.#lines.lackOf(asked, now) === null ? this.#lines.grant(asked, now) : null
  }

  /** @param done told when exchanges brought what lacks, or could not */
  wait(asked: Asked, now: number, done: (granting: HoldResult) => void): void {
    const deadline = now + this.#rules.waitMs
    const waiting = { deadline, until: deadline, sentIn: 0, isShort: false }
    this.#lines.enqueue({ ...asked, ...waiting, done }, now)
  }

  /**
   * More for a call that runs, from what is here.
   * @param own of it, was reserved for the call
   * @returns the slice that lacks it; null where all have it
   */
  grow(slices: readonly Slice[], by: number, own: number, now: number): Slice | null {
    for (const slice of slices) slice.reserved -= own
    for (const slice of slices) {
      if (slice.limit === null || this.#isNewCap(slice)) continue
      if ((own < by ? slice.sure() : slice.free()) >= by) continue
      for (const each of slices) each.reserved += own
      slice.refill = true
      this.stir(slice)
      return slice
    }
    for (const slice of slices) {
      slice.take(by, now)
      this.#lines.refillAhead(slice)
    }
    return null
  }

  /** Ends a part of what is held. @param cost charged for it */
  drop(slices: readonly Slice[], held: number, cost: number, now: number): void {
    for (const slice of slices) slice.drop(held, cost, now)
    if (this.#lines.isEmpty()) return
    for (const slice of slices) if (slice.line.length > 0) this.#lines.serve(slice, now)
  }

  /** Calls back when it is told how a scope stands, or when nobody can tell. */
  probe(slice: Slice, told: () => void): void {
    slice.probes.push(told)
    this.stir(slice)
  }

  stir(slice: Slice): void {
    if (slice.isStirred) return
    slice.isStirred = true
    this.#stirred.add(slice)
  }

  /** Another node asks for a scope: a hint, since the next answer says it too. */
  hint(scope: string, no: number): void {
    const slice = this.shelves.named(scope)
    if (slice === null || no <= slice.asking.answered) return
    slice.asking.slot = { no, mine: false }
    this.stir(slice)
  }

  /** Sums may have changed behind the engine: nothing is believed before it is told anew. */
  expire(): void {
    this.reading++
  }

  /** From now on everything free goes back. */
  close(): void {
    this.#isClosing = true
    for (const slice of this.shelves.all()) if (slice.amount > 0) this.stir(slice)
  }

  /** Something is to be said without waiting for more calls. */
  isStirred(): boolean {
    return this.#stirred.size > 0
  }

  isWaiting(): boolean {
    return !this.#lines.isEmpty()
  }

  /** A question of this node is open, or about to be. */
  isAsking(): boolean {
    for (const { asking } of this.#lines.crowded()) if (asking.ask !== null) return true
    return false
  }

  /** Lets waiting calls ask again. */
  askAgain(): void {
    for (const slice of this.#lines.crowded()) this.stir(slice)
  }

  isInFlight(): boolean {
    return this.#flight !== null
  }

  /** How long the exchange in flight waits for its answer; 0 where there is none. */
  unansweredMs(now: number): number {
    return this.#flight === null ? 0 : now - this.#flight.sentAt
  }

  /** The next exchange brings the charge of a call. */
  charge(slices: readonly Slice[], cost: number): void {
    for (const slice of slices) {
      slice.charging += cost
      this.stir(slice)
    }
  }

  /** Charges what was taken from a limit: told with whatever is told next. @returns whether it is the first */
  chargeAlong(slice: Slice, cost: number): boolean {
    slice.charging += cost
    const isFirst = this.#along.size === 0
    this.#along.add(slice)
    return isFirst
  }

  /** Has what limits charge told without anything else. */
  stirAlong(): void {
    for (const slice of this.#along) this.stir(slice)
    this.#along.clear()
  }

  /** The next exchange: nothing else may be sent before its answer. */
  next(now: number): Told {
    if (this.#flight !== null) throw new Error('an exchange is in flight')
    this.stirAlong()
    const no = ++this.#no
    const slices = dueSlices(this.#stirred, this.#rules.maxLines)
    for (const slice of slices) this.#stirred.delete(slice)
    const said: SentLine[] = []
    const lines = slices.map((slice) => this.#lineOf(slice, no, now, said))
    this.#flight = { no, sentAt: now, reading: this.reading, slices, said }
    return { node: this.node, no, lines }
  }

  /**
   * Takes charges out of the exchange in flight, which was rejected; `charge` brings them again.
   * @returns its lines without them
   */
  withdraw(lines: readonly Line[], charges: readonly SliceCharge[]): readonly Line[] {
    const flight = this.#flight
    if (flight === null) throw new Error('no exchange is in flight')
    const costs = costsOf(flight.slices, charges)
    const without = <Charged extends { readonly charged: number }>(all: readonly Charged[]) =>
      all.map((each, at) => ({ ...each, charged: each.charged - (costs[at] ?? 0) }))
    this.#flight = { ...flight, said: without(flight.said) }
    return without(lines)
  }

  reply(answer: LeaseAnswer, now: number): void {
    const flight = this.#flight
    if (flight === null || answer.no !== flight.no) return
    this.#flight = null
    if (answer.fenced) {
      this.fenced = true
      return this.tick(now)
    }
    const { no, sentAt, reading, slices, said } = flight
    this.replied = no
    this.#trustedUntil = sentAt + trustShare * this.#rules.ttlMs
    for (let at = 0; at < slices.length; at++)
      slices[at]?.answered(said[at] as SentLine, answer.rows[at] ?? null, now, reading)
    for (let at = 0; at < slices.length; at++) {
      const slice = slices[at] as Slice
      const row = answer.rows[at] ?? null
      if (row !== null && (slice.line.length > 0 || slice.asking.isMine()))
        this.#lines.heed(slice, said[at] as SentLine, row, answer.fresh, now)
      if (slice.asking.isAsked()) this.stir(slice)
    }
    for (const { scope, no: question } of answer.asked) this.hint(scope, question)
  }

  /** Time passed: whoever waited for too long is told. */
  tick(now: number): void {
    for (const slice of Array.from(this.#lines.crowded())) this.#lines.serve(slice, now)
    if (this.isTrusted(now)) return
    for (const slice of this.shelves.all()) slice.tellProbes()
  }

  /** Looks for slices that nobody uses, some at a time, and for those of which others were told something else. */
  sweep(now: number): void {
    for (const slice of this.#toldHolds.stale()) this.stir(slice)
    this.shelves.walkOn((slice) => {
      if (this.#isUnused(slice, now)) this.stir(slice)
    })
  }

  /** Nobody knows yet how a cap stands that was just set; when more is asked for, it is known. */
  #isNewCap(slice: Slice): boolean {
    if (slice.reading >= 0 || slice.scope.kind === 'balance') return false
    slice.refill = true
    this.stir(slice)
    return true
  }

  #isUnused({ amount, held, unwritten, line, usedAt }: Slice, now: number): boolean {
    const isQuiet = line.length === 0 && held === 0 && unwritten === 0
    return amount > 0 && isQuiet && now - usedAt > this.#rules.idleMs
  }

  #lineOf(slice: Slice, no: number, now: number, said: SentLine[]): Line {
    const { name: scope, limit, asking, line } = slice
    slice.isStirred = false
    const isAsked = asking.isAsked()
    const first = line[0]
    const gives = isAsked || this.#isClosing || limit === null || this.#isUnused(slice, now)
    const give = gives ? slice.spare() : 0
    const takes = !isAsked && limit !== null && !(gives && first === undefined)
    const { need, want } = takes ? slice.lack(now, this.#rules.coverMs) : { need: 0, want: 0 }
    if (takes) for (const wish of line) if (wish.sentIn === 0) wish.sentIn = no
    const charged = slice.sent(give)
    const isOver = asking.isMine() && first === undefined
    const ask = isOver ? 'done' : first === undefined ? null : asking.ask
    const { answer, quiet } = asking.answering()
    said.push({ no, charged, ask, took: takes && (first !== undefined || want > 0) })
    const probed = slice.probes.length > 0
    const told = { ask, answer, quiet, held: this.#toldHolds.say(slice) }
    return { scope, limit, charged, give, takes: takes || probed, need, want, ...told }
  }
}
