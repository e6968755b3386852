import {
  checkpointByCommits,
  checkpointElsewhere,
  usualLimits,
  type CheckpointLimits,
} from './checkpoints'
import type { Connection } from './database'
import { endThread, startThread as startThreadOf, type EndOrder } from '../thread'

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
export function openCheckpointer(parts: CheckpointerParts): Checkpointer {
  const { connection, file, onFault, startThread = startCheckpointThread } = parts
  const { raw } = connection
  const {
    startAfterMs = usualStartMs,
    restartAfterMs = usualRestartMs,
    limits = usualLimits,
  } = parts
  let thread: Worker | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  /** Of the thread's absence; a thread that begins its work ends it. */
  let told = false
  let onSettled = () => {}

  const startAfter = (ms: number) => {
    timer = setTimeout(start, ms)
    timer.unref()
  }

  const lose = (fault: unknown) => {
    thread = null
    raw.run(checkpointByCommits)
    startAfter(restartAfterMs)
    onSettled()
    if (told) return
    told = true
    onFault(fault)
  }

  const start = () => {
    timer = null
    try {
      const begun = startThread()
      thread = begun
      begun.addEventListener('message', () => {
        if (thread !== begun) return
        raw.run(checkpointElsewhere)
        told = false
        onSettled()
      })
      begun.addEventListener('error', (event) => {
        event.preventDefault()
        if (thread === begun) lose(new Error(event.message))
      })
      begun.addEventListener('close', () => {
        if (thread === begun) lose(new Error('the thread has ended'))
      })
      begun.postMessage({ order: 'begin', file, limits } satisfies CheckpointOrder, [])
    } catch (fault) {
      lose(fault)
    }
  }

  startAfter(startAfterMs)
  return {
    begin() {
      if (timer === null) return Promise.resolve()
      clearTimeout(timer)
      return new Promise((resolve) => {
        onSettled = resolve
        start()
      })
    },
    close() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      if (thread === null) return
      endThread(thread)
      thread = null
    },
  }
}

const startCheckpointThread = (): Worker =>
  startThreadOf(new URL('./checkpoint-worker.ts', import.meta.url))
