import { plus } from '../domain/money'
import type { CallEnding } from '../domain/record'
import { GatewayError } from '../errors/gateway-error'
import { openBook } from './book'
import type { CapSettings } from './caps'
import { openJournal } from './journal'
import type { Hold, Ledger } from './ledger'
import { openPeriods } from './periods'
import type { LedgerStore } from './store'

export interface LedgerParts {
  readonly store: LedgerStore
  readonly settings: CapSettings & {
    /** Longest time that calls gather before one commit writes them. */
    readonly flushMs: number
  }
  /** Told when a commit failed; nothing is lost, it is tried again. */
  onFault(fault: unknown): void
}

/** Calls that may wait for a database that does not write; beyond, new ones are refused. */
const mostWaiting = 100_000

/**
 * The ledger of one process: the book decides in memory, the journal writes in groups. A charge
 * counts in the day and month in which its call was opened, so that spent + held never passes a cap.
 */
export function openLedger({ store, settings, onFault }: LedgerParts): Ledger {
  const book = openBook(store, settings, openPeriods())
  const journal = openJournal({ store, book, flushMs: settings.flushMs, onFault })

  return {
    hold({ caller, amount, opening }) {
      if (journal.waiting() > mostWaiting) throw new GatewayError('gateway_error', {})
      const places = book.hold(caller, amount, opening.created)
      const entry = journal.open(opening, amount)
      let over = false
      const close = (ending: CallEnding) => {
        if (over) throw new Error(`the hold of ${opening.id} was closed twice`)
        over = true
        book.drop(places, entry.held)
        book.charge(places, ending.cost)
        journal.end(entry, ending)
      }
      const hold: Hold = {
        get amount() {
          return entry.held
        },
        grow(by) {
          if (over) throw new Error(`the hold of ${opening.id} is closed`)
          book.grow(caller, places, by)
          entry.held = plus(entry.held, by)
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
    flush: (durable = false) => journal.flush(durable),
    refresh: book.expire,
    close: journal.close,
  }
}
