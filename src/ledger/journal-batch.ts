import type { NanoUsd } from '../domain/money'
import type { CallEnding, CallOpening, Owed } from '../domain/record'
import type { VideoOutcome } from '../domain/video-job'
import type { Book } from './book'
import type { Batch } from './store'

/** One call on its way into the database. */
export interface Entry {
  opening: CallOpening
  held: NanoUsd
  /** What it owes before it has ended; null when nothing. */
  owed: Owed | null
  ending: CallEnding | null
  /** What is written with its ending. */
  video: VideoOutcome | null
  /** Its pending row is in the database. */
  written: boolean
}

/** With those that owe something and are in no database yet. */
export const withOwing = (due: readonly Entry[], owing: ReadonlySet<Entry>): readonly Entry[] => [
  ...new Set([...due, ...[...owing].filter(({ written }) => !written)]),
]

interface BatchParts {
  readonly book: Pick<Book, 'unwritten'>
  readonly due?: NonNullable<Batch['due']>
}

/** What one commit is made of. */
export interface Writing {
  readonly opened: readonly Entry[]
  readonly reopened: ReadonlySet<Entry>
  readonly owing: ReadonlySet<Entry>
  readonly ended: readonly Entry[]
}

export const batchOf = (
  { opened, reopened, owing, ended }: Writing,
  { book, due }: BatchParts,
): Batch => ({
  opened: opened.map(({ opening }) => opening),
  ...(reopened.size === 0 ? {} : { reopened: Array.from(reopened, ({ opening }) => opening) }),
  ...(owing.size === 0 ? {} : { owed: owedBy(owing) }),
  ended: ended.flatMap(({ opening, ending, held, video, written }) =>
    ending === null ? [] : { opening, ending, held, video, wasOpened: written },
  ),
  spent: book.unwritten(),
  ...(due === undefined ? {} : { due }),
})

const owedBy = (owing: ReadonlySet<Entry>): NonNullable<Batch['owed']> =>
  [...owing].flatMap(({ opening, owed, held }) => (owed === null ? [] : { opening, owed, held }))
