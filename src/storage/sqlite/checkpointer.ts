import {
  checkpointByCommits,
  checkpointElsewhere,
  usualLimits,
  type CheckpointLimits,
} from './checkpoints'
import type { Connection } from './connection'
import { endThread, startThread as startThreadOf, type EndOrder } from '../worker-thread'

/** Messages to the thread. */
export type CheckpointOrder =
  { readonly order: 'begin'; readonly file: string; readonly limits: CheckpointLimits } | EndOrder

/** Copies the log of a database back into its file, beside the event loop. */
interface Checkpointer {
  /** Starts the thread now. Resolves once it has begun, or cannot. */
  begin(): Promise<void>
  /** Returns when the thread has closed its connection. */
  close(): void
}

export interface CheckpointerParts {
  /** The one whose commits make no checkpoints while there is a thread for them. */
  readonly connection: Pick<Connection, 'raw'>
  readonly file: string
  /** Called once for each loss of the thread: commits make the checkpoints until it is back. */
  onFault(fault: unknown): void
  readonly startAfterMs?: number
  readonly restartAfterMs?: number
  readonly limits?: CheckpointLimits
  /** @throws where threads are forbidden */
  startThread?(): Worker
}

/** Processes that end sooner need no thread. */
const usualStartMs = 250
const usualRestartMs = 60_000

/**
 * Checkpoints from a thread with a connection of its own: inside a commit they stop the event loop
 * for as long as the disk takes. Without a thread, commits make them, as on any connection.
 */
export const openCheckpointer = (parts: CheckpointerParts): Checkpointer => new OwnThread(parts)

class OwnThread implements Checkpointer {
  readonly #parts: CheckpointerParts
  #thread: Worker | null = null
  #timer: ReturnType<typeof setTimeout> | null = null
  /** Of the thread's absence; a thread that begins its work ends it. */
  #isToldOf = false
  #onSettled = () => {}

  constructor(parts: CheckpointerParts) {
    this.#parts = parts
    this.#startAfter(parts.startAfterMs ?? usualStartMs)
  }

  begin(): Promise<void> {
    if (this.#timer === null) return Promise.resolve()
    clearTimeout(this.#timer)
    return new Promise((resolve) => {
      this.#onSettled = resolve
      this.#start()
    })
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#thread === null) return
    endThread(this.#thread)
    this.#thread = null
  }

  #startAfter(ms: number): void {
    this.#timer = setTimeout(() => this.#start(), ms)
    this.#timer.unref()
  }

  #start(): void {
    const { file, limits = usualLimits, startThread = startCheckpointThread } = this.#parts
    this.#timer = null
    try {
      const begun = startThread()
      this.#thread = begun
      begun.addEventListener('message', () => {
        if (this.#thread === begun) this.#begun()
      })
      begun.addEventListener('error', (event) => {
        event.preventDefault()
        if (this.#thread === begun) this.#lose(new Error(event.message))
      })
      begun.addEventListener('close', () => {
        if (this.#thread === begun) this.#lose(new Error('the thread has ended'))
      })
      begun.postMessage({ order: 'begin', file, limits } satisfies CheckpointOrder, [])
    } catch (fault) {
      this.#lose(fault)
    }
  }

  #begun(): void {
    this.#parts.connection.raw.run(checkpointElsewhere)
    this.#isToldOf = false
    this.#onSettled()
  }

  #lose(fault: unknown): void {
    this.#thread = null
    this.#parts.connection.raw.run(checkpointByCommits)
    this.#startAfter(this.#parts.restartAfterMs ?? usualRestartMs)
    this.#onSettled()
    if (this.#isToldOf) return
    this.#isToldOf = true
    this.#parts.onFault(fault)
  }
}

const startCheckpointThread = (): Worker =>
  startThreadOf(new URL('./checkpoint-worker.ts', import.meta.url))
