import type { NanoUsd } from '../domain/money'
import type { CallEnding, CallOpening, AccruedCost } from '../domain/record'
import type { Holding } from './places'
import type { Batch, Carried } from './store'

/** One call on its way into the database. */
export interface Entry {
  opening: CallOpening
  held: NanoUsd
  /** What it owes before it has ended; null when nothing. */
  owed: AccruedCost | null
  ending: CallEnding | null
  /** Its money in the book of this process; null where that is elsewhere. */
  readonly holding: Holding | null
  /** What is written with its ending. */
  carried: Carried | null
  /** Its pending row is in the database. */
  written: boolean
  /** The commit, or exchange, under way writes it. */
  isBeingWritten: boolean
}

export const newEntry = (
  opening: CallOpening,
  held: NanoUsd,
  holding: Holding | null = null,
): Entry => ({
  opening,
  held,
  holding,
  owed: null,
  ending: null,
  carried: null,
  written: false,
  isBeingWritten: false,
})

/** A commit of nothing. */
export const nothingToWrite: CommitParts = {
  opened: [],
  reopened: new Set(),
  owing: new Set(),
  ended: [],
}

/** With those that owe something and are in no database yet. */
export const withOwing = (due: readonly Entry[], owing: ReadonlySet<Entry>): readonly Entry[] => [
  ...new Set([...due, ...[...owing].filter(({ written }) => !written)]),
]

/** Parts of one commit. */
export interface CommitParts {
  readonly opened: readonly Entry[]
  readonly reopened: ReadonlySet<Entry>
  readonly owing: ReadonlySet<Entry>
  readonly ended: readonly Entry[]
}

export const batchOf = (
  { opened, reopened, owing, ended }: CommitParts,
  charges: Pick<Batch, 'spent'>,
  dues: Pick<Batch, 'notices' | 'floors'>,
): Batch => ({
  opened: opened.map(({ opening }) => opening),
  ...(reopened.size === 0 ? {} : { reopened: Array.from(reopened, ({ opening }) => opening) }),
  ...(owing.size === 0 ? {} : { owed: owedBy(owing) }),
  ended: ended.flatMap(({ opening, ending, held, carried, written }) =>
    ending === null ? [] : { opening, ending, held, carried, wasOpened: written },
  ),
  ...charges,
  ...dues,
})

const owedBy = (owing: ReadonlySet<Entry>): NonNullable<Batch['owed']> =>
  [...owing].flatMap(({ opening, owed, held }) => (owed === null ? [] : { opening, owed, held }))
