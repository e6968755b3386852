import { nanoUsd, zeroUsd, type NanoUsd } from '../../domain/money'
import type { Batch, LedgerStore } from '../store'
import {
  isCapScope,
  scopeOfName,
  type LeaseAnswer,
  type LeaseExchange,
  type ExchangedCalls,
  type NodeId,
} from './exchange'
import { LeaseBook, type Question, type ScopeSums } from './lease-book'

/** Answers exchanges of several nodes from one store: those of a turn are one commit. */
export interface StoreEngine {
  register(node: NodeId): void
  /** @param kept told of its calls once they are written */
  answer(exchange: LeaseExchange, kept?: (calls: ExchangedCalls) => void): Promise<LeaseAnswer>
  /**
   * Its process ended: its calls are ended, then its slices go back at once.
   * @throws what the store throws; nothing happened
   */
  bury(node: NodeId, lastWords: () => Batch): void
  /** Another process may have moved money: sums are read anew. */
  expire(): void
  /** What all nodes together have. */
  leased(): number
}

export interface StoreEngineParts {
  readonly store: LedgerStore
  /** Infinite where the end of a node is seen otherwise. */
  readonly ttlMs: number
  now(): number
  /** A node is to be asked for a scope, without waiting for its next exchange. */
  onQuestion(question: Question): void
  /** Gathers what arrives until it is called back. */
  defer(work: () => void): void
}

interface Arrived {
  readonly exchange: LeaseExchange
  readonly kept: ((calls: ExchangedCalls) => void) | undefined
  answered(answer: LeaseAnswer): void
  failed(fault: unknown): void
}

/** Sums that are kept in memory; the rest is read again. */
const maxSums = 200_000

export const openStoreEngine = (parts: StoreEngineParts): StoreEngine => new BatchingEngine(parts)

class BatchingEngine implements StoreEngine {
  #arrived: Arrived[] = []
  readonly #sums: CachedSums
  readonly #book: LeaseBook
  readonly #parts: StoreEngineParts

  constructor(parts: StoreEngineParts) {
    this.#parts = parts
    this.#sums = new CachedSums(parts.store)
    this.#book = new LeaseBook(this.#sums, parts.ttlMs)
  }

  register(node: NodeId): void {
    this.#book.register(node, this.#parts.now())
  }

  answer(exchange: LeaseExchange, kept?: (calls: ExchangedCalls) => void): Promise<LeaseAnswer> {
    return new Promise((answered, failed) => {
      if (this.#arrived.push({ exchange, kept, answered, failed }) === 1)
        this.#parts.defer(this.#answerAll)
    })
  }

  bury(node: NodeId, lastWords: () => Batch): void {
    // What it sent last is done before.
    this.#answerAll()
    const batch = lastWords()
    if (batch.ended.length > 0) {
      this.#parts.store.commit(batch, false)
      this.#sums.forget()
    }
    this.#book.retire(node)
    this.#book.forget(node)
  }

  expire(): void {
    this.#sums.forget()
  }

  leased(): number {
    let sum = 0
    for (const { leased } of this.#book.leases.values()) sum += leased
    return sum
  }

  readonly #answerAll = (): void => {
    const arrived = this.#arrived
    this.#arrived = []
    const writing = arrived.filter(({ exchange }) => this.#writes(exchange))
    const failed = new Map<Arrived, unknown>()
    if (writing.length > 0 && this.#fault(writing) !== null)
      // One that cannot be kept fails alone.
      for (const each of writing) {
        const fault = this.#fault([each])
        if (fault !== null) failed.set(each, fault.cause)
      }
    this.#tell(arrived.filter((each) => !failed.has(each)))
    for (const [each, fault] of failed) each.failed(fault)
  }

  #writes(exchange: LeaseExchange): boolean {
    const isFresh = this.#book.standing(exchange) === 'fresh'
    return isFresh && (exchange.calls !== null || exchange.durable)
  }

  /** Writes them in one commit. @returns why that could not be; null when it is done */
  #fault(writing: readonly Arrived[]): { readonly cause: unknown } | null {
    try {
      this.#commit(writing.map(({ exchange }) => exchange))
    } catch (cause) {
      return { cause }
    }
    for (const { exchange, kept } of writing) if (exchange.calls !== null) kept?.(exchange.calls)
    return null
  }

  #tell(arrived: readonly Arrived[]): void {
    const now = this.#parts.now()
    for (const { exchange, answered } of arrived) answered(this.#book.answer(exchange, now))
    for (const question of this.#book.raised()) this.#parts.onQuestion(question)
    this.#sums.trim()
  }

  #commit(exchanges: readonly LeaseExchange[]): void {
    // What is read behind the commit has its charges already.
    for (const { lines } of exchanges)
      for (const { scope, limit, takes } of lines) if (limit !== null || takes) this.#sums.of(scope)
    const durable = exchanges.some((exchange) => exchange.durable)
    this.#parts.store.commit(batchOf(exchanges), durable)
  }
}

/** One batch of the calls of several nodes. */
function batchOf(exchanges: readonly LeaseExchange[]): Batch {
  const spent: Batch['spent'][number][] = []
  for (const { lines } of exchanges)
    for (const { scope: name, charged } of lines) {
      if (charged === 0) continue
      const scope = scopeOfName(name)
      if (isCapScope(scope)) spent.push({ scope, amount: nanoUsd(charged) })
    }
  const calls = exchanges.flatMap((exchange) => exchange.calls ?? [])
  const [only] = calls
  const all: ExchangedCalls =
    only !== undefined && calls.length === 1
      ? only
      : {
          opened: calls.flatMap((each) => each.opened),
          reopened: calls.flatMap((each) => each.reopened ?? []),
          owed: calls.flatMap((each) => each.owed ?? []),
          ended: calls.flatMap((each) => each.ended),
        }
  return { ...all, spent }
}

/** Sums of the store in memory, as far as they are leased from or were asked for. */
class CachedSums implements ScopeSums {
  readonly #sums = new Map<string, number>()
  readonly #store: Pick<LedgerStore, 'balance' | 'spent'>

  constructor(store: Pick<LedgerStore, 'balance' | 'spent'>) {
    this.#store = store
  }

  of(name: string): number {
    let sum = this.#sums.get(name)
    if (sum === undefined) this.#sums.set(name, (sum = this.#read(name)))
    return sum
  }

  charge(name: string, cost: number): void {
    const sum = this.#sums.get(name)
    if (sum === undefined) return
    this.#sums.set(name, name.startsWith('balance ') ? sum - cost : sum + cost)
  }

  forget(): void {
    this.#sums.clear()
  }

  /** None of them is more than a copy. */
  trim(): void {
    if (this.#sums.size > maxSums) this.#sums.clear()
  }

  #read(name: string): NanoUsd {
    const scope = scopeOfName(name)
    return isCapScope(scope) ? this.#store.spent(scope) : (this.#store.balance(scope.id) ?? zeroUsd)
  }
}
