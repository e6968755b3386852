import { accessSync, constants, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

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
    const why = reasons[(cause as NodeJS.ErrnoException).code ?? '']
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
 * not write for reading, and a lock on such a file keeps nobody out.
 * @throws RangeError
 */
export function refuseForeign(folder: string): void {
  const written = [databaseIn, lockIn, spoolIn, frontsIn, nodesIn].map((place) => place(folder))
  if (!mayUse(folder, constants.R_OK | constants.W_OK | constants.X_OK)) refuse(folder, folder)
  for (const each of written)
    if (!mayUse(each, constants.R_OK | constants.W_OK)) refuse(each, folder)
  // Mounted for reading alone in containers.
  if (!mayUse(secretIn(folder), constants.R_OK)) refuse(secretIn(folder), folder)
}

/** Whether this user may, or it is not there. */
function mayUse(path: string, mode: number): boolean {
  try {
    accessSync(path, mode)
    return true
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'ENOENT'
  }
}

function refuse(path: string, folder: string): never {
  throw new RangeError(
    `this user may not use ${path}: run chapar as the user who serves, to whom all of it belongs (chown -R USER ${folder})`,
  )
}

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
