import { accessSync, constants, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../domain/error-code'

/**
 * Makes a data folder where there is none, for its owner alone.
 * @returns the first folder that was not there; undefined where all were
 * @throws RangeError that names the folder and why it cannot be one
 */
export function makeDataFolder(folder: string): string | undefined {
  if (folder === '') throw new RangeError('the data folder has no name: see --data and CHAPAR_DATA')
  try {
    const made = mkdirSync(folder, { recursive: true, mode: 0o700 })
    refuseForeign(folder)
    return made
  } catch (cause) {
    const why = reasons[errorCode(cause) ?? '']
    if (why === undefined) throw cause
    throw new RangeError(`${folder} cannot be the data folder: ${why}`, { cause })
  }
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'there is a file of that name',
  ENOTDIR: 'a part of its path is a file',
  EACCES: 'this user may not make it; make it as root and give it to the user who serves',
  EROFS: 'the file system is read-only',
}

/**
 * Refuses a folder whose files are another user's, as after a command of root's. SQLite opens what it may
 * not write for reading, and a lock on such a file keeps no process out. The same goes for folders and devices in their place.
 * @throws RangeError
 */
export function refuseForeign(folder: string): void {
  const { R_OK, W_OK, X_OK } = constants
  checkUse(folder, R_OK | W_OK | X_OK, folder)
  for (const placeIn of [databaseIn, lockIn, spoolIn, frontsIn, nodesIn])
    checkUse(placeIn(folder), R_OK | W_OK, folder)
  for (const fileIn of [databaseIn, lockIn, spoolIn, secretIn]) checkFile(fileIn(folder))
  // Mounted for reading alone in containers.
  checkUse(secretIn(folder), R_OK, folder)
}

/** @throws RangeError unless this user may, or it is not there */
function checkUse(path: string, mode: number, folder: string): void {
  try {
    accessSync(path, mode)
  } catch (thrown) {
    const code = errorCode(thrown)
    if (code === 'ENOENT') return
    if (code === 'EROFS')
      throw new RangeError(`the file system of ${path} is read-only: mount it for writing`)
    throw new RangeError(
      `this user may not use ${path}: run chapar as the user who serves, to whom all of it belongs (chown -R USER ${folder})`,
    )
  }
}

/** @throws RangeError where something else lies in the place of a file */
function checkFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) return
  const what = found.isDirectory() ? 'a folder' : 'no file'
  throw new RangeError(
    `${path} is ${what}, and a file of the gateway belongs there: move it elsewhere, and put back what was there`,
  )
}

/**
 * Whether the database of a folder is gone or empty, though files stand there that are made with it or after it. It
 * would be taken for a first start, with no customer and no money.
 */
export function isDatabaseGone(folder: string): boolean {
  if (sizeOf(databaseIn(folder)) > 0) return false
  return [secretIn, spoolIn].some((placeIn) => sizeOf(placeIn(folder)) > 0)
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

export const goneDatabase = (folder: string): string =>
  `the database of ${folder} is ${existsSync(databaseIn(folder)) ? 'empty' : 'gone'}`

/** What helps where a database is gone or damaged. */
export const putDatabaseBack =
  'put chapar.db back, with the chapar.db-wal that lay beside it, or a backup in its place: ' +
  'chapar restore FILE --force'

/** How long another process may take to make the database, once it has made the key. */
const makingMs = 20_000
const lookMs = 20

/** Whether another process may be about to make the database. */
function isBeingMade(folder: string): boolean {
  const made = statSync(secretIn(folder), { throwIfNoEntry: false })?.mtimeMs ?? 0
  return performance.timeOrigin + performance.now() - made < makingMs
}

/**
 * Refuses a folder whose database is gone, before another one is made there.
 * @throws RangeError
 */
export function refuseGone(folder: string): void {
  while (isDatabaseGone(folder)) {
    if (!isBeingMade(folder))
      throw new RangeError(
        `${goneDatabase(folder)}: ${putDatabaseBack}; ` +
          'to begin anew, choose an empty folder, or remove secret.key and endings.spool',
      )
    Bun.sleepSync(lookMs)
  }
}

/** Files of a data folder, and the folder itself, that others than its owner can use. */
export function openToOthers(folder: string): readonly string[] {
  if (process.platform === 'win32') return []
  return [folder, databaseIn(folder), secretIn(folder)].filter(
    (path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0,
  )
}

export const closeToOthers = (folder: string): string => `chmod -R go= ${folder}`

/** The database of a data folder. */
export const databaseIn = (folder: string): string => join(folder, 'chapar.db')
/** What opens the credentials in it, and checks its keys. */
export const secretIn = (folder: string): string => join(folder, 'secret.key')
/** What calls cost that no commit has written yet. */
export const spoolIn = (folder: string): string => join(folder, 'endings.spool')
/** Note that all of it is in another database by now: its address, without a password. */
export const movedIn = (folder: string): string => join(folder, 'moved-to')

/** Held by the process that serves. */
export const lockIn = (folder: string): string => join(folder, 'serving.lock')
/** Spools of worker processes of a former release. */
export const frontsIn = (folder: string): string => join(folder, 'fronts')
/** Places of processes that end their calls while the next one serves. */
export const leavingIn = (folder: string): string => join(folder, 'leaving')
/** Spools of processes that serve from a shared database. */
export const nodesIn = (folder: string): string => join(folder, 'nodes')

/** @throws RangeError where a folder has no data but that of a gateway on a database that nobody named */
export function refuseShared(folder: string): void {
  if (existsSync(databaseIn(folder)) || !existsSync(nodesIn(folder))) return
  throw new RangeError(
    `the gateway of ${folder} serves from a database: name it as it is named there, by --database, CHAPAR_DATABASE or CHAPAR_DATABASE_FILE`,
  )
}

/** @throws RangeError where a folder's data is somewhere else: what is written here would be lost */
export function refuseMoved(folder: string): void {
  if (!existsSync(movedIn(folder))) return
  const where = readFileSync(movedIn(folder), 'utf8').trim()
  throw new RangeError(
    `the data of ${folder} moved to ${where}: name that with --database; to come back, chapar backup of it and chapar restore --force into this folder`,
  )
}
