import type { LeasedScope } from './exchange'
import { Slice } from './slice'

/** Slices that are looked at in one go of a walk through all. */
const walkedAtOnce = 4096

/** Every slice in memory; each scope has one. */
export class SliceShelves {
  /** By kind, period and id: names are made of these once, and not at each look. */
  readonly #shelves = new Map<string, Map<string, Map<number, Slice>>>()
  #walk: Iterator<Slice> | null = null

  of(scope: LeasedScope): Slice {
    const { kind, period } = scope
    let periods = this.#shelves.get(kind)
    if (periods === undefined)
      this.#shelves.set(kind, (periods = new Map<string, Map<number, Slice>>()))
    let shelf = periods.get(period)
    if (shelf === undefined) periods.set(period, (shelf = new Map<number, Slice>()))
    let slice = shelf.get(scope.id)
    if (slice === undefined) shelf.set(scope.id, (slice = new Slice(scope)))
    return slice
  }

  /** @param scope as `scopeName` writes it */
  named(scope: string): Slice | null {
    const [kind = '', id = '', period = ''] = scope.split(' ')
    return this.#shelves.get(kind)?.get(period)?.get(Number(id)) ?? null
  }

  *all(): Generator<Slice> {
    for (const periods of this.#shelves.values())
      for (const shelf of periods.values()) yield* shelf.values()
  }

  /** Goes on with a walk through all, some at a time. */
  walkOn(look: (slice: Slice) => void): void {
    const walk = (this.#walk ??= this.all())
    for (let seen = 0; seen < walkedAtOnce; seen++) {
      const { done, value } = walk.next() as IteratorResult<Slice, undefined>
      if (value !== undefined) look(value)
      if (done !== true) continue
      this.#walk = null
      return
    }
  }

  /**
   * Forgets what has, holds and owes nothing; whoever kept one must let go of it.
   * @returns how many are left
   */
  forgetIdle(): number {
    let left = 0
    for (const periods of this.#shelves.values())
      for (const [period, shelf] of periods) {
        for (const [id, slice] of shelf)
          if (slice.isIdle()) shelf.delete(id)
          else left++
        if (shelf.size === 0) periods.delete(period)
      }
    this.#walk = null
    return left
  }
}
