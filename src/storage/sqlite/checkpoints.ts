import type { Database } from 'bun:sqlite'

/** In pages of 4 KB. */
const mb = 256
/**
 * Where commits make the checkpoints: copying waits for the disk, so seldom, in large steps, is
 * cheaper than often.
 */
export const checkpointByCommits = `PRAGMA wal_autocheckpoint = ${40 * mb}`
export const checkpointElsewhere = 'PRAGMA wal_autocheckpoint = 0'
/** A log that grew longer, because a reader kept it, is cut to this once it begins anew. */
export const cutLog = `PRAGMA journal_size_limit = ${40 * mb * 4096}`
/** When what is done; in pages. */
export interface CheckpointLimits {
  /** How often the log is looked at. */
  readonly lookMs: number
  /**
   * Written since the last checkpoint when the next one is due. The first commit after a complete
   * one begins the log anew and syncs its header, on the loop: so seldom, but often enough that the
   * log stays below 25 MB.
   */
  readonly due: number
  /** A checkpoint that commits overtook is repeated at once: less is left each time. */
  readonly overtaken: number
  /** A log so long is begun anew even if commits must wait a moment for it. */
  readonly restart: number
}

export const usualLimits: CheckpointLimits = {
  lookMs: 250,
  due: 4 * mb,
  overtaken: 10 * mb,
  restart: 256 * mb,
}
const maxRepeats = 5
const longestLookMs = 4000

/** A row of `PRAGMA wal_checkpoint`: pages in the log, and how many of them are copied back. */
interface Progress {
  readonly busy: number
  readonly log: number
  readonly checkpointed: number
}

/**
 * Copies the log back into the database, by a connection that does nothing else. Passive
 * checkpoints stop nobody: neither commits nor readers. They cannot empty the log while a reader
 * holds a snapshot of it, or while commits come faster than one ends.
 * @returns a look: does what is due, and tells after how many milliseconds to look again
 */
export function openCheckpoints(raw: Database, limits: CheckpointLimits): () => number {
  const { lookMs } = limits
  const version = raw.prepare<{ data_version: number }, []>('PRAGMA data_version')
  // Counts only; a SQLite before 3.51 takes the word for a passive one.
  const count = raw.prepare<Progress, []>('PRAGMA wal_checkpoint(NOOP)')
  const passive = raw.prepare<Progress, []>('PRAGMA wal_checkpoint(PASSIVE)')
  const restart = raw.prepare<Progress, []>('PRAGMA wal_checkpoint(RESTART)')
  let seen = -1
  let waitMs = lookMs

  // What a checkpoint tells of itself leaves out what was committed meanwhile.
  const counted = (): Progress => count.get() ?? nothing

  /** @returns what is left when commits overtook it, or a reader is in the way */
  const copy = (): Progress => {
    passive.get()
    let found = counted()
    for (let again = 0; again < maxRepeats && found.log >= limits.overtaken; again++) {
      const { checkpointed } = found
      if (left(found) === 0) return found
      passive.get()
      found = counted()
      if (found.checkpointed === checkpointed) return found
    }
    return found
  }

  return () => {
    const now = version.get()?.data_version ?? seen
    if (now === seen) return waitMs
    const before = counted()
    if (left(before) < limits.due) {
      seen = now
      return (waitMs = lookMs)
    }
    let found = copy()
    // This connection waits for no lock: with a reader in the way it gives up at once, else commits
    // wait for as long as the few pages that are left take.
    if (left(found) > 0 && found.log >= limits.restart) {
      restart.get()
      found = counted()
    }
    // A reader in the way mostly stays there, and each try looks through the whole log.
    const moved = found.log < before.log || found.checkpointed > before.checkpointed
    return (waitMs = moved ? lookMs : Math.min(waitMs * 2, longestLookMs))
  }
}

const nothing: Progress = { busy: 0, log: 0, checkpointed: 0 }
const left = ({ log, checkpointed }: Progress): number => log - checkpointed
