import type { Clock, Ms } from '../domain/clock'
import { openInLine } from '../domain/in-line'

interface SyncParts {
  /** A number that changes when another process has committed; about a microsecond. */
  version(): number
  readonly clock: Clock
  /** Whether something is due by itself, at each look. */
  isDue(now: Ms): boolean
  /** Takes in what is due by itself. */
  advance(now: Ms): Promise<void>
  /** Another process has committed something: told at once. */
  onCommit(): void
  /** Takes in what that was. */
  reload(): Promise<void>
  /** Told what could not be taken in, as is everybody who waits for it. */
  onFault(fault: unknown): void
}

/** Looks for commits of other processes: a microsecond when there are none. */
interface Sync {
  /** Over when they are taken in, for everybody who looks meanwhile. */
  sync(): Promise<void>
  /** Same; null where nothing is to be taken in. */
  changes(): Promise<void> | null
}

const nothing = Promise.resolve()

export function openSync(parts: SyncParts): Sync {
  const { version, clock, isDue, advance, onCommit, reload, onFault } = parts
  const inLine = openInLine()
  let seen = version()
  let looked: Ms | null = null
  let taking: Promise<void> | null = null
  const take = (work: () => Promise<void>) => {
    const now = inLine(work)
    taking = now
    const over = () => {
      if (taking === now) taking = null
    }
    now.then(over, (fault: unknown) => {
      over()
      onFault(fault)
    })
  }
  const changes = () => {
    // Looking once a millisecond is soon enough: no command can have ended in between.
    const time = clock.now()
    if (time === looked) return taking
    looked = time
    if (isDue(time)) take(() => advance(time))
    const now = version()
    if (now !== seen) {
      seen = now
      onCommit()
      take(reload)
    }
    return taking
  }
  return { changes, sync: () => changes() ?? nothing }
}
