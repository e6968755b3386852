import type { AccountId } from '../domain/ids'
import { minus, plus, zeroUsd, type NanoUsd } from '../domain/money'
import type { Places } from './places'
import type { Batch, Scope } from './store'
import type { Tallies, Tally } from './tally'
import type { Charged } from './watch'

/** Charges that no commit has written: they count in their sums as pending. */
export class UnwrittenCharges {
  #sums: Tally<Scope>[] = []
  #places: Places[] = []
  #balances: { readonly account: AccountId; readonly tally: Tally }[] = []
  readonly #tallies: Tallies

  constructor(tallies: Tallies) {
    this.#tallies = tallies
  }

  add(places: Places, cost: NanoUsd): void {
    const { balance } = places
    if (!places.unwritten) this.#places.push(places)
    places.unwritten = true
    if (balance.pending === 0) this.#balances.push({ account: places.account, tally: balance })
    balance.pending = minus(balance.pending, cost)
    for (const sum of places.charged) {
      if (sum.pending === 0) this.#sums.push(sum)
      sum.pending = plus(sum.pending, cost)
    }
  }

  takeBack(places: Places, cost: NanoUsd): void {
    const { balance, sums } = places
    balance.pending = plus(balance.pending, cost)
    for (const sum of places.charged) sum.pending = minus(sum.pending, cost)
    this.#balances = this.#balances.filter(({ tally }) => tally.pending !== 0)
    this.#sums = this.#sums.filter(({ pending }) => pending !== 0)
    if (sums.key.pending !== 0) return
    places.unwritten = false
    this.#places = this.#places.filter((each) => each !== places)
  }

  perSum(): Batch['spent'] {
    return this.#sums.map(({ scope, pending }) => ({ scope, amount: pending }))
  }

  keys(): readonly Charged[] {
    return this.#places
  }

  /** All of them are committed now. @param committed balances of the charged accounts */
  written(committed: ReadonlyMap<AccountId, NanoUsd>): void {
    for (const sum of this.#sums) {
      sum.committed = plus(sum.committed, sum.pending)
      sum.pending = zeroUsd
    }
    for (const { account, tally } of this.#balances) {
      const balance = committed.get(account)
      if (balance === undefined) throw new Error(`account ${account} was not charged`)
      tally.committed = balance
      tally.reading = this.#tallies.reading()
      tally.pending = zeroUsd
    }
    for (const places of this.#places) places.unwritten = false
    this.#sums = []
    this.#balances = []
    this.#places = []
  }
}
