import { Database } from 'bun:sqlite'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { Clock } from '../../../domain/clock'
import { databaseIn, movedIn, refuseMoved } from '../../../storage/files/data-folder'
import { syncPath } from '../../../storage/files/sync-path'
import { connect } from '../../../storage/sqlite/connect'
import { databaseId } from '../../../storage/sqlite/database-id'
import { openActiveDaySlices } from '../../usage/active-day-backfill'
import { DataFolderBusy, lockFolder } from '../../../storage/files/folder-lock'
import { formerWorkersEnded } from '../former-spools'
import { leavingEnded } from '../leaving-folder'
import { openStorage } from '../sqlite/open-storage'
import type { DatabaseAddress } from '../../../storage/database-address'
import { endMove, openMove, type Move, type MovedIn, type MoveStage } from './move'

/** How far a move of a folder is, which may be served when it begins. */
export type FolderMoveStage =
  | MoveStage
  /** All but the last moments is copied: what is served from now on is copied as it comes. */
  | { readonly stage: 'waiting'; readonly pid: number | null }
  | { readonly stage: 'stopped' }

interface FolderMoveParts {
  readonly clock: Clock
  readonly tell?: (stage: FolderMoveStage) => void
  /** Asks the gateway to end, and tells whether it did; without it, somebody else does. */
  readonly stop?: ((pid: number) => boolean) | undefined
}

/** Result of the move of a folder. */
interface MovedFolder extends MovedIn {
  /** From the gateway's end until the database could be served; null where none served. */
  readonly stoppedMs: number | null
}

/**
 * Moves all that a data folder has into a new database on PostgreSQL. A gateway may serve it until all
 * but the last moments is copied; the rest waits for its end. The folder stays as it was, with a note of
 * where its data is; nobody serves it any more.
 * @throws RangeError as of `openMove` and `Move.finish`
 */
export async function moveFolder(
  folder: string,
  address: DatabaseAddress,
  { clock, tell = () => {}, stop }: FolderMoveParts,
): Promise<MovedFolder> {
  const ended = await endedBefore(folder, address)
  if (ended !== null) return ended
  refuseMoved(folder)
  let unlock = await takeQuiet(folder, clock)
  const lite = new Database(databaseIn(folder), { readonly: true, strict: true })
  try {
    await using move = await openMove(lite, address, tell)
    let stoppedAt: number | null = null
    if (unlock === null) {
      unlock = await followUntilStopped(folder, move, { tell, stop })
      stoppedAt = performance.now()
      tell({ stage: 'stopped' })
      await recover(folder, clock)
    }
    bringIn(folder)
    const moved = await move.finish()
    await move.publish(() => leaveNote(folder, address))
    return { ...moved, stoppedMs: stoppedAt === null ? null : performance.now() - stoppedAt }
  } finally {
    lite.close()
    unlock?.()
  }
}

/**
 * Takes a folder that nobody serves, brought up to this program and recovered.
 * @returns what releases it; null where a gateway serves it
 */
async function takeQuiet(folder: string, clock: Clock): Promise<(() => void) | null> {
  try {
    const storage = openStorage({ folder, exclusive: true, clock })
    await storage.close()
  } catch (thrown) {
    if (!(thrown instanceof DataFolderBusy)) throw thrown
    const storage = openStorage({ folder, exclusive: false, clock })
    const { readOnly } = storage
    await storage.close()
    // Rows that its gateway goes on to write would not fit.
    if (readOnly !== null) throw new RangeError(readOnly)
    return null
  }
  const unlock = tryLock(folder).unlock
  if (unlock !== null) await recover(folder, clock)
  return unlock
}

function tryLock(folder: string): {
  readonly unlock: (() => void) | null
  readonly pid: number | null
} {
  try {
    return { unlock: lockFolder(folder), pid: null }
  } catch (thrown) {
    if (thrown instanceof DataFolderBusy) return { unlock: null, pid: thrown.pid }
    throw thrown
  }
}

/** Rounds that leave no more than this are the last ones before the gateway ends. */
const fewRows = 5000
const maxRounds = 10
const roundMs = 2000
const lookMs = 50

/** Copies what a gateway writes as it comes, until it has ended. @returns what releases the folder */
async function followUntilStopped(
  folder: string,
  move: Move,
  { tell, stop }: Required<Pick<FolderMoveParts, 'tell'>> & Pick<FolderMoveParts, 'stop'>,
): Promise<() => void> {
  let isTold = false
  let asked = 0
  for (let round = 1; ; round++) {
    const rows = await move.catchUp()
    const until = performance.now() + (isTold ? roundMs : 0)
    do {
      const { unlock, pid } = tryLock(folder)
      if (unlock !== null) return unlock
      if (!isTold && (rows <= fewRows || round >= maxRounds)) {
        isTold = true
        tell({ stage: 'waiting', pid })
      }
      // A supervisor may have begun another one meanwhile.
      if (isTold && pid !== null && pid !== asked && stop?.(pid) === true) asked = pid
      if (isTold) await Bun.sleep(lookMs)
    } while (performance.now() < until)
  }
}

const maxFormerMs = 60_000

/**
 * Charges what a process that ended left, and writes its sums. This process has the folder's lock.
 * @throws DataFolderBusy where processes that served for one that is gone live on
 */
async function recover(folder: string, clock: Clock): Promise<void> {
  const storage = openStorage({ folder, exclusive: false, clock })
  try {
    const haveEnded =
      (await formerWorkersEnded(folder, maxFormerMs)) && (await leavingEnded(folder, maxFormerMs))
    if (!haveEnded) throw new DataFolderBusy(folder, null)
    await storage.ledger.recover()
  } finally {
    await storage.close()
  }
}

/** Keeps the accounts of days that are over, which a process that serves does by and by. */
function bringIn(folder: string): void {
  const connection = connect(databaseIn(folder))
  try {
    const slice = openActiveDaySlices(connection)
    while (slice());
  } finally {
    connection.close()
  }
}

/** Ends a move that was cut short between its note and the name of its database; null where none was. */
async function endedBefore(folder: string, address: DatabaseAddress): Promise<MovedFolder | null> {
  if (!existsSync(movedIn(folder))) return null
  if (readFileSync(movedIn(folder), 'utf8').trim() !== address.shown) return null
  const connection = connect(databaseIn(folder))
  try {
    const moved = await endMove(connection.raw, databaseId(connection), address)
    return moved === null ? null : { ...moved, stoppedMs: null }
  } finally {
    connection.close()
  }
}

function leaveNote(folder: string, { shown }: DatabaseAddress): void {
  writeFileSync(movedIn(folder), `${shown}\n`, { mode: 0o600 })
  syncPath(movedIn(folder))
  syncPath(folder)
}
