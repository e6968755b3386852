import type { Rehash } from '../../../storage/files/keyring'

/** Rows that are to have another hash, gathered: nobody who uses one waits for it. */
export interface RehashQueue {
  add(rehash: Rehash): void
  /** Writes what waits; what cannot be written is found under its older hash by the next process too. */
  close(): Promise<void>
}

const waitMs = 1000
/** More are found again by their next use. */
const maxWaiting = 10_000
const rowsAtOnce = 200

export function openRehashQueue(write: (rows: readonly Rehash[]) => Promise<void>): RehashQueue {
  const waiting = new Map<string, Rehash>()
  let timer: ReturnType<typeof setTimeout> | null = null
  const flush = async () => {
    const rows = [...waiting.values()].slice(0, rowsAtOnce)
    await write(rows)
    for (const { from } of rows) waiting.delete(from)
    if (waiting.size > 0) soon()
  }
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = null
      // A caller that is known by now is not found by its hash again.
      flush().catch(soon)
    }, waitMs)
    timer.unref()
  }
  return {
    add(rehash) {
      if (waiting.size >= maxWaiting) return
      waiting.set(rehash.from, rehash)
      soon()
    },
    async close() {
      if (waiting.size > 0) await write([...waiting.values()]).catch(() => {})
      if (timer !== null) clearTimeout(timer)
    },
  }
}
