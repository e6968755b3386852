import type { Caller } from '../domain/caller'
import type { Book } from './book-contract'
import type { HandedCall, LedgerHandover, MoneyAuthority } from './handover'
import type { Journal } from './journal-contract'
import { newEntry, type Entry } from './journal-batch'
import type { Hold } from './ledger'
import type { Holding } from './places'
import type { StoreTurns } from './store-turns'
import type { SwitchedStore } from './switched-store'
import type { Miscount } from './watch'

export interface LedgerRooms {
  readonly book: Book
  readonly journal: Journal
  /** The ledger that decides in place of this one; null while it decides itself. */
  authority: MoneyAuthority | null
  onMiscount(miscount: Miscount): void
}

interface HandoverParts {
  readonly rooms: LedgerRooms
  readonly turns: StoreTurns
  readonly store: SwitchedStore
  begun(caller: Caller, entry: Entry, holding: Holding): Hold
}

/** The ledger of this process as one that another takes over, or that takes over another. */
export function openLedgerHandover({ rooms, turns, store, begun }: HandoverParts): LedgerHandover {
  const { book, journal } = rooms
  /** Ends the turn in which this ledger rests; null while it commits. */
  let endRest: (() => void) | null = null
  const commitAgain = () => {
    endRest?.()
    endRest = null
  }
  const calls = () => journal.unwritten().map(handedCall)
  const follow = (authority: MoneyAuthority, began: (calls: readonly HandedCall[]) => void) => {
    rooms.authority = authority
    store.follow(authority.commit)
    began(calls())
  }

  return {
    async rest() {
      await journal.flush(true)
      const resting = Promise.withResolvers<void>()
      const over = Promise.withResolvers<void>()
      endRest = over.resolve
      // Sums of what is committed by then are this process's to write, and nobody's later.
      void turns
        .alone(async () => {
          store.isResting = true
          await store.own.sumUp(Number.POSITIVE_INFINITY)
          resting.resolve()
          await over.promise
        })
        .catch((fault: unknown) => {
          store.isResting = false
          endRest = null
          resting.reject(fault)
        })
      await resting.promise
    },
    async resume() {
      rooms.authority = null
      store.follow(null)
      store.isResting = false
      book.expire()
      if (endRest === null) await turns.alone(() => findWritten(journal, store))
      else await findWritten(journal, store)
      commitAgain()
    },
    abandon() {
      store.follow(() => Promise.reject(new Error('the data folder is another process’s')))
      commitAgain()
    },
    async follow(authority, began) {
      if (endRest === null) return await turns.alone(async () => follow(authority, began))
      follow(authority, began)
      commitAgain()
    },
    calls,
    async adopt(handed) {
      await Promise.all(handed.map(({ caller, opening }) => book.read(caller, opening.created)))
      return handed.map((call) => {
        const { caller, opening, held, owed, written } = call
        const holding = book.adopt(caller, call, opening.created)
        const entry = { ...newEntry(opening, held, holding), owed, written }
        journal.adopt(entry)
        return begun(caller, entry, holding)
      })
    },
  }
}

/** Pending rows that another process wrote, or did not. */
async function findWritten(journal: Journal, store: SwitchedStore): Promise<void> {
  for (const entry of journal.unwritten())
    journal.found(entry, (await store.own.find(entry.opening.id)) !== null)
}

function handedCall({ opening, held, owed, written, holding }: Entry): HandedCall {
  if (holding === null) throw new Error(`no money of ${opening.id}`)
  const { places, reserved, metered } = holding
  return { caller: places.caller, opening, held, reserved, metered, owed, written }
}
