import { serialize } from 'bun:jsc'
import type { Clock } from '../../../domain/clock'
import { endThread, startThread } from '../../../storage/worker-thread'
import type { DutyClaim } from '../../../ledger/postgres/duty-fencing'
import { SessionTurns } from '../../../storage/postgres/session-turns'
import { newSessionLock } from '../../../storage/postgres/single-session'
import { DatabaseFault } from '../../../storage/postgres/database-fault'
import type { SharedAnswer } from '../../../storage/postgres/blocking-statement'
import {
  revived,
  type Argument,
  type CallbackResult,
  type Shapes,
  type StoreAnswer,
  type StoreOrder,
  type StoreParts,
  type StorePlace,
} from './store-protocol'

/** A call that is not answered yet. */
interface Waiting {
  readonly callbacks: readonly ((...args: readonly unknown[]) => unknown)[]
  /** What callbacks threw. */
  readonly thrown: unknown[]
  resolve(value: unknown): void
  reject(fault: unknown): void
}

interface Items {
  readonly items: readonly unknown[]
  readonly isOver: boolean
}

type Ready = Extract<StoreAnswer, { ready: Shapes }>

/** More wait for nobody's sake. */
const maxWaiting = 10_000
const itemsAtOnce = 200

/**
 * Stores in a thread of their own, asked by messages. It starts anew after it was lost; what it was
 * asked is told of that.
 */
export class StoreThread {
  readonly #parts: StoreParts
  readonly #turns: SessionTurns | null
  readonly #clock: Clock
  readonly #onFault: (fault: unknown) => void
  readonly #waiting = new Map<number, Waiting>()
  #thread: Worker | null = null
  #isClosed = false
  #lastId = 0
  #zone: string | null = null
  #ready = Promise.withResolvers<Ready>()

  constructor(parts: Omit<StoreParts, 'lock'>, clock: Clock, onFault: (fault: unknown) => void) {
    this.#parts = { ...parts, lock: newSessionLock() }
    this.#turns = parts.turns === null ? null : new SessionTurns(parts.turns, 'stores')
    this.#clock = clock
    this.#onFault = onFault
  }

  /** What it can be asked. @throws what opening its stores throws */
  begin(): Promise<Ready> {
    this.#running()
    return this.#ready.promise
  }

  /** @param claim of the duty by which it writes; without it, what it writes is no duty's */
  async call(
    place: StorePlace,
    given: readonly unknown[],
    claim: DutyClaim | null = null,
  ): Promise<unknown> {
    return await this.#ask(place, given, (order) => ({ ...order, claim }))
  }

  /** Calls what gives one element after the other. */
  async *stream(place: StorePlace, given: readonly unknown[]): AsyncGenerator {
    let id = 0
    await this.#ask(place, given, (order) => ((id = order.id), order))
    let isOver = false
    try {
      while (!isOver) {
        const next = (await this.#answerTo({ order: 'pull', id, max: itemsAtOnce })) as Items
        isOver = next.isOver
        yield* next.items
      }
    } finally {
      if (!isOver) await this.#answerTo({ order: 'pull', id, max: 0 }).catch(() => {})
    }
  }

  countDaysIn(zone: string): void {
    this.#zone = zone
    // A thread that nobody asks for is not begun for that.
    if (this.#thread === null) return
    this.#send({ order: 'zone', zone, now: this.#clock.now() })
  }

  /** Returns when the thread has closed its connection. What still waits is refused. */
  close(): void {
    this.#isClosed = true
    const thread = this.#thread
    this.#thread = null
    // Chores of this thread go on when it does: the stores cannot wait for them.
    this.#turns?.end()
    this.#rejectAll(new DatabaseFault('closed', 'the storage is closed'))
    if (thread !== null) endThread(thread)
  }

  #ask(
    place: StorePlace,
    given: readonly unknown[],
    change: (order: Extract<StoreOrder, { order: 'call' }>) => StoreOrder & { readonly id: number },
  ): Promise<unknown> {
    const callbacks: Waiting['callbacks'][number][] = []
    const args = given.map((value): Argument =>
      typeof value === 'function'
        ? { callback: callbacks.push(value as Waiting['callbacks'][number]) - 1 }
        : { plain: value },
    )
    const now = this.#clock.now()
    const id = ++this.#lastId
    const order = change({ order: 'call', id, now, place, args, claim: null })
    return this.#answerTo(order, callbacks)
  }

  #answerTo(
    order: StoreOrder & { readonly id: number },
    callbacks: Waiting['callbacks'] = [],
  ): Promise<unknown> {
    if (this.#isClosed) throw new DatabaseFault('closed', 'the storage is closed')
    if (this.#waiting.size >= maxWaiting)
      throw new DatabaseFault('away', 'too many wait for the database')
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.set(order.id, { callbacks, thrown: [], resolve, reject })
    this.#send(order)
    return promise
  }

  #send(order: StoreOrder): void {
    this.#running().postMessage(order, [])
  }

  #running(): Worker {
    if (this.#thread !== null) return this.#thread
    const thread = startThread(new URL('./store-worker.ts', import.meta.url))
    thread.addEventListener('message', ({ data }: MessageEvent<StoreAnswer>) => {
      if (thread === this.#thread) this.#heard(data)
    })
    thread.addEventListener('error', (event) => {
      event.preventDefault()
      this.#lose(thread, event.message)
    })
    thread.addEventListener('close', () => this.#lose(thread, 'ended'))
    this.#thread = thread
    thread.postMessage({ order: 'begin', parts: this.#parts } satisfies StoreOrder, [])
    if (this.#zone !== null) this.countDaysIn(this.#zone)
    return thread
  }

  #heard(said: StoreAnswer): void {
    if ('ready' in said) return this.#ready.resolve(said)
    if ('unready' in said) return this.#fail(revived(said.unready))
    const waiting = this.#waiting.get(said.id)
    if (waiting === undefined) return
    if ('callback' in said) {
      const callback = waiting.callbacks[said.callback]
      return answerCallback(said.shared, waiting, () => callback?.(...said.args))
    }
    this.#waiting.delete(said.id)
    if ('fault' in said) waiting.reject(revived(said.fault, waiting.thrown))
    else waiting.resolve('items' in said ? said : said.value)
  }

  /** Its stores could not be opened. */
  #fail(fault: unknown): void {
    const thread = this.#thread
    this.#thread = null
    if (thread !== null) endThread(thread)
    this.#ready.reject(fault)
    this.#ready = Promise.withResolvers<Ready>()
    this.#rejectAll(fault)
  }

  #lose(thread: Worker, why: string): void {
    if (thread !== this.#thread) return
    this.#thread = null
    thread.terminate()
    this.#turns?.give()
    const fault = new DatabaseFault('away', `the thread of the stores is lost: ${why}`)
    this.#onFault(fault)
    this.#rejectAll(fault)
  }

  #rejectAll(fault: unknown): void {
    const all = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of all) reject(fault)
  }
}

function answerCallback(shared: SharedAnswer, { thrown }: Waiting, work: () => unknown): void {
  let result: CallbackResult
  try {
    result = { value: work() }
  } catch (fault) {
    result = { thrown: thrown.push(fault) - 1 }
  }
  let bytes = new Uint8Array(serialize(result))
  if (bytes.length > shared.bytes.length)
    bytes = new Uint8Array(
      serialize({ thrown: thrown.push(new RangeError('a callback said too much')) - 1 }),
    )
  shared.bytes.set(bytes)
  shared.state[1] = bytes.length
  Atomics.store(shared.state, 0, 1)
  Atomics.notify(shared.state, 0)
}
