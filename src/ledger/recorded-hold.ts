import { dayOf } from '../domain/clock'
import { nanoUsd, zeroUsd, type NanoUsd } from '../domain/money'
import type { CallEnding, CallOpening, AccruedCost, Unpaid } from '../domain/record'
import { noUsage } from '../domain/usage'
import type { Entry } from './journal-batch'
import type { Carried } from './store'
import type { Miscount } from './watch'

/** A journal as holds write to it. */
interface HoldJournal<Row extends Entry> {
  owe(entry: Row, owed: AccruedCost): void
  reopen(entry: Row, opening: CallOpening): void
  end(entry: Row, ending: CallEnding): void
  /** @returns false where the ending is committed, or on its way */
  amend(entry: Row, ending: CallEnding): boolean
}

/**
 * Base of all holds, wherever their money lies: they record what a call owes and how it ended, once.
 * A class, since every call makes one.
 */
export abstract class RecordedHold<Row extends Entry> {
  protected readonly entry: Row
  readonly #journal: HoldJournal<Row>
  #isOver = false

  constructor(journal: HoldJournal<Row>, entry: Row) {
    this.#journal = journal
    this.entry = entry
  }

  /** What was held becomes what is spent. */
  protected abstract close(held: NanoUsd, cost: NanoUsd): void
  /** A charge goes back. */
  protected abstract undo(cost: NanoUsd): void
  protected abstract tellMiscount(miscount: Miscount): void

  protected get isOver(): boolean {
    return this.#isOver
  }

  /** @throws Error when it is closed */
  protected open(): Row {
    if (this.#isOver) throw new Error(`the hold of ${this.entry.opening.id} is closed`)
    return this.entry
  }

  /** What it owes is charged in any case. @param most what can be charged of `cost` otherwise */
  protected noLessThanOwed(most: number, cost: NanoUsd): NanoUsd {
    return nanoUsd(Math.max(most, Math.min(cost, this.entry.owed?.cost ?? 0)))
  }

  get amount(): NanoUsd {
    return this.entry.held
  }

  owe(owed: AccruedCost): void {
    const entry = this.open()
    if (owed.cost < (entry.owed?.cost ?? 0))
      throw new Error(`${entry.opening.id} owes less than before`)
    this.#journal.owe(entry, owed)
  }

  answerAs(opening: CallOpening): void {
    const entry = this.open()
    const { id, account, created } = entry.opening
    if (opening.id !== id || opening.account !== account || opening.created !== created)
      throw new Error(`${id} is not ${opening.id}`)
    this.#journal.reopen(entry, opening)
  }

  carry(row: Carried): void {
    this.open().carried = row
  }

  settle(ending: CallEnding): void {
    const { entry } = this
    const { id } = entry.opening
    if (this.#isOver) throw new Error(`the hold of ${id} was closed twice`)
    if (ending.cost < 0) throw new Error(`a negative cost of ${id}`)
    if (ending.cost < (entry.owed?.cost ?? 0)) throw new Error(`a cost of ${id} below what it owes`)
    this.#isOver = true
    if (ending.unpaid?.isBeyondPossible === true)
      this.tellMiscount(miscountOf(entry, ending, ending.unpaid))
    this.close(entry.held, ending.cost)
    this.#journal.end(entry, ending)
  }

  release(ending: CallEnding): void {
    if (ending.cost !== 0) throw new Error(`a released call has a cost: ${this.entry.opening.id}`)
    this.settle(ending)
  }

  takeBack(): void {
    const { ending } = this.entry
    if (ending === null) return
    const free = { status: 'error', error: 'gateway_error', usage: noUsage, cost: zeroUsd } as const
    if (this.#journal.amend(this.entry, { ...ending, ...free })) this.undo(ending.cost)
  }
}

function miscountOf(
  { opening: { model, created } }: Entry,
  { vendor, cost: charged }: CallEnding,
  { cost: counted }: Unpaid,
): Miscount {
  return { source: { vendor: vendor ?? '', model }, period: dayOf(created), charged, counted }
}
