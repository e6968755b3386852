import { openInLine } from '../../domain/in-line'
import type { AccountId } from '../../domain/ids'
import { type NanoUsd, nanoUsd } from '../../domain/money'
import type { Batch, LedgerStore } from '../store'
import type { Dues } from '../watch'
import { CachedSums } from './cached-sums'
import { CommitGathering } from './commit-gathering'
import {
  type ExchangedCalls,
  type LeaseAnswer,
  type LeaseExchange,
  type NodeId,
  type NodeStanding,
  isCapScope,
  scopeName,
  scopeOfName,
} from './exchange'
import { LeaseBook, type Question } from './lease-book'
import { isLimitName } from './limit-sums'

/** Answers exchanges of several nodes from one store: those of a turn are one commit. */
export interface StoreEngine {
  register(node: NodeId): void
  /** Takes in a node of an engine that is gone: whether its next exchange was written is looked up. */
  adopt(node: NodeId, standing: NodeStanding): void
  /** @param kept told of its calls once they are written */
  answer(exchange: LeaseExchange, kept?: (calls: ExchangedCalls) => void): Promise<LeaseAnswer>
  /**
   * Its process ended: its calls are ended, then its slices go back at once.
   * @throws what the store throws; nothing happened
   */
  bury(node: NodeId, lastWords: () => Promise<Batch>): Promise<void>
  /** Another process may have moved money: sums are read anew. */
  expire(): void
  /** Writes what is to be told without a charge. */
  tell(): Promise<void>
  /** Money that all nodes together have slices of. */
  leased(): number
}

/** Finds what a commit is to tell of its charges. */
export interface EngineWatch {
  /** @param sumOf sum before the commit; undefined where nobody needed it */
  due(batch: Batch, sumOf: (scope: string) => number | undefined): Promise<Dues>
  written(balances: ReadonlyMap<AccountId, NanoUsd>): void
}

interface StoreEngineParts {
  readonly store: LedgerStore
  /** Infinite where the end of a node is seen otherwise. */
  readonly ttlMs: number
  now(): number
  /** A node is to be asked for a scope, without waiting for its next exchange. */
  onQuestion(question: Question): void
  /** Looks at what is written; nobody does unless told. */
  readonly watch?: EngineWatch
  /** Calls were written. */
  onWritten?(): void
  /** Gathers what arrives until it is called back. */
  defer(work: () => void): void
  /** How long calls of one node wait for those of other busy nodes: 0, by default, for not at all. */
  readonly gatherMs?: number
}

interface Arrived {
  readonly exchange: LeaseExchange
  readonly kept: ((calls: ExchangedCalls) => void) | undefined
  /** By an engine that is gone. */
  isWritten: boolean
  answered(answer: LeaseAnswer): void
  failed(fault: unknown): void
}

export const openStoreEngine = (parts: StoreEngineParts): StoreEngine => new BatchingEngine(parts)

class BatchingEngine implements StoreEngine {
  #arrived: Arrived[] = []
  readonly #gathering: CommitGathering<Arrived>
  #waiting: ReturnType<typeof setTimeout> | null = null
  /** Exchanges are answered one gathering after the other. */
  readonly #inLine = openInLine()
  readonly #sums: CachedSums
  readonly #book: LeaseBook
  /** Adopted, and not heard of since: their next exchange may have been written before. */
  readonly #unsure = new Set<NodeId>()
  readonly #parts: StoreEngineParts

  constructor(parts: StoreEngineParts) {
    this.#parts = parts
    this.#sums = new CachedSums(parts.store)
    this.#book = new LeaseBook(this.#sums, parts.ttlMs)
    this.#gathering = new CommitGathering(parts.gatherMs ?? 0)
  }

  register(node: NodeId): void {
    this.#book.register(node, this.#parts.now())
  }

  adopt(node: NodeId, standing: NodeStanding): void {
    this.#book.adopt(node, standing, this.#parts.now())
    this.#unsure.add(node)
  }

  answer(exchange: LeaseExchange, kept?: (calls: ExchangedCalls) => void): Promise<LeaseAnswer> {
    return new Promise((answered, failed) => {
      if (this.#arrived.push({ exchange, kept, isWritten: false, answered, failed }) === 1)
        this.#parts.defer(this.#answerAll)
    })
  }

  bury(node: NodeId, lastWords: () => Promise<Batch>): Promise<void> {
    return this.#inLine(async () => {
      // What it sent last is done before.
      await this.#answerArrived(true)
      const batch = await lastWords()
      if (batch.ended.length > 0) {
        await this.#write(batch, false)
        this.#sums.forget()
      }
      this.#unsure.delete(node)
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

  tell(): Promise<void> {
    return this.#inLine(async () => {
      await this.#write({ opened: [], ended: [], spent: [] }, false)
    })
  }

  readonly #answerAll = (): void => void this.#inLine(() => this.#answerArrived())

  /** @param all those too that wait for others */
  async #answerArrived(all = false): Promise<void> {
    const arrived = this.#gathering.take(this.#arrived.splice(0), this.#parts.now(), all)
    this.#waitForOthers()
    if (arrived.length === 0) return
    try {
      // What is read behind the commit has its charges already.
      await this.#sums.load(
        arrived.flatMap(({ exchange }) => exchange.lines),
        this.#parts.now(),
      )
      for (const each of arrived) await this.#lookForCalls(each)
    } catch (fault) {
      for (const each of arrived) each.failed(fault)
      return
    }
    const writing = arrived.filter((each) => this.#writes(each))
    const failed = new Map<Arrived, unknown>()
    if (writing.length > 0 && (await this.#fault(writing)) !== null)
      // One that cannot be kept fails alone.
      for (const each of writing) {
        const fault = await this.#fault([each])
        if (fault !== null) failed.set(each, fault.cause)
      }
    for (const { exchange, kept, isWritten } of arrived)
      if (isWritten && exchange.calls !== null) kept?.(exchange.calls)
    this.#answer(arrived.filter((each) => !failed.has(each)))
    for (const [each, fault] of failed) each.failed(fault)
  }

  #waitForOthers(): void {
    const until = this.#gathering.waitsUntil()
    if (until === Number.POSITIVE_INFINITY || this.#waiting !== null) return
    this.#waiting = setTimeout(this.#answerLate, Math.max(1, until - this.#parts.now()))
  }

  readonly #answerLate = (): void => {
    this.#waiting = null
    this.#answerAll()
  }

  #writes({ exchange, isWritten }: Arrived): boolean {
    const isFresh = this.#book.standing(exchange) === 'fresh'
    return isFresh && !isWritten && (exchange.calls !== null || exchange.durable)
  }

  /** Calls of an exchange are written all or none, so that one of them tells of all. */
  async #lookForCalls(each: Arrived): Promise<void> {
    const { node, calls } = each.exchange
    if (!this.#unsure.has(node)) return
    const [opened] = calls?.opened ?? []
    const [ended] = calls?.ended ?? []
    const one = opened ?? ended?.opening
    const row = one === undefined ? null : await this.#parts.store.find(one.id)
    each.isWritten = row !== null && (opened !== undefined || row.status !== 'pending')
    this.#unsure.delete(node)
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

  #answer(arrived: readonly Arrived[]): void {
    const now = this.#parts.now()
    for (const { exchange, answered, isWritten } of arrived)
      answered(this.#book.answer(exchange, now, isWritten))
    for (const question of this.#book.raised()) this.#parts.onQuestion(question)
    this.#sums.trim()
  }

  async #commit(exchanges: readonly LeaseExchange[]): Promise<void> {
    const durable = exchanges.some((exchange) => exchange.durable)
    const balances = await this.#write(exchangedBatch(exchanges), durable)
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

  async #write(batch: Batch, durable: boolean): Promise<ReadonlyMap<AccountId, NanoUsd>> {
    const { store, watch, onWritten } = this.#parts
    const dues = (await watch?.due(batch, (scope) => this.#sums.known(scope))) ?? null
    const balances = await store.commit(dues === null ? batch : { ...batch, ...dues }, durable)
    watch?.written(balances)
    onWritten?.()
    return balances
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
