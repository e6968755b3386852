import type { NanoUsd } from '../domain/money'
import type { CallEnding, CallOpening, Owed } from '../domain/record'
import type { VideoOutcome } from '../domain/video-job'
import { GatewayError } from '../errors/gateway-error'
import type { Book } from './book'
import { openSpoolWriter, type EndingSpool } from './ending-spool'
import type { Batch, LedgerStore } from './store'

/** One call on its way into the database. */
export interface Entry {
  readonly opening: CallOpening
  held: NanoUsd
  /** What it owes before it has ended; null when nothing. */
  owed: Owed | null
  ending: CallEnding | null
  /** What is written with its ending. */
  video: VideoOutcome | null
  /** Its pending row is in the database. */
  written: boolean
}

/** Records and charges of many calls, in one commit every few milliseconds. */
export interface Journal {
  open(opening: CallOpening, held: NanoUsd): Entry
  /** What a call owes that goes on: it is written as pending with it. */
  owe(entry: Entry, owed: Owed): void
  /** The charge itself is the book's; this writes it down. */
  end(entry: Entry, ending: CallEnding): void
  /** Another ending in place of one that is not written. @returns false when it is */
  amend(entry: Entry, ending: CallEnding): boolean
  /** What ended or owes so far survives this process from now on. @throws what `Ledger.spool` throws */
  spool(): void
  /** Same, in one write for all that end before it. */
  spooled(): void | Promise<void>
  /** `due` has something that no call brought: the next commit asks it, soon. */
  tell(): void
  /** @throws what the database throws; nothing is lost, the next flush writes it */
  flush(durable: boolean): void
  /** Number of ended calls that wait for a commit. */
  queueLength(): number
  /**
   * False when what ends could not be kept: too much waits for a database that does not write, the
   * disk gives the spool no room either, or it is closed.
   */
  ready(): boolean
  /** Writes what waits, durably; what ends later is written as it comes. */
  close(): void
}

export interface JournalParts {
  readonly store: LedgerStore
  readonly book: Book
  readonly spool: EndingSpool | null
  readonly flushMs: number
  /** How long a call runs, at least, before it is written as pending; at most twice as long. */
  readonly pendingAfterMs: number
  /** What is to be told because of the charges that a commit writes. */
  readonly due?: NonNullable<Batch['due']>
  /** Told after each commit. */
  onWritten?(): void
  /** Told when a commit failed; it is tried again. */
  onFault(fault: unknown): void
}

/** Calls that may wait for a commit; by then the database has not written for a long while. */
const mostWaiting = 100_000
const shortestBackoffMs = 50
const longestBackoffMs = 1000
/** Sums wait so long for more calls to be of them, and are written so many rows at a time. */
const sumAfterMs = 2000
const sumRows = 256
const sumNextMs = 10

export function openJournal(parts: JournalParts): Journal {
  const { store, book, flushMs, pendingAfterMs, onFault } = parts
  // Still running and not yet in the database, in two generations: a call that ends before its
  // second look leaves here, and is written once, as ended.
  let young = new Set<Entry>()
  let old = new Set<Entry>()
  /** What they owe is not in the database. */
  const owing = new Set<Entry>()
  let ended: Entry[] = []
  let timer: ReturnType<typeof setTimeout> | null = null
  let looking: ReturnType<typeof setTimeout> | null = null
  let summing: ReturnType<typeof setTimeout> | null = null
  let telling = false
  /** Calls were written since the round of sums began. */
  let unsummed = false
  let waitMs = flushMs
  let closed = false
  const spool = openSpoolWriter(parts.spool)
  let spooling: Promise<void> | null = null
  /** The database does not write, and the disk gives the spool nothing more. */
  let stuck = false
  /** So was told. */
  let cramped = false

  /** @param due written as pending, and with them those that owe something */
  const write = (due: readonly Entry[], durable: boolean) => {
    const nothing = due.length === 0 && ended.length === 0 && owing.size === 0
    if (!durable && !telling && nothing) return
    const opened = owing.size === 0 ? due : withOwing(due, owing)
    book.written(store.commit(batchOf({ opened, owing, ended }, parts), durable))
    telling = false
    parts.onWritten?.()
    spool.clear()
    stuck = false
    owing.clear()
    for (const entry of opened) {
      entry.written = true
      if (!old.delete(entry)) young.delete(entry)
    }
    if (ended.length > 0) {
      unsummed = true
      sumUp(sumAfterMs)
    }
    ended = []
  }

  const sumUp = (afterMs: number) => {
    if (closed) return
    summing ??= setTimeout(() => {
      summing = null
      if (afterMs === sumAfterMs) unsummed = false
      try {
        if (store.sumUp(sumRows)) return sumUp(sumNextMs)
        if (unsummed) sumUp(sumAfterMs)
      } catch (fault) {
        sumUp(sumAfterMs)
        onFault(fault)
      }
    }, afterMs)
  }

  const attempt = (opened: readonly Entry[]) => {
    try {
      write(opened, false)
      waitMs = flushMs
    } catch (fault) {
      waitMs = Math.min(Math.max(waitMs * 2, shortestBackoffMs), longestBackoffMs)
      // What room the spool has is for calls that run already.
      stuck = parts.spool?.extend() === false
      schedule()
      onFault(fault)
    }
  }

  const hasRoom = (calls: number): boolean => {
    const room = spool.roomFor(calls)
    if (!room && !cramped) onFault(new Error('the disk has no room for the spool'))
    cramped = !room
    return room
  }

  const writeSpool = () => {
    if (spool.empty()) return
    try {
      spool.write()
    } catch (fault) {
      onFault(fault)
      commitInstead()
    }
  }

  const spoolTogether = () => {
    spooling = null
    writeSpool()
  }

  const commitInstead = () => {
    try {
      write([], false)
    } catch (cause) {
      stuck = true
      schedule()
      throw new GatewayError('gateway_error', {}, { cause })
    }
  }

  const schedule = () => {
    timer ??= setTimeout(() => {
      timer = null
      attempt([])
    }, waitMs)
  }

  const look = () => {
    looking ??= setTimeout(() => {
      looking = null
      attempt(Array.from(old))
      for (const entry of young) old.add(entry)
      young = new Set()
      if (old.size > 0) look()
    }, pendingAfterMs)
  }

  return {
    open(opening, held) {
      const entry: Entry = {
        opening,
        held,
        owed: null,
        ending: null,
        video: null,
        written: false,
      }
      young.add(entry)
      look()
      return entry
    },
    owe(entry, owed) {
      entry.owed = owed
      owing.add(entry)
      if (closed) return write([], true)
      schedule()
      spool.add({ opening: entry.opening, held: entry.held, owed })
      try {
        writeSpool()
      } catch (fault) {
        onFault(fault)
      }
    },
    end(entry, ending) {
      entry.ending = ending
      owing.delete(entry)
      if (!young.delete(entry)) old.delete(entry)
      ended.push(entry)
      if (closed) return write([], true)
      schedule()
      // Nothing is lost with what costs nothing, and a video is committed before anybody is told.
      if (ending.cost > 0 && entry.video === null)
        spool.add({ opening: entry.opening, held: entry.held, ending })
    },
    amend(entry, ending) {
      if (!ended.includes(entry)) return false
      entry.ending = ending
      spool.add({ opening: entry.opening, held: entry.held, ending })
      return true
    },
    spool: writeSpool,
    spooled() {
      if (spool.empty()) return
      // What ends in the same turn is added before a microtask runs.
      return (spooling ??= Promise.resolve().then(spoolTogether))
    },
    tell() {
      telling = true
      if (!closed) schedule()
    },
    flush: (durable) => write([...old, ...young], durable),
    queueLength: () => ended.length,
    ready() {
      const running = young.size + old.size
      const kept = !closed && !stuck && running + ended.length < mostWaiting
      return kept && hasRoom(running + 1)
    },
    close() {
      closed = true
      if (timer !== null) clearTimeout(timer)
      if (looking !== null) clearTimeout(looking)
      if (summing !== null) clearTimeout(summing)
      timer = null
      looking = null
      let committed = false
      try {
        write([...old, ...young], true)
        committed = true
      } finally {
        parts.spool?.close(committed)
      }
    },
  }
}

const withOwing = (due: readonly Entry[], owing: ReadonlySet<Entry>): readonly Entry[] => [
  ...new Set([...due, ...[...owing].filter(({ written }) => !written)]),
]

/** What one commit is made of. */
interface Writing {
  readonly opened: readonly Entry[]
  readonly owing: ReadonlySet<Entry>
  readonly ended: readonly Entry[]
}

const batchOf = ({ opened, owing, ended }: Writing, { book, due }: JournalParts): Batch => ({
  opened: opened.map(({ opening }) => opening),
  ...(owing.size === 0 ? {} : { owed: owedBy(owing) }),
  ended: ended.flatMap(({ opening, ending, held, video, written }) =>
    ending === null ? [] : { opening, ending, held, video, wasOpened: written },
  ),
  spent: book.unwritten(),
  ...(due === undefined ? {} : { due }),
})

const owedBy = (owing: ReadonlySet<Entry>): NonNullable<Batch['owed']> =>
  [...owing].flatMap(({ opening, owed, held }) => (owed === null ? [] : { opening, owed, held }))
