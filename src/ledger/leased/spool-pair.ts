import { openSpoolWriter, type EndingSpool, type SpoolWriter } from '../ending-spool'
import type { SpoolRecord } from '../spool-record'

/** How many records of something are in each of the two. */
export type Spooled = [first: number, second: number]

/**
 * Two spools in turn: while an exchange with the records of one is on its way, calls that end go into the
 * other. Each is written over from its beginning once all of it is kept.
 */
export class SpoolPair {
  readonly #spools: readonly EndingSpool[]
  readonly #writers: readonly [SpoolWriter, SpoolWriter]
  /** Records that no answered exchange brought. */
  readonly #open: Spooled = [0, 0]
  #current: 0 | 1 = 0

  /** @param spools none for a ledger in memory */
  constructor(spools: readonly [EndingSpool, EndingSpool] | null) {
    this.#spools = spools ?? []
    this.#writers = [openSpoolWriter(spools?.[0] ?? null), openSpoolWriter(spools?.[1] ?? null)]
  }

  /** @param into where it must follow an earlier record; else whichever is in turn */
  add(record: SpoolRecord, counts: Spooled, into: 0 | 1 = this.#current): 0 | 1 {
    this.#writers[into].add(record)
    this.#open[into]++
    counts[into]++
    return into
  }

  /** An exchange goes out: what ends from now on is not in it. */
  turn(): void {
    const other = this.#current === 0 ? 1 : 0
    if (this.#open[other] === 0) this.#current = other
  }

  /** So many records are kept elsewhere now. */
  kept(counts: Spooled): void {
    for (const at of [0, 1] as const) {
      if (counts[at] === 0) continue
      this.#open[at] -= counts[at]
      if (this.#open[at] === 0) this.#writers[at].clear()
    }
  }

  empty(): boolean {
    return this.#writers[0].empty() && this.#writers[1].empty()
  }

  /** One write for all that was added to each. @throws what the file system throws */
  write(): void {
    for (const writer of this.#writers) writer.write()
  }

  /** @returns false when the disk gives no room for the endings of so many calls */
  roomFor(calls: number): boolean {
    return this.#writers[this.#current].roomFor(calls)
  }

  close(): void {
    for (const [at, spool] of this.#spools.entries()) spool.close(this.#open[at as 0 | 1] === 0)
  }
}
