import {
  ReadRefused,
  type AccountReader,
  type ReadRefusal,
} from '../../../domain/reports/account-reader'
import type { OperatorReader } from '../../../domain/reports/operator-reader'
import { FairLine } from '../../../storage/sqlite/fair-queue'
import {
  endThread,
  startThread as startThreadOf,
  type EndOrder,
} from '../../../storage/worker-thread'

/** Everything that is read so. */
export type StorageReader = AccountReader & OperatorReader

/** Messages to the thread. */
export type ReadOrder =
  | { readonly order: 'begin'; readonly file: string; readonly maxReadMs: number }
  | {
      readonly order: 'read'
      readonly id: number
      readonly name: keyof StorageReader
      readonly args: readonly unknown[]
    }
  | EndOrder

export type ReadAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly fault: string; readonly reason: ReadRefusal | null }

export interface ThreadReaderParts {
  readonly file: string
  /** Reads where there can be no thread. */
  readonly inPlace: StorageReader
  /** Told when a thread was lost, or could not be had. */
  onFault(fault: unknown): void
  readonly maxReadMs?: number
  readonly maxWaiting?: number
  /** Of those, reads of one account. */
  readonly maxOfAccount?: number
  /** @throws where threads are forbidden */
  startThread?(): Worker
}

interface ThreadReader {
  readonly reader: StorageReader
  /** Returns when the thread has closed its connection. What still waits is refused. */
  close(): void
}

/** Whoever reads longer keeps others waiting, and the log from beginning anew. */
const usualMaxReadMs = 2000
const usualMaxWaiting = 256
/** A page asks for half a dozen things at once; whoever asks for more must not fill the line of all. */
const usualMaxOfAccount = 64
/** How much longer than it may the thread has not answered when it is given up. */
const graceMs = 3000

interface Waiting {
  readonly name: keyof StorageReader
  readonly args: readonly unknown[]
  resolve(value: unknown): void
  reject(fault: unknown): void
}

/**
 * Reads in a thread with a connection of its own, one after the other, of each account in turn: on the event loop each would
 * stop every call for as long as it takes. The thread starts with the first read, and anew after it
 * was lost, which only the read that it was at is told of.
 */
export function openThreadReader(parts: ThreadReaderParts): ThreadReader {
  const line = new ReadingLine(parts)
  const ask =
    <Name extends keyof StorageReader>(name: Name) =>
    (...args: Parameters<StorageReader[Name]>): ReturnType<StorageReader[Name]> =>
      line.ask(name, args) as ReturnType<StorageReader[Name]>
  return {
    reader: {
      projects: ask('projects'),
      keys: ask('keys'),
      keyNames: ask('keyNames'),
      projectNames: ask('projectNames'),
      lastDays: ask('lastDays'),
      usage: ask('usage'),
      usageRows: ask('usageRows'),
      projectUsage: ask('projectUsage'),
      calls: ask('calls'),
      statement: ask('statement'),
      ledger: ask('ledger'),
      accounts: ask('accounts'),
      keysLike: ask('keysLike'),
      accountPeople: ask('accountPeople'),
      allCalls: ask('allCalls'),
      serviceSums: ask('serviceSums'),
      repricedCalls: ask('repricedCalls'),
    },
    close: () => line.close(),
  }
}

/** Reads that wait, the one that runs, and the thread that runs it. */
class ReadingLine {
  readonly #parts: ThreadReaderParts
  readonly #maxReadMs: number
  #thread: Worker | null = null
  #running: Waiting | null = null
  #giveUp: ReturnType<typeof setTimeout> | null = null
  #lastId = 0
  #closed = false
  readonly #waiting = new FairLine<Waiting>()

  constructor(parts: ThreadReaderParts) {
    this.#parts = parts
    this.#maxReadMs = parts.maxReadMs ?? usualMaxReadMs
  }

  ask(name: keyof StorageReader, args: readonly unknown[]): Promise<unknown> {
    const { maxWaiting = usualMaxWaiting, maxOfAccount = usualMaxOfAccount } = this.#parts
    const account = accountOf(args[0])
    const isFull = account !== null && this.#waiting.sizeOf(account) >= maxOfAccount
    if (this.#closed || isFull || this.#waiting.size >= maxWaiting)
      return Promise.reject(new ReadRefused('too_many'))
    return new Promise((resolve, reject) => {
      this.#waiting.add(account, { name, args, resolve, reject })
      this.#next()
    })
  }

  close(): void {
    this.#closed = true
    const left = [this.#end(), ...this.#waiting.clear()]
    for (const each of left) each?.reject(new ReadRefused('too_many'))
    if (this.#thread !== null) endThread(this.#thread)
    this.#thread = null
  }

  #next(): void {
    if (this.#running !== null) return
    const next = this.#waiting.take()
    if (next === undefined) return
    const thread = this.#thread ?? this.#start()
    if (thread === null) return void this.#readInPlace(next)
    this.#running = next
    const { name, args } = next
    this.#giveUp = setTimeout(
      () => this.#lose(thread, new ReadRefused('too_long')),
      this.#maxReadMs + graceMs,
    )
    this.#giveUp.unref()
    thread.postMessage({ order: 'read', id: ++this.#lastId, name, args } satisfies ReadOrder, [])
  }

  #start(): Worker | null {
    const { file, startThread = startReadThread, onFault } = this.#parts
    try {
      const thread = startThread()
      thread.addEventListener('message', ({ data }: MessageEvent<ReadAnswer>) => {
        if (thread === this.#thread && data.id === this.#lastId) this.#answered(data)
      })
      thread.addEventListener('error', (event) => {
        event.preventDefault()
        this.#lose(thread, new Error(`the reading thread failed: ${event.message}`))
      })
      thread.addEventListener('close', () =>
        this.#lose(thread, new Error('the reading thread has ended')),
      )
      const maxReadMs = this.#maxReadMs
      thread.postMessage({ order: 'begin', file, maxReadMs } satisfies ReadOrder, [])
      return (this.#thread = thread)
    } catch (fault) {
      onFault(fault)
      return null
    }
  }

  /** Slower for everybody else, but it is read. */
  async #readInPlace({ name, args, resolve, reject }: Waiting): Promise<void> {
    const read = this.#parts.inPlace[name] as (...args: readonly unknown[]) => Promise<unknown>
    try {
      resolve(await read(...args))
    } catch (thrown) {
      reject(thrown)
    }
    this.#next()
  }

  #answered(said: ReadAnswer): void {
    const read = this.#end()
    if ('value' in said) read?.resolve(said.value)
    else read?.reject(said.reason === null ? new Error(said.fault) : new ReadRefused(said.reason))
    this.#next()
  }

  #lose(thread: Worker, fault: Error): void {
    if (thread !== this.#thread) return
    this.#thread = null
    thread.terminate()
    this.#parts.onFault(fault)
    this.#end()?.reject(fault)
    this.#next()
  }

  /** Nothing runs any more. @returns what did */
  #end(): Waiting | null {
    if (this.#giveUp !== null) clearTimeout(this.#giveUp)
    this.#giveUp = null
    const read = this.#running
    this.#running = null
    return read
  }
}

/** The account that a read is of; null for an operator's, of all. */
function accountOf(query: unknown): unknown {
  if (typeof query === 'number') return query
  if (Array.isArray(query)) return accountOf(query[0])
  const isOfOne = typeof query === 'object' && query !== null && 'account' in query
  return isOfOne ? query.account : null
}

const startReadThread = (): Worker => startThreadOf(new URL('./reader-worker.ts', import.meta.url))
