import { minus, nanoUsd, plus, zeroUsd, type NanoUsd } from '../domain/money'
import type { Caller } from '../domain/caller'
import { rejected } from '../domain/rejected-promise'
import { GatewayError } from '../errors/gateway-error'
import { openBook } from './book'
import type { Book } from './book-contract'
import type { RequestedToHold, CapSettings } from './caps'
import { openJournal } from './journal'
import {
  answerOf,
  answersBy,
  type LedgerAnswers,
  type LocalLedger,
  type MoneyAuthority,
} from './handover'
import type { Entry } from './journal-batch'
import type { EndingSpool } from './ending-spool'
import type { Hold, HoldRequest } from './ledger'
import { RecordedHold } from './recorded-hold'
import type { Holding } from './places'
import type { LedgerStore } from './store'
import { openLedgerHandover, type LedgerRooms } from './open-handover'
import { SwitchedStore } from './switched-store'
import { openStoreTurns } from './store-turns'
import { chargedIn } from './unwritten-charges'
import type { Dues, Miscount, Refused, Watch } from './watch'

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
  /** Whether what is written is lost, so that no call may begin. */
  readonly isLost?: () => boolean
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
export function openLedger(parts: LedgerParts): LocalLedger {
  const { settings, watch, onFault, spool = null, isLost = () => false } = parts
  const turns = openStoreTurns()
  const store = new SwitchedStore(parts.store)
  const onRefused = (refusal: Refused) => {
    if (watch?.refused(refusal, settings) === true) journal.tell()
  }
  const book = openBook({ store, turns, settings, onRefused, onFault })
  const { flushMs, pendingAfterMs } = settings
  const journal = openJournal({
    store,
    turns,
    book,
    spool,
    flushMs,
    pendingAfterMs,
    onFault,
    due: (charges) => watch?.due(chargedIn(charges), settings) ?? noDues,
    onWritten: (balances) => watch?.written(balances),
  })

  const rooms: LedgerRooms = {
    book,
    journal,
    authority: null,
    onMiscount: (miscount: Miscount) => watch?.miscounted(miscount),
  }

  const isReady = () => !isLost() && journal.ready()
  const checkReady = () => {
    if (!isReady()) throw new GatewayError('gateway_error', {})
  }

  const holds = new Holds(rooms, checkReady)
  const answers = answersOf(book, checkReady)
  return {
    // By the ledger that decides about money by then.
    ...answersBy((question, ...given) => answerOf(rooms.authority ?? answers, question, ...given)),
    ...openLedgerHandover({ rooms, turns, store, begun: holds.begun }),
    hold: (request) => holds.hold(request),
    heldInAll: () => book.heldInAll(),
    holds: () => book.holds(),
    queueLength: () => journal.queueLength(),
    spooled: () => journal.spooled(),
    ready: isReady,
    flush: (durable = false) => journal.flush(durable),
    refunded: (refunds) => book.refunded(refunds),
    refresh: () => book.expire(),
    close: () => journal.close(),
  }
}

const requestedIn = ({
  amount,
  possible = amount,
  endsAtMoney = false,
  opening,
}: HoldRequest): RequestedToHold => ({ amount, possible, endsAtMoney, opened: opening.created })

/** Begins holds: decided here, or where the money is by now. */
class Holds {
  readonly #rooms: LedgerRooms
  /** @throws GatewayError */
  readonly #checkReady: () => void

  constructor(rooms: LedgerRooms, checkReady: () => void) {
    this.#rooms = rooms
    this.#checkReady = checkReady
  }

  // Each call passes here, and waits for nothing where its sums are known.
  hold(request: HoldRequest): Promise<Hold> {
    const { authority, book } = this.#rooms
    try {
      this.#checkReady()
      if (authority !== null) return this.#holdThere(request, authority)
      const holding = book.holdNow(request.caller, requestedIn(request))
      return holding === null
        ? this.#holdOnceRead(request)
        : Promise.resolve(this.#holdHere(request, holding))
    } catch (thrown) {
      return rejected(thrown)
    }
  }

  readonly begun = (caller: Caller, entry: Entry, holding: Holding): Hold =>
    new CallHold(this.#rooms, caller, holding, entry)

  #holdHere({ caller, amount, opening }: HoldRequest, holding: Holding): Hold {
    return this.begun(caller, this.#rooms.journal.open(opening, amount, holding), holding)
  }

  async #holdOnceRead(request: HoldRequest): Promise<Hold> {
    const rooms = this.#rooms
    const decides = () => rooms.authority === null
    const holding = await rooms.book.hold(request.caller, requestedIn(request), decides)
    if (holding !== null) return this.#holdHere(request, holding)
    const { authority } = rooms
    if (authority === null) throw new Error('a hold that no ledger decides on')
    return await this.#holdThere(request, authority)
  }

  async #holdThere(request: HoldRequest, authority: MoneyAuthority): Promise<Hold> {
    const { book, journal } = this.#rooms
    const { caller, opening } = request
    const given = await authority.hold(request)
    const holding = book.adopt(caller, given, opening.created)
    return this.begun(caller, journal.open(opening, given.held, holding), holding)
  }
}

const noDues: Dues = { notices: [], floors: [] }

const answersOf = (book: Book, checkReady: () => void): LedgerAnswers => ({
  async check({ caller, amount, opening }) {
    checkReady()
    return await book.check(caller, amount, opening.created)
  },
  room: (caller, opened) => book.room(caller, opened),
  funds: (account) => book.funds(account),
  caps: (caller, now) => book.caps(caller, now),
  spentByKey: (id) => book.spent({ kind: 'key', id, period: '' }),
  spentByAccount: (id) => book.spent({ kind: 'account', id, period: '' }),
  spentByAccountOn: (id, day) => book.spent({ kind: 'account-day', id, period: day }),
  spentByProject: (id, month) => book.spent({ kind: 'project-month', id, period: month }),
})

class CallHold extends RecordedHold<Entry> implements Hold {
  readonly #ledger: LedgerRooms
  readonly #caller: Caller
  readonly #holding: Holding

  constructor(ledger: LedgerRooms, caller: Caller, holding: Holding, entry: Entry) {
    super(ledger.journal, entry)
    this.#ledger = ledger
    this.#caller = caller
    this.#holding = holding
  }

  get metered(): boolean {
    return this.#holding.metered
  }

  chargeable(cost: NanoUsd): NanoUsd {
    const { opening, held } = this.open()
    const { authority, book } = this.#ledger
    if (authority === null)
      return this.noLessThanOwed(book.chargeable(this.#holding, held, cost), cost)
    const most = authority.chargeable(opening.id, cost) ?? nanoUsd(Math.min(held, cost))
    if (most > held) this.#given(minus(most, held))
    return this.noLessThanOwed(most, cost)
  }

  grow(by: NanoUsd, now = this.#caller): void {
    const { opening, held } = this.open()
    const { authority, book } = this.#ledger
    if (authority !== null) {
      authority.grow(opening.id, by, now)
      return this.#given(by)
    }
    book.grow(now, this.#holding, { amount: by, opened: opening.created })
    this.entry.held = plus(held, by)
  }

  /** The book follows what another ledger decided. */
  #given(more: NanoUsd): void {
    this.#ledger.book.lower(this.#holding, minus(zeroUsd, more))
    this.entry.held = plus(this.entry.held, more)
  }

  lower(by: NanoUsd): void {
    const { opening, held } = this.open()
    const { authority, book } = this.#ledger
    authority?.lower(opening.id, by)
    book.lower(this.#holding, by)
    this.entry.held = minus(held, by)
  }

  protected close(held: NanoUsd, cost: NanoUsd): void {
    this.#ledger.book.close(this.#holding, held, cost)
  }

  protected undo(cost: NanoUsd): void {
    this.#ledger.book.takeBack(this.#holding.places, cost)
  }

  protected tellMiscount(miscount: Miscount): void {
    this.#ledger.onMiscount(miscount)
  }
}
