import type { AccountId } from '../domain/ids'
import { plus, type NanoUsd } from '../domain/money'
import type { CallEnding } from '../domain/record'
import { GatewayError } from '../errors/gateway-error'
import { openBook } from './book'
import type { CapSettings } from './caps'
import { openJournal } from './journal'
import type { Hold, Ledger } from './ledger'
import type { LedgerStore } from './store'
import type { Watch } from './watch'

export interface LedgerParts {
  readonly store: LedgerStore
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
export function openLedger({ store, settings, watch, onFault }: LedgerParts): Ledger {
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
  const journal = openJournal({ store, book, flushMs, pendingAfterMs, onFault, ...watching })

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
      const entry = journal.open(opening, amount)
      let over = false
      const close = (ending: CallEnding) => {
        if (over) throw new Error(`the hold of ${opening.id} was closed twice`)
        if (ending.cost < 0) throw new Error(`a negative cost of ${opening.id}`)
        if (ending.cost < (entry.owed?.cost ?? 0))
          throw new Error(`a cost of ${opening.id} below what it owes`)
        over = true
        book.close(places, entry.held, ending.cost)
        journal.end(entry, ending)
      }
      const hold: Hold = {
        get amount() {
          return entry.held
        },
        grow(by, now = caller) {
          if (over) throw new Error(`the hold of ${opening.id} is closed`)
          book.grow(now, places, { amount: by, opened: opening.created })
          entry.held = plus(entry.held, by)
        },
        owe(owed) {
          if (over) throw new Error(`the hold of ${opening.id} is closed`)
          if (owed.cost < (entry.owed?.cost ?? 0))
            throw new Error(`${opening.id} owes less than before`)
          journal.owe(entry, owed)
        },
        carry(video) {
          if (over) throw new Error(`the hold of ${opening.id} is closed`)
          entry.video = video
        },
        settle: close,
        release(ending) {
          if (ending.cost !== 0) throw new Error(`a released call has a cost: ${opening.id}`)
          close(ending)
        },
      }
      return hold
    },
    funds: book.funds,
    spentByKey: book.spentByKey,
    heldInAll: book.heldInAll,
    lengths: journal.lengths,
    flush: (durable = false) => journal.flush(durable),
    refunded: book.refunded,
    refresh: book.expire,
    close: journal.close,
  }
}
