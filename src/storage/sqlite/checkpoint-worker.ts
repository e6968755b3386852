/** The thread of the checkpointer. */
import { Database } from 'bun:sqlite'
import { openCheckpoints, type CheckpointLimits } from './checkpoints'
import type { CheckpointOrder } from './checkpointer'
import { isBusy } from './connection'
import { endSelf } from '../worker-thread'

declare const self: Worker

/** @returns what ends it and closes its connection */
function begin(file: string, limits: CheckpointLimits): () => void {
  const raw = new Database(file, { readwrite: true, create: false, strict: true })
  // Commits must never wait because this connection waits while it holds a lock.
  raw.run('PRAGMA busy_timeout = 0')
  raw.run('PRAGMA wal_autocheckpoint = 0')
  // The log is synced before its pages are copied, and the database before the log begins anew.
  raw.run('PRAGMA synchronous = NORMAL')
  const look = openCheckpoints(raw, limits)
  let timer: ReturnType<typeof setTimeout>
  const next = (afterMs: number) => {
    timer = setTimeout(() => {
      try {
        next(look())
      } catch (thrown) {
        if (isBusy(thrown)) return next(limits.lookMs)
        // Uncaught: the main thread is told that this one is gone.
        raw.close(true)
        throw thrown
      }
    }, afterMs)
  }
  next(limits.lookMs)
  return () => {
    clearTimeout(timer)
    raw.close(true)
  }
}

let end = () => {}
self.addEventListener('message', ({ data }: MessageEvent<CheckpointOrder>) => {
  if (data.order === 'begin') {
    end = begin(data.file, data.limits)
    postMessage('begun')
    return
  }
  endSelf(data, end)
})
