import type { CallEnding } from '../../domain/record'
import type { Entry } from '../journal-batch'
import type { ExchangedCalls } from './exchange'
import type { Slice } from './slice'
import type { Spooled } from './spool-pair'

/** One call on its way into an exchange. */
export interface LeasedEntry extends Entry {
  readonly slices: readonly Slice[]
  /** Its records that no exchange brings yet. */
  spooled: Spooled | null
  /** The spool that its ending is in. */
  endedIn: 0 | 1
}

export interface Gathered {
  readonly calls: ExchangedCalls
  readonly ended: readonly LeasedEntry[]
  /** Written as pending. */
  readonly noted: readonly LeasedEntry[]
  /** Their pending rows get another model. */
  readonly reopened: readonly LeasedEntry[]
  /** Some are left for the next exchange. */
  readonly isMore: boolean
}

type Suspect = Omit<Gathered, 'calls' | 'isMore'>

/**
 * Calls that the next exchanges bring. Those that begin and end between two looks are written once, as
 * ended.
 */
export class ExchangedCallQueue {
  /** Begun since the last look. */
  #young = new Set<LeasedEntry>()
  readonly #old = new Set<LeasedEntry>()
  /** What they owe, or that they run, is to be written. */
  readonly #noted = new Set<LeasedEntry>()
  /** Their pending rows name another model than answers. */
  readonly #reopened = new Set<LeasedEntry>()
  readonly #ended: LeasedEntry[] = []
  /** Calls of a rejected exchange, of which one is sent at a time. */
  readonly #suspects: Suspect[] = []

  begin(entry: LeasedEntry): void {
    this.#young.add(entry)
  }

  /** @returns false when its pending row says it anyway */
  reopen(entry: LeasedEntry): boolean {
    if (!entry.written && !entry.isBeingWritten) return false
    this.#reopened.add(entry)
    return true
  }

  note(entry: LeasedEntry): void {
    this.#noted.add(entry)
  }

  /** All that run are to be written as pending. */
  noteAll(): void {
    for (const entries of [this.#young, this.#old])
      for (const entry of entries) this.#noted.add(entry)
  }

  end(entry: LeasedEntry, ending: CallEnding): void {
    entry.ending = ending
    this.#noted.delete(entry)
    if (!this.#young.delete(entry)) this.#old.delete(entry)
    this.#ended.push(entry)
  }

  /** @returns false when its ending is in an exchange */
  amend(entry: LeasedEntry, ending: CallEnding): boolean {
    if (!this.#ended.includes(entry)) return false
    entry.ending = ending
    return true
  }

  /** Another look: what was here at the last one runs for long. @returns whether some do, or will */
  look(): { readonly notes: boolean; readonly goesOn: boolean } {
    const notes = this.#old.size > 0
    for (const entry of this.#old) this.#noted.add(entry)
    for (const entry of this.#young) this.#old.add(entry)
    this.#young = new Set()
    return { notes, goesOn: this.#old.size > 0 }
  }

  /** Takes what one exchange may bring. @returns null when there is nothing */
  gather(maxCalls: number): Gathered | null {
    const suspect = this.#suspects.shift()
    if (suspect !== undefined) return this.#gathered(suspect)
    if (this.#waiting() === 0) return null
    // Before the ending of the same call.
    const reopened = takeFrom(this.#reopened, maxCalls)
    const noted = takeFrom(this.#noted, maxCalls - reopened.length)
    const ended = this.#ended.splice(0, maxCalls - reopened.length - noted.length)
    for (const entry of noted) if (!this.#old.delete(entry)) this.#young.delete(entry)
    return this.#gathered({ reopened, noted, ended })
  }

  /** Puts the calls of a rejected exchange back, to be sent one by one. */
  suspect({ ended, noted, reopened }: Suspect): void {
    for (const entry of [...ended, ...noted]) entry.isBeingWritten = false
    for (const entry of new Set([...reopened, ...noted, ...ended]))
      this.#suspects.push({
        reopened: reopened.includes(entry) ? [entry] : [],
        noted: noted.includes(entry) ? [entry] : [],
        ended: ended.includes(entry) ? [entry] : [],
      })
  }

  #gathered({ reopened, noted, ended }: Suspect): Gathered {
    const owed = noted.flatMap(({ opening, owed, held }) =>
      owed === null ? [] : { opening, owed, held },
    )
    const calls: ExchangedCalls = {
      opened: noted.flatMap(({ written, opening }) => (written ? [] : opening)),
      ...(reopened.length === 0 ? {} : { reopened: reopened.map(({ opening }) => opening) }),
      ...(owed.length === 0 ? {} : { owed }),
      ended: ended.flatMap(({ opening, ending, held, carried, written }) =>
        ending === null ? [] : { opening, ending, held, carried, wasOpened: written },
      ),
    }
    for (const entry of [...ended, ...noted]) entry.isBeingWritten = true
    return { calls, ended, noted, reopened, isMore: this.#waiting() > 0 }
  }

  /** What was gathered is written. */
  kept({ ended, noted }: Gathered): void {
    for (const entry of [...ended, ...noted]) {
      entry.isBeingWritten = false
      entry.written = true
    }
  }

  /** Calls that ended and wait. */
  endedCount(): number {
    return this.#ended.length + this.#suspects.length
  }

  /** Calls that run and are in no exchange. */
  runningCount(): number {
    return this.#young.size + this.#old.size
  }

  isEmpty(): boolean {
    return this.runningCount() + this.#waiting() === 0
  }

  #waiting(): number {
    return this.#suspects.length + this.#noted.size + this.#reopened.size + this.#ended.length
  }
}

function takeFrom(entries: Set<LeasedEntry>, max: number): readonly LeasedEntry[] {
  const taken: LeasedEntry[] = []
  for (const entry of entries) {
    if (taken.length >= max) break
    entries.delete(entry)
    taken.push(entry)
  }
  return taken
}
