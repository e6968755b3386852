import type { SentLine, LineRefusal } from './slice-reclaim'
import type { SliceRow } from './exchange'
import type { Asked, HoldResult, Slice, WaitingHold } from './slice'

/** What lines must know of the node. */
export interface NodeState {
  readonly looks: number
  readonly patienceMs: number
  /** Number of the reading that is believed. */
  reading: number
  /** Number of the newest exchange that was answered. */
  replied: number
  isTrusted(now: number): boolean
  /** The next exchange brings a line of it. */
  stir(slice: Slice): void
}

/**
 * Grants holds in memory, and keeps those that wait: each in the line of one slice, first come, first
 * served. Else big holds would starve, and nobody could say that all waited for one instant.
 */
export class WaitingLines {
  readonly #crowded = new Set<Slice>()
  readonly #node: NodeState

  constructor(node: NodeState) {
    this.#node = node
  }

  isEmpty(): boolean {
    return this.#crowded.size === 0
  }

  /** The slices that calls wait for. */
  crowded(): ReadonlySet<Slice> {
    return this.#crowded
  }

  /**
   * Reason to refuse a call, in the order of refusal; null for none.
   * @param passed the slice whose line it waited through
   */
  lackOf(asked: Asked, now: number, passed: Slice | null = null): Slice | null {
    for (const slice of asked.slices) if (this.#lacks(slice, asked, now, passed)) return slice
    return null
  }

  grant(asked: Asked, now: number): HoldResult {
    const { slices, need, possible, endsAtMoney } = asked
    let sure = Number.POSITIVE_INFINITY
    if (possible > need)
      for (const slice of slices) if (slice.limit !== null) sure = Math.min(sure, slice.sure())
    const metered = sure < possible
    const room = endsAtMoney ? 0 : Math.max(0, sure - need)
    const reserved = metered ? room : possible - need
    for (const slice of slices) {
      slice.take(need, now)
      slice.reserved += reserved
      slice.holds++
      this.refillAhead(slice)
    }
    return { how: 'granted', reserved, metered }
  }

  /** Takes more before a call must wait for it. */
  refillAhead(slice: Slice): void {
    if (slice.low === 0 || slice.free() >= slice.low) return
    slice.low = 0
    slice.refill = true
    this.#node.stir(slice)
  }

  /** Puts a call into the line of the first slice that lacks; what others lack is asked for with it. */
  enqueue(wish: WaitingHold, now: number, passed: Slice | null = null): void {
    let first: Slice | null = null
    for (const slice of wish.slices) {
      if (!this.#lacks(slice, wish, now, passed)) continue
      this.#node.stir(slice)
      if (first === null) first = slice
      else {
        slice.lacking += wish.need
        slice.refill = true
      }
    }
    if (first === null) throw new Error('a call that waits for nothing')
    // What an answer said of one scope says nothing of the next.
    wish.sentIn = 0
    wish.isShort = false
    wish.until = wish.deadline
    first.line.push(wish)
    this.#crowded.add(first)
  }

  /** Serves a line as far as it goes. */
  serve(slice: Slice, now: number): void {
    const { line } = slice
    for (let wish = line[0]; wish !== undefined; wish = line[0]) {
      const trusted = this.#node.isTrusted(now)
      const isServed = trusted && this.#isReady(slice, wish)
      if (wish.isShort && slice.reach() >= wish.need) {
        // There is enough by now: it only has to be taken.
        wish.isShort = false
        wish.until = wish.deadline
      }
      if (trusted && !isServed && now <= wish.until) return
      line.shift()
      slice.asking.restart()
      if (isServed) this.#moveOn(wish, slice, now)
      else if (trusted && wish.isShort) wish.done({ how: 'late', by: slice })
      else wish.done({ how: 'unavailable' })
    }
    this.#crowded.delete(slice)
    if (slice.asking.isMine()) this.#node.stir(slice)
  }

  /** What an answer means for the line of its scope. */
  heed(slice: Slice, said: SentLine, row: SliceRow, fresh: boolean, now: number): void {
    this.serve(slice, now)
    const { line, asking } = slice
    const first = line[0]
    if (first === undefined || !said.took || first.sentIn === 0 || first.sentIn > said.no) return
    const most = slice.mostFree(said.charged)
    const judged = asking.judge(row, said, fresh, most, this.#node.looks)
    if (judged === 'wait') return
    // Patience is for a sum that is short, not for a database that is slow.
    for (const wish of line)
      if (wish.sentIn > 0 && wish.sentIn <= said.no) {
        wish.isShort = true
        wish.until = Math.min(wish.until, now + this.#node.patienceMs)
      }
    if (judged !== 'ask') this.#refuse(slice, judged, now)
  }

  /** All that were waiting at that instant are told at once; what is free serves whom it can. */
  #refuse(slice: Slice, { asOf, room }: LineRefusal, now: number): void {
    slice.asking.restart()
    for (const wish of slice.line.splice(0))
      if (this.#isReady(slice, wish)) this.#moveOn(wish, slice, now)
      else if (wish.need > room && wish.sentIn > 0 && wish.sentIn <= asOf)
        wish.done({ how: 'refused', by: slice })
      else slice.line.push(wish)
    this.serve(slice, now)
  }

  /** From one line to the next, or to its money. */
  #moveOn(wish: WaitingHold, from: Slice, now: number): void {
    if (wish.sentIn > 0 && wish.sentIn <= this.#node.replied) wish.isContent = true
    if (this.lackOf(wish, now, from) === null) wish.done(this.grant(wish, now))
    else this.enqueue(wish, now, from)
  }

  #isReady(slice: Slice, { need, possible, isContent, sentIn }: WaitingHold): boolean {
    if (slice.limit === null) return true
    if (slice.reading !== this.#node.reading || slice.free() < need) return false
    const wasRequested = sentIn > 0 && sentIn <= this.#node.replied
    return isContent || wasRequested || slice.sure() >= possible
  }

  #lacks(slice: Slice, asked: Asked, now: number, passed: Slice | null): boolean {
    const { need, possible, endsAtMoney, isContent } = asked
    // What costs nothing needs no money.
    if (slice.limit === null || need === 0) return false
    if ((slice !== passed && slice.line.length > 0) || slice.free() < need) return true
    if (slice.reading !== this.#node.reading) return true
    if (isContent || slice.sure() >= possible) return false
    if (!slice.mayGrow(now, this.#node.reading)) return false
    // Of one that ends where the money ends nothing is reserved but all that is possible.
    return !endsAtMoney || slice.reach() - slice.reserved >= possible
  }
}
