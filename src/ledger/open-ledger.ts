import type { AccountId } from '../domain/ids'
import { plus, zeroUsd, type NanoUsd } from '../domain/money'
import type { Caller } from '../domain/caller'
import type { CallEnding, Owed } from '../domain/record'
import { noUsage } from '../domain/usage'
import type { VideoOutcome } from '../domain/video-job'
import { GatewayError } from '../errors/gateway-error'
import { openBook, type Book } from './book'
import type { CapSettings } from './caps'
import { openJournal, type Entry, type Journal } from './journal'
import type { EndingSpool } from './ending-spool'
import type { Hold, Ledger } from './ledger'
import type { Places } from './places'
import type { LedgerStore } from './store'
import type { Watch } from './watch'

export interface LedgerParts {
  readonly store: LedgerStore
  /** Keeps what no commit has written yet; none for a ledger in memory. */
  readonly spool?: EndingSpool | null
  readonly settings: CapSettings & {
    /** Longest time that calls gather before one commit writes them. */
    readonly flushMs: number
    /** How long a call runs before it is written as pending: most are over by then, and written once. */
    readonly pendingAfterMs: number
  }
  /** Looks at the sums that each commit writes, and at refusals. */
  readonly watch?: Watch
  /** Told when a commit failed; nothing is lost, it is tried again. */
  onFault(fault: unknown): void
}

/**
 * The ledger of one process: the book decides in memory, the journal writes in groups. A charge
 * counts in the day and month in which its call was opened, as its hold did: so spent + held never
 * passes a cap, and a charge that comes after midnight takes nothing from the new day.
 */
export function openLedger(parts: LedgerParts): Ledger {
  const { store, settings, watch, onFault, spool = null } = parts
  const book = openBook(store, settings, (refusal) => {
    if (watch?.refused(refusal, settings) === true) journal.tell()
  })
  const { flushMs, pendingAfterMs } = settings
  const watching =
    watch === undefined
      ? {}
      : {
          due: (balances: ReadonlyMap<AccountId, NanoUsd>) =>
            watch.due(book.charged(), balances, settings),
          onWritten: watch.written,
        }
  const journal = openJournal({ store, book, spool, flushMs, pendingAfterMs, onFault, ...watching })

  const rooms = { book, journal }

  const checkReady = () => {
    if (!journal.ready()) throw new GatewayError('gateway_error', {})
  }

  return {
    check({ caller, amount, opening }) {
      checkReady()
      return book.check(caller, amount, opening.created)
    },
    hold({ caller, amount, opening }) {
      checkReady()
      const places = book.hold(caller, amount, opening.created)
      return new CallHold(rooms, caller, places, journal.open(opening, amount))
    },
    funds: book.funds,
    caps: book.caps,
    spentByKey: book.spentByKey,
    heldInAll: book.heldInAll,
    holds: book.holds,
    queueLength: journal.queueLength,
    spool: journal.spool,
    spooled: journal.spooled,
    ready: journal.ready,
    flush: (durable = false) => journal.flush(durable),
    refunded: book.refunded,
    refresh: book.expire,
    close: journal.close,
  }
}

/** A class, since every call makes one. */
class CallHold implements Hold {
  #over = false
  readonly #ledger: { readonly book: Book; readonly journal: Journal }
  readonly #caller: Caller
  readonly #places: Places
  readonly #entry: Entry

  constructor(
    ledger: { readonly book: Book; readonly journal: Journal },
    caller: Caller,
    places: Places,
    entry: Entry,
  ) {
    this.#ledger = ledger
    this.#caller = caller
    this.#places = places
    this.#entry = entry
  }

  get amount(): NanoUsd {
    return this.#entry.held
  }

  grow(by: NanoUsd, now = this.#caller): void {
    const { opening, held } = this.#open()
    this.#ledger.book.grow(now, this.#places, { amount: by, opened: opening.created })
    this.#entry.held = plus(held, by)
  }

  owe(owed: Owed): void {
    const { opening, owed: before } = this.#open()
    if (owed.cost < (before?.cost ?? 0)) throw new Error(`${opening.id} owes less than before`)
    this.#ledger.journal.owe(this.#entry, owed)
  }

  carry(video: VideoOutcome): void {
    this.#open().video = video
  }

  settle(ending: CallEnding): void {
    const entry = this.#entry
    const { id } = entry.opening
    if (this.#over) throw new Error(`the hold of ${id} was closed twice`)
    if (ending.cost < 0) throw new Error(`a negative cost of ${id}`)
    if (ending.cost < (entry.owed?.cost ?? 0)) throw new Error(`a cost of ${id} below what it owes`)
    this.#over = true
    const { book, journal } = this.#ledger
    book.close(this.#places, entry.held, ending.cost)
    journal.end(entry, ending)
  }

  release(ending: CallEnding): void {
    if (ending.cost !== 0) throw new Error(`a released call has a cost: ${this.#entry.opening.id}`)
    this.settle(ending)
  }

  takeBack(): void {
    const { ending } = this.#entry
    if (ending === null) return
    const status = { status: 'error', error: 'gateway_error' } as const
    const { book, journal } = this.#ledger
    if (journal.amend(this.#entry, { ...ending, ...status, usage: noUsage, cost: zeroUsd }))
      book.takeBack(this.#places, ending.cost)
  }

  /** @throws Error when it is closed */
  #open(): Entry {
    if (this.#over) throw new Error(`the hold of ${this.#entry.opening.id} is closed`)
    return this.#entry
  }
}
