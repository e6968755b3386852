import type { LeaseExchange, NodeId } from './exchange'

interface Arrival {
  readonly exchange: LeaseExchange
}

/** A node that brought calls is busy for so long, and will bring more. */
const busyMs = 50

/**
 * Exchanges that wait for those of other busy nodes, so that one commit writes the calls of all: a commit costs
 * the same for ten calls as for a hundred. What brings no calls waits for nobody, nor does what is durable.
 */
export class CommitGathering<Arrived extends Arrival> {
  #waiting: Arrived[] = []
  #until = Number.POSITIVE_INFINITY
  readonly #busyUntil = new Map<NodeId, number>()
  readonly #waitMs: number

  /** @param waitMs longest wait; 0 for none */
  constructor(waitMs: number) {
    this.#waitMs = waitMs
  }

  /** Exchanges to be answered now. @param isLast nothing is kept waiting */
  take(arrived: readonly Arrived[], now: number, isLast = false): readonly Arrived[] {
    if (this.#waitMs === 0) return arrived
    const soon: Arrived[] = []
    let isUrgent = isLast
    for (const each of arrived) {
      const { node, calls, durable } = each.exchange
      isUrgent ||= durable
      if (calls === null) soon.push(each)
      else {
        this.#waiting.push(each)
        this.#busyUntil.set(node, now + busyMs)
      }
    }
    if (this.#waiting.length === 0) return soon
    this.#until = Math.min(this.#until, now + this.#waitMs)
    if (!isUrgent && now < this.#until && this.#isExpecting(now)) return soon
    const all = [...this.#waiting, ...soon]
    this.#waiting = []
    this.#until = Number.POSITIVE_INFINITY
    return all
  }

  /** Time until which some wait; infinite where none does. */
  waitsUntil(): number {
    return this.#until
  }

  /** Whether calls of another busy node are still to come. */
  #isExpecting(now: number): boolean {
    for (const [node, until] of this.#busyUntil)
      if (until < now) this.#busyUntil.delete(node)
      else if (!this.#waiting.some(({ exchange }) => exchange.node === node)) return true
    return false
  }
}
