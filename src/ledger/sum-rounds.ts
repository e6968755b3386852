import type { LedgerStore } from './store'

/** Sums wait so long for more calls to be of them, and are written so many rows at a time. */
const gatherMs = 2000
const rowsAtOnce = 256
const nextRowsMs = 10

/** @param onFault told when the database did not write; it is tried again */
export const openSumRounds = (
  store: Pick<LedgerStore, 'sumUp'>,
  onFault: (fault: unknown) => void,
): SumRounds => new SumRounds(store, onFault)

/** Adds the calls that were written to the sums of reports, a while after them and some rows at a time. */
export class SumRounds {
  #timer: ReturnType<typeof setTimeout> | null = null
  /** Calls were written since the round began. */
  #isStale = false
  #closed = false
  readonly #store: Pick<LedgerStore, 'sumUp'>
  readonly #onFault: (fault: unknown) => void

  constructor(store: Pick<LedgerStore, 'sumUp'>, onFault: (fault: unknown) => void) {
    this.#store = store
    this.#onFault = onFault
  }

  /** Calls were written: a round begins soon. */
  begin(): void {
    this.#isStale = true
    this.#after(gatherMs)
  }

  close(): void {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
  }

  #after(waitMs: number): void {
    if (this.#closed) return
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      if (waitMs === gatherMs) this.#isStale = false
      void this.#sum()
    }, waitMs)
  }

  async #sum(): Promise<void> {
    try {
      if (await this.#store.sumUp(rowsAtOnce)) return this.#after(nextRowsMs)
      if (this.#isStale) this.#after(gatherMs)
    } catch (fault) {
      this.#after(gatherMs)
      this.#onFault(fault)
    }
  }
}
