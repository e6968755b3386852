/** Numbers of one seed, the same each time: mulberry32. */
export function seeded(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Event {
  readonly at: number
  readonly order: number
  readonly happen: () => void
}

/** Simulated time: what is due happens in order, as fast as it can. */
export class Agenda {
  now = 0
  #order = 0
  /** A heap, the next event first. */
  readonly #events: Event[] = []

  after(ms: number, happen: () => void): void {
    const event = { at: this.now + ms, order: this.#order++, happen }
    const heap = this.#events
    let i = heap.push(event) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (isBefore(heap[parent], event)) break
      heap[i] = heap[parent] as Event
      i = parent
    }
    heap[i] = event
  }

  size(): number {
    return this.#events.length
  }

  /** @returns false when nothing is due any more before that time */
  step(until: number): boolean {
    const next = this.#pop()
    if (next === undefined || next.at > until) return false
    this.now = next.at
    next.happen()
    return true
  }

  #pop(): Event | undefined {
    const heap = this.#events
    const top = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return last
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child] as Event)) child++
      if (isBefore(last, heap[child] as Event)) break
      heap[i] = heap[child] as Event
      i = child
    }
    heap[i] = last
    return top
  }
}

const isBefore = (one: Event | undefined, other: Event): boolean =>
  one !== undefined && (one.at < other.at || (one.at === other.at && one.order < other.order))
