import { openInLine } from '../../../../src/domain/serial-queue'
import type { AccountId } from '../../../../src/domain/ids'
import { type NanoUsd, nanoUsd } from '../../../../src/domain/money'
import {
  type ExchangedCalls,
  type LeaseAnswer,
  type LeaseExchange,
  isCapScope,
  scopeName,
  scopeOfName,
} from '../../../../src/ledger/leased/exchange'
import type { NodeId } from '../../../../src/domain/ids'
import type { Batch, LedgerStore } from '../../../../src/ledger/store'
import { CachedSums } from './cached-sums'
import { LeaseBook, type Question } from './lease-book'
import { isLimitName } from './limit-sums'

/**
 * Reference model of the exchange: answers exchanges of several nodes from one store, as PostgreSQL's statement
 * does from its tables. Those of a turn are one commit.
 */
interface StoreEngine {
  register(node: NodeId): void
  answer(exchange: LeaseExchange): Promise<LeaseAnswer>
  /** The node is gone: its slices go back. */
  retire(node: NodeId): Promise<void>
  /** Another process may have moved money: sums are read again. */
  expire(): void
  /** Money that all nodes together have slices of. */
  leased(): number
}

interface StoreEngineParts {
  readonly store: LedgerStore
  readonly ttlMs: number
  now(): number
  /** A node is to be asked for a scope, without waiting for its next exchange. */
  onQuestion(question: Question): void
  /** Gathers what arrives until it is called back. */
  defer(work: () => void): void
}

interface Arrived {
  readonly exchange: LeaseExchange
  answered(answer: LeaseAnswer): void
  failed(fault: unknown): void
}

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

  answer(exchange: LeaseExchange): Promise<LeaseAnswer> {
    return new Promise((answered, failed) => {
      if (this.#arrived.push({ exchange, answered, failed }) === 1)
        this.#parts.defer(() => void this.#inLine(() => this.#answerArrived()))
    })
  }

  retire(node: NodeId): Promise<void> {
    return this.#inLine(async () => {
      // What it sent last is done before.
      await this.#answerArrived()
      this.#book.retire(node)
      this.#book.forget(node)
    })
  }

  expire(): void {
    this.#sums.forget()
  }

  leased(): number {
    let sum = 0
    for (const [scope, { leased }] of this.#book.leases) if (!isLimitName(scope)) sum += leased
    return sum
  }

  async #answerArrived(): Promise<void> {
    const arrived = this.#arrived.splice(0)
    if (arrived.length === 0) return
    try {
      // What is read behind the commit has its charges already.
      await this.#sums.load(
        arrived.flatMap(({ exchange }) => exchange.lines),
        this.#parts.now(),
      )
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
    this.#answer(arrived.filter((each) => !failed.has(each)))
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
      return null
    } catch (cause) {
      return { cause }
    }
  }

  #answer(arrived: readonly Arrived[]): void {
    const now = this.#parts.now()
    for (const { exchange, answered } of arrived) answered(this.#book.answer(exchange, now))
    for (const question of this.#book.raised()) this.#parts.onQuestion(question)
    this.#sums.trim()
  }

  async #commit(exchanges: readonly LeaseExchange[]): Promise<void> {
    const durable = exchanges.some((exchange) => exchange.durable)
    const balances = await this.#parts.store.commit(exchangedBatch(exchanges), durable)
    for (const [account, balance] of balances)
      if (balance <= 0) this.#follow(account, balance, exchanges)
  }

  /**
   * Corrects a balance that is about to be charged here too, and is read anew then: it may have been lowered
   * meanwhile, and what was charged beyond it be borne by the service.
   * @param balance as the commit left it
   */
  #follow(account: AccountId, balance: NanoUsd, exchanges: readonly LeaseExchange[]): void {
    const name = scopeName({ kind: 'balance', id: account, period: '' })
    const known = this.#sums.known(name)
    if (known === undefined) return
    let charged = 0
    for (const { lines } of exchanges)
      for (const line of lines) if (line.scope === name) charged += line.charged
    this.#sums.charge(name, known - charged - balance)
    this.#sums.forget()
  }
}

/** One batch of the calls of several nodes. */
function exchangedBatch(exchanges: readonly LeaseExchange[]): Batch {
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
