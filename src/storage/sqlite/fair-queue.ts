/** Queue of many owners: each has one taken in turn, however many of others wait. */
export class FairLine<T> {
  /** In the order of their turns. */
  readonly #lines = new Map<unknown, T[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(owner: unknown): number {
    return this.#lines.get(owner)?.length ?? 0
  }

  add(owner: unknown, item: T): void {
    this.#size++
    const line = this.#lines.get(owner)
    if (line === undefined) this.#lines.set(owner, [item])
    else line.push(item)
  }

  take(): T | undefined {
    for (const [owner, line] of this.#lines) {
      const item = line.shift()
      this.#size--
      this.#lines.delete(owner)
      if (line.length > 0) this.#lines.set(owner, line)
      return item
    }
    return undefined
  }

  /** Takes all. */
  clear(): readonly T[] {
    const all = [...this.#lines.values()].flat()
    this.#lines.clear()
    this.#size = 0
    return all
  }
}
