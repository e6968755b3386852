import { GatewayError } from '../../errors/gateway-error'
import { openSpoolWriter, type EndingSpool, type SpoolWriter } from '../ending-spool'
import type { SpoolRecord } from '../spool-record'

const nothing = Promise.resolve()

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

  #together: Promise<void> | null = null
  readonly #commit: () => Promise<void>
  readonly #onFault: (fault: unknown) => void

  /**
   * @param spools none for a ledger in memory
   * @param commit keeps everything elsewhere, where a spool cannot be written
   */
  constructor(
    spools: readonly [EndingSpool, EndingSpool] | null,
    commit: () => Promise<void>,
    onFault: (fault: unknown) => void,
  ) {
    this.#commit = commit
    this.#onFault = onFault
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

  /** One write for all that was added to each. @throws gateway_error when that cannot be */
  write(): void {
    if (this.#isWritten()) return
    try {
      for (const writer of this.#writers) writer.write()
    } catch (cause) {
      this.#onFault(cause)
      throw new GatewayError('gateway_error', {}, { cause })
    }
  }

  /** Same, for all that end in the same turn; nothing to wait for where all is kept. */
  writeTogether(): Promise<void> {
    if (this.#isWritten()) return nothing
    return (this.#together ??= nothing.then(this.#writeOrCommit))
  }

  /** @returns false when the disk gives no room for the endings of so many calls */
  roomFor(calls: number): boolean {
    return this.#writers[this.#current].roomFor(calls)
  }

  close(): void {
    for (const [at, spool] of this.#spools.entries()) spool.close(this.#open[at as 0 | 1] === 0)
  }

  #isWritten(): boolean {
    return this.#writers[0].empty() && this.#writers[1].empty()
  }

  readonly #writeOrCommit = async (): Promise<void> => {
    this.#together = null
    try {
      this.write()
    } catch (thrown) {
      try {
        await this.#commit()
      } catch {
        throw thrown
      }
    }
  }
}
