import type { NanoUsd } from '../domain/money'
import type { CallEnding, CallOpening } from '../domain/record'
import type { Book } from './book'
import type { LedgerStore } from './store'

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
  /** Calls that wait for a commit. */
  waiting(): number
  close(): void
}

export interface JournalParts {
  readonly store: LedgerStore
  readonly book: Book
  readonly flushMs: number
  /** Told when a commit failed; it is tried again. */
  onFault(fault: unknown): void
}

const longestBackoffMs = 1000

export function openJournal({ store, book, flushMs, onFault }: JournalParts): Journal {
  let fresh = new Set<Entry>()
  let ended: Entry[] = []
  let timer: ReturnType<typeof setTimeout> | null = null
  let backoffMs = flushMs

  const flush = (durable: boolean) => {
    if (fresh.size === 0 && ended.length === 0) {
      if (durable) store.commit({ opened: [], ended: [], spent: [] }, true)
      return
    }
    const opened = [...fresh]
    const sums = book.dirtySums().map((sum) => ({ ...sum, amount: sum.tally.pending() }))
    const balances = store.commit(
      {
        opened: opened.map((entry) => entry.opening),
        ended: ended.flatMap(({ opening, ending, held, written }) =>
          ending === null ? [] : [{ opening, ending, held, wasOpened: written }],
        ),
        spent: sums.map(({ scope, amount }) => ({ scope, amount })),
      },
      durable,
    )
    for (const entry of opened) entry.written = true
    fresh = new Set()
    ended = []
    for (const { tally, amount } of sums) tally.flushed(amount)
    for (const [account, tally] of book.dirtyBalances())
      tally.flushed(tally.pending(), balances.get(account))
    book.clean()
  }

  const tryFlush = () => {
    timer = null
    try {
      flush(false)
      backoffMs = flushMs
    } catch (fault) {
      onFault(fault)
      backoffMs = Math.min(Math.max(backoffMs * 2, 50), longestBackoffMs)
      schedule()
    }
  }

  const schedule = () => {
    timer ??= setTimeout(tryFlush, backoffMs)
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
      schedule()
    },
    flush,
    waiting: () => fresh.size + ended.length,
    close() {
      if (timer !== null) clearTimeout(timer)
      timer = null
      flush(true)
    },
  }
}
