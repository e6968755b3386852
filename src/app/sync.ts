import type { Clock, Ms } from '../domain/clock'
import type { Storage } from '../storage/storage'

export interface SyncParts {
  readonly storage: Pick<Storage, 'version'>
  readonly clock: Clock
  /** Before each look at the database. */
  advance(now: Ms): void
  /** Another process has committed something. */
  onCommit(): void
}

/**
 * Looks for commits of other processes.
 * @returns the look: a microsecond when there are none
 */
export function openSync({ storage, clock, advance, onCommit }: SyncParts): () => void {
  let seen = storage.version()
  let looked: Ms | null = null
  return () => {
    // Looking once a millisecond is soon enough: no command can have ended in between.
    const time = clock.now()
    if (time === looked) return
    looked = time
    advance(time)
    const now = storage.version()
    if (now === seen) return
    seen = now
    onCommit()
  }
}
