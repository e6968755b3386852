import { deserialize } from 'bun:jsc'
import { endThread, startThread, type EndOrder } from '../worker-thread'
import type { DatabaseAddress } from '../database-address'
import { DatabaseFault } from './database-fault'
import type { Given } from './translate'

/** Where the thread is to connect to, and what both share. */
interface StatementParts {
  readonly address: DatabaseAddress
  readonly name: string
  readonly statementTimeoutMs: number
  /** Its connection is given back after so long without a statement; null keeps it. */
  readonly idleMs: number | null
  /** Lock of its session: a thread that begins in the place of one that was lost ends what that left running. */
  readonly lock: bigint
  /** An answer is waited for so much longer than a statement may last. */
  readonly graceMs?: number
}

/** Messages to the thread. */
export type StatementOrder =
  | ({
      readonly order: 'begin'
      readonly shared: SharedAnswer
      /** Statement that sets something for each of its connections. */
      readonly setting: string | null
    } & StatementParts)
  | { readonly order: 'ask'; readonly text: string; readonly values: readonly Given[] }
  /** Several statements without values, at once. */
  | { readonly order: 'script'; readonly text: string }
  /** The last answer again, in what is large enough. */
  | { readonly order: 'again'; readonly shared: SharedAnswer }
  | EndOrder

/** Memory in which the thread answers. */
export interface SharedAnswer {
  /** Whether it did (1), and how many bytes. */
  readonly state: Int32Array<SharedArrayBuffer>
  readonly bytes: Uint8Array<SharedArrayBuffer>
}

/** What a statement came to. */
export interface StatementResult {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly changes: number
}

export type StatementAnswer =
  | { readonly result: StatementResult }
  | { readonly fault: { readonly code: string; readonly message: string } }

const usualBytes = 1 << 20
/** Connecting comes on top of what a statement may last. */
const usualGraceMs = 15_000

/**
 * Statements that are waited for: a thread talks to the database, this one stands still meanwhile. One
 * connection, one statement after the other. Where no answer comes, a new thread begins with a new connection.
 */
export class StatementThread {
  readonly #parts: StatementParts
  #thread: Worker | null = null
  #shared = sharedAnswer(usualBytes)
  /** What was set for the connection, and holds for the next one. */
  #setting: string | null = null
  #isOpen = true

  constructor(parts: StatementParts) {
    this.#parts = parts
  }

  /** @throws DatabaseFault */
  ask(text: string, values: readonly Given[]): StatementResult {
    return this.#answerTo({ order: 'ask', text, values })
  }

  /** @throws DatabaseFault */
  script(text: string): void {
    this.#answerTo({ order: 'script', text })
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    if (this.#thread !== null) endThread(this.#thread)
  }

  #running(): Worker {
    if (this.#thread !== null) return this.#thread
    const thread = startThread(new URL('./statement-worker.ts', import.meta.url))
    const shared = sharedAnswer(usualBytes)
    send(thread, { order: 'begin', shared, setting: this.#setting, ...this.#parts })
    this.#shared = shared
    return (this.#thread = thread)
  }

  #answerTo(order: StatementOrder): StatementResult {
    if (!this.#isOpen) throw new DatabaseFault('closed', 'the connection is closed')
    if (order.order === 'ask' && order.text.startsWith('SET ')) this.#setting = order.text
    const thread = this.#running()
    Atomics.store(this.#shared.state, 0, 0)
    send(thread, order)
    this.#wait(thread)
    const length = this.#shared.state[1] ?? 0
    if (length > this.#shared.bytes.length) {
      this.#shared = sharedAnswer(length)
      send(thread, { order: 'again', shared: this.#shared })
      this.#wait(thread)
    }
    // Copied: what is shared cannot be read from directly.
    const answer = deserialize(this.#shared.bytes.slice(0, length).buffer) as StatementAnswer
    if ('fault' in answer) throw new DatabaseFault(answer.fault.code, answer.fault.message)
    return answer.result
  }

  #wait(thread: Worker): void {
    const maxWaitMs = this.#parts.statementTimeoutMs + (this.#parts.graceMs ?? usualGraceMs)
    if (Atomics.wait(this.#shared.state, 0, 0, maxWaitMs) !== 'timed-out') return
    // Its answer may still come, and would be taken for that of the next statement.
    this.#thread = null
    thread.terminate()
    throw new DatabaseFault('away', 'the database did not answer')
  }
}

const send = (thread: Worker, order: StatementOrder): void => thread.postMessage(order, [])

export const sharedAnswer = (bytes: number): SharedAnswer => ({
  state: new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)),
  bytes: new Uint8Array(new SharedArrayBuffer(bytes)),
})
