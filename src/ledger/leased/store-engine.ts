import { openInLine } from '../../domain/in-line'
import { nanoUsd, zeroUsd } from '../../domain/money'
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
  bury(node: NodeId, lastWords: () => Promise<Batch>): Promise<void>
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
  /** Exchanges are answered one gathering after the other. */
  readonly #inLine = openInLine()
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

  bury(node: NodeId, lastWords: () => Promise<Batch>): Promise<void> {
    return this.#inLine(async () => {
      // What it sent last is done before.
      await this.#answerArrived()
      const batch = await lastWords()
      if (batch.ended.length > 0) {
        await this.#parts.store.commit(batch, false)
        this.#sums.forget()
      }
      this.#book.retire(node)
      this.#book.forget(node)
    })
  }

  expire(): void {
    this.#sums.forget()
  }

  leased(): number {
    let sum = 0
    for (const { leased } of this.#book.leases.values()) sum += leased
    return sum
  }

  readonly #answerAll = (): void => void this.#inLine(() => this.#answerArrived())

  async #answerArrived(): Promise<void> {
    const arrived = this.#arrived
    this.#arrived = []
    try {
      // What is read behind the commit has its charges already.
      await this.#sums.load(arrived.flatMap(({ exchange }) => readScopes(exchange)))
    } catch (fault) {
      for (const each of arrived) each.failed(fault)
      return
    }
    const writing = arrived.filter(({ exchange }) => this.#writes(exchange))
    const failed = new Map<Arrived, unknown>()
    if (writing.length > 0 && (await this.#fault(writing)) !== null)
      // One that cannot be kept fails alone.
      for (const each of writing) {
        const fault = await this.#fault([each])
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
  async #fault(writing: readonly Arrived[]): Promise<{ readonly cause: unknown } | null> {
    try {
      await this.#commit(writing.map(({ exchange }) => exchange))
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

  async #commit(exchanges: readonly LeaseExchange[]): Promise<void> {
    const durable = exchanges.some((exchange) => exchange.durable)
    await this.#parts.store.commit(batchOf(exchanges), durable)
  }
}

/** Scopes whose sums an answer to an exchange needs. */
const readScopes = ({ lines }: LeaseExchange): readonly string[] =>
  lines.flatMap(({ scope, limit, takes }) => (limit !== null || takes ? scope : []))

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
  #isStale = false
  readonly #store: Pick<LedgerStore, 'sums'>

  constructor(store: Pick<LedgerStore, 'sums'>) {
    this.#store = store
  }

  /** Reads those that are not there, or may have changed. */
  async load(names: readonly string[]): Promise<void> {
    if (this.#isStale) this.#sums.clear()
    this.#isStale = false
    const missing = [...new Set(names)].filter((name) => !this.#sums.has(name))
    if (missing.length === 0) return
    const sums = await this.#store.sums(missing.map(scopeOfName))
    for (const [at, name] of missing.entries()) this.#sums.set(name, sums[at] ?? zeroUsd)
  }

  of(name: string): number {
    const sum = this.#sums.get(name)
    if (sum === undefined) throw new Error(`no sum of ${name} was read`)
    return sum
  }

  charge(name: string, cost: number): void {
    const sum = this.#sums.get(name)
    if (sum === undefined) return
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
}
