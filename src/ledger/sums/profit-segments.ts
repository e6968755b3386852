import type { Batch } from '../store'
import { ProfitSums, type ProfitWriter, type RefundOnRecord } from './profit-sums'

/** What was earned by charges in a row, up to a transfer. */
interface Segment {
  readonly sums: ProfitSums
  last: number
}

/** Rows of one: about as many as are written at a time. */
const rowsOfSegment = 256

/**
 * Earnings that are not in the database, in pieces that are each written in one transaction: their
 * mark is one number for all accounts and models, so that a piece holds every charge up to its last.
 */
export class EarnedSegments {
  readonly #segments: Segment[] = []
  /** Of those that were there when a round began with them. */
  #due = 0

  /** Sums that a batch of charges is added to. @param last the newest of its transfers */
  #open(last: number): ProfitSums {
    let open = this.#segments.at(-1)
    // One that is due is whole.
    if (open === undefined || this.#segments.length <= this.#due || open.sums.size >= rowsOfSegment)
      this.#segments.push((open = { sums: new ProfitSums(), last }))
    open.last = last
    return open.sums
  }

  add(ended: Batch['ended'], last: number): void {
    const sums = this.#open(last)
    for (const call of ended) if (call.ending.cost !== 0) sums.add(call)
  }

  giveBack(refunds: readonly RefundOnRecord[], last: number): void {
    const sums = this.#open(last)
    for (const refund of refunds) sums.giveBack(refund)
  }

  /** A round comes to them: all that is there by now is due. */
  beginRound(): void {
    this.#due = this.#segments.length
  }

  /** Whether nothing is due any more. */
  get isRoundOver(): boolean {
    return this.#due === 0
  }

  /** Segments that are due, as many as have about so many rows; they stay until they are `written`. */
  next(maxRows: number): readonly Segment[] {
    const taken: Segment[] = []
    let rows = 0
    for (const segment of this.#segments.slice(0, this.#due)) {
      if (rows >= maxRows) break
      taken.push(segment)
      rows += segment.sums.size
    }
    return taken
  }

  written(segments: readonly Segment[]): void {
    this.#segments.splice(0, segments.length)
    this.#due -= segments.length
  }
}

/** Writes pieces inside of a transaction. @param mark keeps up to which transfer they are written */
export function writeSegments(
  segments: readonly Segment[],
  profits: ProfitWriter,
  mark: (last: number) => void,
): void {
  for (const { sums, last } of segments) {
    sums.write(profits)
    mark(last)
  }
}
