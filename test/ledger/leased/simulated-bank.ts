import type { LeaseAnswer, LeaseExchange } from '../../../src/ledger/leased/exchange'
import type { NodeId } from '../../../src/domain/ids'
import { LeaseBook } from './model/lease-book'
import type { Slice } from '../../../src/ledger/leased/slice'

/** A call that ended, on its way into the bank. */
export interface SimulatedCall {
  readonly id: number
  readonly cost: number
  readonly slices: readonly Slice[]
}

export type SimulatedExchange = LeaseExchange<readonly SimulatedCall[]>

/** Faults of an engine or a node, each of which the checks must find. */
export const plantedFaults = [
  'no-fence',
  'no-numbers',
  'no-self-fence',
  'no-check',
  'one-scope',
  'one-look',
  'no-reclaim',
  'stale-answers',
] as const
export type Fault = (typeof plantedFaults)[number] | null

class FencelessBook extends LeaseBook {
  override standing(exchange: Pick<LeaseExchange, 'node' | 'no'>) {
    const node = this.nodes.get(exchange.node)
    if (node?.isDead !== true) return super.standing(exchange)
    return exchange.no > node.no ? 'fresh' : 'repeated'
  }

  override retire(id: NodeId): void {
    const node = this.nodes.get(id)
    if (node !== undefined) node.isDead = true
    for (const lease of this.leases.values()) lease.leased -= lease.slices.get(id)?.amount ?? 0
  }
}

/** An engine in memory, that checks itself after every step. */
export class SimulatedBank {
  readonly book: LeaseBook
  /** Paid in, or the limit of a cap. */
  readonly funds = new Map<string, number>()
  readonly charges = new Map<number, number>()
  /** By call, the newest exchange of each node that was done. */
  readonly done = new Map<NodeId, number>()
  readonly #sums = new Map<string, number>()
  readonly #spent = new Map<string, number>()
  /** Cost above what was held for it, that a slice did not pay. */
  readonly #over = new Map<string, number>()
  readonly #fault: Fault
  #renumbered = 0

  constructor(ttlMs: number, fault: Fault) {
    this.#fault = fault
    const sums = {
      of: (scope: string) => this.#sums.get(scope) ?? 0,
      charge: (scope: string, cost: number) =>
        void this.#sums.set(scope, sums.of(scope) + (isBalance(scope) ? -cost : cost)),
    }
    const Book = fault === 'no-fence' ? FencelessBook : LeaseBook
    this.book = new Book(sums, ttlMs)
  }

  /** A balance that is paid in, or a cap. */
  open(scope: string, amount: number): void {
    this.funds.set(scope, amount)
    if (isBalance(scope)) this.#sums.set(scope, amount)
  }

  deposit(scope: string, amount: number): void {
    this.funds.set(scope, (this.funds.get(scope) ?? 0) + amount)
    this.#sums.set(scope, (this.#sums.get(scope) ?? 0) + amount)
  }

  /** What is left of the funds, charges taken off. */
  base(scope: string): number {
    const sum = this.#sums.get(scope) ?? 0
    return isBalance(scope) ? sum : (this.funds.get(scope) ?? 0) - sum
  }

  overOf(scope: string): number {
    return this.#over.get(scope) ?? 0
  }

  answer(exchange: SimulatedExchange, now: number): LeaseAnswer {
    const numbered =
      this.#fault === 'no-numbers'
        ? { ...exchange, no: (this.book.nodes.get(exchange.node)?.no ?? this.#renumbered++) + 1 }
        : exchange
    if (this.book.standing(numbered) === 'fresh') this.#keep(exchange)
    const answer = this.book.answer(numbered, now)
    if (!answer.fenced) this.done.set(exchange.node, exchange.no)
    return this.#spoilt({ ...answer, no: exchange.no })
  }

  check(): void {
    for (const [scope, { leased, slices }] of this.book.leases) {
      let sum = 0
      for (const { amount } of slices.values()) {
        if (amount < 0) throw new Error(`a slice of ${scope} below zero`)
        sum += amount
      }
      if (sum !== leased) throw new Error(`slices of ${scope} are ${sum}, leased ${leased}`)
    }
    for (const [scope, funds] of this.funds) {
      const base = this.base(scope)
      const leased = this.book.leases.get(scope)?.leased ?? 0
      if (base - leased < -this.overOf(scope))
        throw new Error(`overspent: ${scope} has ${base}, leased ${leased}`)
      const spent = this.#spent.get(scope) ?? 0
      if (base !== funds - spent) throw new Error(`${scope} is not the sum of its charges`)
    }
  }

  #keep({ node, calls, lines }: SimulatedExchange): void {
    for (const { id, cost, slices } of calls ?? []) {
      if (this.charges.has(id)) throw new Error(`call ${id} charged twice`)
      this.charges.set(id, cost)
      for (const { name } of slices) this.#spent.set(name, (this.#spent.get(name) ?? 0) + cost)
    }
    for (const { scope, charged } of lines) {
      const had = this.book.leases.get(scope)?.slices.get(node)?.amount ?? 0
      if (charged > had) this.#over.set(scope, this.overOf(scope) + charged - had)
    }
  }

  #spoilt(answer: LeaseAnswer): LeaseAnswer {
    if (this.#fault === 'no-reclaim')
      return { ...answer, rows: answer.rows.map((row) => row && { ...row, others: [] }) }
    if (this.#fault === 'stale-answers' && !answer.fresh)
      return {
        ...answer,
        fresh: true,
        rows: answer.rows.map((row) => row && { ...row, short: true }),
      }
    return answer
  }
}

const isBalance = (scope: string): boolean => scope.startsWith('balance ')
