import type { Clock, Ms } from '../domain/clock'
import { openInLine } from '../domain/in-line'
import { within } from '../domain/within'

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
  /** Those who look wait no longer for it; for as long as it takes unless told. */
  readonly patienceMs?: number
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

async function patiently(ms: number, work: Promise<void>): Promise<void> {
  await within(ms, work)
}

export function openSync(parts: SyncParts): Sync {
  const { version, clock, isDue, advance, onCommit, reload, onFault, patienceMs } = parts
  const inLine = openInLine()
  let seen = version()
  let looked: Ms | null = null
  let taking: Promise<void> | null = null
  let isAdvancing = false
  const take = (work: () => Promise<void>) => {
    const all = inLine(work)
    const now = patienceMs === undefined ? all : patiently(patienceMs, all)
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
    if (!isAdvancing && isDue(time)) {
      isAdvancing = true
      take(() => advance(time).finally(() => (isAdvancing = false)))
    }
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
