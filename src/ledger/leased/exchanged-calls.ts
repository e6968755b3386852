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
  /** The exchange in flight brings it. */
  isFlying: boolean
}

/** Calls that the next exchanges bring. */
export interface Running {
  /** Begun since the last look at those that run for long. */
  readonly young: Set<LeasedEntry>
  readonly old: Set<LeasedEntry>
  /** What they owe, or that they run, is to be written. */
  readonly owing: Set<LeasedEntry>
  /** Their pending rows name another model than answers. */
  readonly reopened: Set<LeasedEntry>
  readonly ended: LeasedEntry[]
}

export interface Gathered {
  readonly calls: ExchangedCalls
  readonly entries: readonly LeasedEntry[]
  /** Some are left for the next exchange. */
  readonly isMore: boolean
}

/** Takes what one exchange may bring. @returns null when there is nothing */
export function gatherCalls(running: Running, maxCalls: number): Gathered | null {
  const { young, old, owing, reopened } = running
  if (owing.size + reopened.size + running.ended.length === 0) return null
  // Before the ending of the same call.
  const again = takeFrom(reopened, maxCalls)
  const noted = takeFrom(owing, maxCalls - again.length)
  const ended = running.ended.splice(0, maxCalls - again.length - noted.length)
  for (const entry of noted) if (!old.delete(entry)) young.delete(entry)
  const opened = noted.filter(({ written }) => !written)
  const owed = noted.flatMap(({ opening, owed, held }) =>
    owed === null ? [] : { opening, owed, held },
  )
  const calls: ExchangedCalls = {
    opened: opened.map(({ opening }) => opening),
    ...(again.length === 0 ? {} : { reopened: again.map(({ opening }) => opening) }),
    ...(owed.length === 0 ? {} : { owed }),
    ended: ended.flatMap(({ opening, ending, held, video, written }) =>
      ending === null ? [] : { opening, ending, held, video, wasOpened: written },
    ),
  }
  const isMore = owing.size + reopened.size + running.ended.length > 0
  return { calls, entries: [...ended, ...noted], isMore }
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
