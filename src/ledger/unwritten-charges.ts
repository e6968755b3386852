import type { AccountId } from '../domain/ids'
import { minus, plus, zeroUsd, type NanoUsd } from '../domain/money'
import type { Places } from './places'
import type { Batch, Scope } from './store'
import type { Tally } from './tally'
import type { Charged } from './watch'

/** Charges of one commit: apart from what is charged while it is under way. */
export interface ChargesInFlight {
  readonly sums: readonly Tally<Scope>[]
  readonly places: readonly Places[]
  readonly balances: readonly { readonly account: AccountId; readonly tally: Tally }[]
  /** The tallies' reading when it began. */
  readonly reading: number
}

/** Charges that no commit has written: they count in their sums as pending. */
export class UnwrittenCharges {
  #sums: Tally<Scope>[] = []
  #places: Places[] = []
  #balances: { readonly account: AccountId; readonly tally: Tally }[] = []

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

  /** A commit begins that writes all of them; none is under way. */
  begin(reading: number): ChargesInFlight {
    const inFlight = { sums: this.#sums, places: this.#places, balances: this.#balances, reading }
    for (const tally of talliesOf(inFlight)) {
      tally.writing = tally.pending
      tally.pending = zeroUsd
    }
    for (const places of inFlight.places) places.unwritten = false
    this.#sums = []
    this.#balances = []
    this.#places = []
    return inFlight
  }

  /** They are committed now. @param committed balances of the charged accounts */
  written(
    { sums, balances, reading }: ChargesInFlight,
    committed: ReadonlyMap<AccountId, NanoUsd>,
  ): void {
    for (const sum of sums) {
      sum.committed = plus(sum.committed, sum.writing)
      sum.writing = zeroUsd
    }
    for (const { account, tally } of balances) {
      const balance = committed.get(account)
      if (balance === undefined) throw new Error(`account ${account} was not charged`)
      tally.committed = balance
      tally.reading = reading
      tally.writing = zeroUsd
    }
  }

  /** They are not: the next commit writes them with what was charged since. */
  failed(inFlight: ChargesInFlight): void {
    const { sums, places, balances } = inFlight
    this.#sums = merged(sums, this.#sums)
    this.#places = merged(places, this.#places)
    const known = new Set(balances.map(({ tally }) => tally))
    this.#balances = [...balances, ...this.#balances.filter(({ tally }) => !known.has(tally))]
    for (const tally of talliesOf(inFlight)) {
      tally.pending = plus(tally.pending, tally.writing)
      tally.writing = zeroUsd
    }
    for (const each of places) each.unwritten = true
  }
}

const merged = <Each>(first: readonly Each[], then: readonly Each[]): Each[] => [
  ...new Set([...first, ...then]),
]

const talliesOf = ({ sums, balances }: ChargesInFlight): readonly Tally[] => [
  ...sums,
  ...balances.map(({ tally }) => tally),
]

/** Amounts that a commit adds to each sum. */
export const sumsIn = ({ sums }: ChargesInFlight): Pick<Batch, 'spent'> => ({
  spent: sums.map(({ scope, writing }) => ({ scope, amount: writing })),
})

/** The keys whose charges it writes. */
export const chargedIn = ({ places }: ChargesInFlight): readonly Charged[] => places
