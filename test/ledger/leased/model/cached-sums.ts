import { zeroUsd } from '../../../../src/domain/money'
import type { LedgerStore, SumScope } from '../../../../src/ledger/store'
import { isLimitScope, scopeOfName, type Line } from '../../../../src/ledger/leased/exchange'
import type { ScopeSums } from './lease-book'
import { isLimitName, LimitSums } from './limit-sums'

/** Sums that are kept in memory; the rest is read again. */
const maxSums = 200_000

/** Sums of the store in memory, as far as they are leased from or were asked for. */
export class CachedSums implements ScopeSums {
  readonly #sums = new Map<string, number>()
  readonly #limits = new LimitSums()
  #isStale = false
  readonly #store: Pick<LedgerStore, 'sums'>

  constructor(store: Pick<LedgerStore, 'sums'>) {
    this.#store = store
  }

  /** Reads those that lines need and that are not there, or may have changed. */
  async load(lines: readonly Line[], now: number): Promise<void> {
    if (this.#isStale) this.#sums.clear()
    this.#isStale = false
    const missing = new Map<string, SumScope>()
    for (const { scope: name, limit, takes, charged } of lines) {
      if ((limit === null && !takes) || this.#sums.has(name)) continue
      const scope = scopeOfName(name)
      if (isLimitScope(scope)) this.#limits.heed(name, limit ?? 0, now, charged > 0)
      else missing.set(name, scope)
    }
    if (missing.size === 0) return
    const sums = await this.#store.sums([...missing.values()])
    for (const [at, name] of [...missing.keys()].entries())
      this.#sums.set(name, sums[at] ?? zeroUsd)
  }

  /** Undefined where it was not loaded. */
  known(name: string): number | undefined {
    return this.#sums.get(name)
  }

  of(name: string): number {
    const sum = this.#sums.get(name) ?? this.#limitOf(name)
    if (sum === undefined) throw new Error(`no sum of ${name} was read`)
    return sum
  }

  charge(name: string, cost: number): void {
    const sum = this.#sums.get(name)
    if (sum === undefined) return this.#limits.charge(name, cost)
    this.#sums.set(name, name.startsWith('balance ') ? sum - cost : sum + cost)
  }

  /** What is being answered goes by what was read for it. */
  forget(): void {
    this.#isStale = true
  }

  /** None of them is more than a copy. */
  trim(): void {
    if (this.#sums.size > maxSums) this.#sums.clear()
  }

  #limitOf(name: string): number | undefined {
    return isLimitName(name) ? this.#limits.of(name) : undefined
  }
}
