import type { NanoUsd } from '../domain/money'
import type { CallEnding, CallOpening } from '../domain/record'
import type { Book } from './book'
import type { Batch, LedgerStore } from './store'

/** One call on its way into the database. */
export interface Entry {
  readonly opening: CallOpening
  held: NanoUsd
  ending: CallEnding | null
  /** Its pending row is in the database. */
  written: boolean
}

/** Records and charges of many calls, in one commit every few milliseconds. */
export interface Journal {
  open(opening: CallOpening, held: NanoUsd): Entry
  /** The charge itself is the book's; this writes it down. */
  end(entry: Entry, ending: CallEnding): void
  /** @throws what the database throws; nothing is lost, the next flush writes it */
  flush(durable: boolean): void
  /** False when too much waits for a database that does not write, and after `close`. */
  ready(): boolean
  /** Writes what waits, durably; what ends later is written as it comes. */
  close(): void
}

export interface JournalParts {
  readonly store: LedgerStore
  readonly book: Book
  readonly flushMs: number
  /** Told when a commit failed; it is tried again. */
  onFault(fault: unknown): void
}

/** Calls that may wait for a commit; by then the database has not written for a long while. */
const mostWaiting = 100_000
const shortestBackoffMs = 50
const longestBackoffMs = 1000

export function openJournal({ store, book, flushMs, onFault }: JournalParts): Journal {
  // Begun since the last commit and still running: a call that ends before the next one leaves
  // here, and is written once, as ended.
  let fresh = new Set<Entry>()
  let ended: Entry[] = []
  let timer: ReturnType<typeof setTimeout> | null = null
  let waitMs = flushMs
  let closed = false

  const flush = (durable: boolean) => {
    if (!durable && fresh.size === 0 && ended.length === 0) return
    book.written(store.commit(batchOf(fresh, ended, book), durable))
    for (const entry of fresh) entry.written = true
    fresh = new Set()
    ended = []
  }

  const tryFlush = () => {
    timer = null
    try {
      flush(false)
      waitMs = flushMs
    } catch (fault) {
      waitMs = Math.min(Math.max(waitMs * 2, shortestBackoffMs), longestBackoffMs)
      schedule()
      onFault(fault)
    }
  }

  const schedule = () => {
    timer ??= setTimeout(tryFlush, waitMs)
  }

  return {
    open(opening, held) {
      const entry: Entry = { opening, held, ending: null, written: false }
      fresh.add(entry)
      schedule()
      return entry
    },
    end(entry, ending) {
      entry.ending = ending
      fresh.delete(entry)
      ended.push(entry)
      if (closed) flush(true)
      else schedule()
    },
    flush,
    ready: () => !closed && fresh.size + ended.length < mostWaiting,
    close() {
      closed = true
      if (timer !== null) clearTimeout(timer)
      timer = null
      flush(true)
    },
  }
}

const batchOf = (fresh: ReadonlySet<Entry>, ended: readonly Entry[], book: Book): Batch => ({
  opened: Array.from(fresh, ({ opening }) => opening),
  ended: ended.flatMap(({ opening, ending, held, written }) =>
    ending === null ? [] : { opening, ending, held, wasOpened: written },
  ),
  spent: book.unwritten(),
})
