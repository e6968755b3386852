import type { Ms } from '../../domain/clock'

/** Things that are due at some time, the earliest first: each step costs the logarithm of their count. */
interface Schedule<Item> {
  add(item: Item, at: Ms): void
  /** Takes the earliest out when it is due; null when none is. */
  take(now: Ms): Item | null
  /** When the earliest is due; null for none. */
  next(): Ms | null
}

interface Entry<Item> {
  readonly item: Item
  readonly at: Ms
}

/** A binary heap. */
export function openSchedule<Item>(): Schedule<Item> {
  const heap: Entry<Item>[] = []
  const at = (index: number): number => heap[index]?.at ?? Number.POSITIVE_INFINITY

  const swap = (a: number, b: number) => {
    const [one, other] = [heap[a], heap[b]]
    if (one === undefined || other === undefined) throw new Error('a place that is not there')
    heap[a] = other
    heap[b] = one
  }

  const rise = (from: number) => {
    for (let index = from; index > 0;) {
      const parent = (index - 1) >> 1
      if (at(parent) <= at(index)) return
      swap(parent, index)
      index = parent
    }
  }

  const sink = () => {
    for (let index = 0; ;) {
      const left = 2 * index + 1
      const child = at(left + 1) < at(left) ? left + 1 : left
      if (at(child) >= at(index)) return
      swap(child, index)
      index = child
    }
  }

  return {
    add(item, time) {
      heap.push({ item, at: time })
      rise(heap.length - 1)
    },
    take(now) {
      const [first] = heap
      if (first === undefined || first.at > now) return null
      const last = heap.pop()
      if (last !== undefined && heap.length > 0) {
        heap[0] = last
        sink()
      }
      return first.item
    },
    next: () => heap[0]?.at ?? null,
  }
}
