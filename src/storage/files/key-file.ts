import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
  type Stats,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Clock } from '../../domain/clock'
import { errorCode } from '../../domain/error-code'
import { databaseIn, secretIn } from './data-folder'
import {
  firstSecrets,
  newGeneration,
  parseSecrets,
  serializeSecrets,
  type InstallationSecrets,
} from './key-file-format'
import { syncPath } from './sync-path'

/** What helps where the right file is gone. */
export const putItBack =
  'put the right one back, or a backup in the place of both (chapar restore FILE --force); ' +
  'if it is lost for good, chapar secret renew makes a new one'

/** Same, where machines share a database: all have the same file. */
export const copyIt =
  'copy that of a machine that serves from the database; ' +
  'a backup has it too: chapar restore FILE --data NEW-FOLDER takes it out'

/** The secrets of a folder, as its key file has them by now. */
export interface KeyFile {
  /** Read anew where the file is another one than before; as they were where it cannot be read. */
  current(): InstallationSecrets
}

/**
 * Reads `secret.key` beside the database; makes it before there is a database, readable to its
 * owner only. When two processes make it at once the first one's stands.
 * @param folder null: for this process only
 * @throws RangeError when the file is damaged, or gone from beside a database
 */
export function openKeyFile(folder: string | null): KeyFile {
  if (folder === null) {
    const secrets = firstSecrets(newGeneration(1))
    return { current: () => secrets }
  }
  return watched(folder, parsed(folder, read(folder) ?? makeFirst(folder), putItBack))
}

/** Refusal of a folder without the file that all machines on a database have. */
export const noSharedSecret = (folder: string): RangeError =>
  new RangeError(`there is no secret.key in ${folder}: ${copyIt}`)

/**
 * Reads the `secret.key` that all machines on a shared database have; one that is missing is never made.
 * @throws RangeError when the file is missing or damaged
 */
export function openSharedKeyFile(folder: string): KeyFile {
  const bytes = read(folder)
  if (bytes === null) throw noSharedSecret(folder)
  return watched(folder, parsed(folder, bytes, copyIt))
}

/**
 * Writes a key file: whole and on disk under another name before it gets its own.
 * @param file the folder's own, or another one
 * @throws RangeError where it cannot be written
 */
export function writeSecrets(file: string, secrets: InstallationSecrets): void {
  const draft = `${file}.${process.pid}`
  try {
    writeDraft(draft, serializeSecrets(secrets))
    renameSync(draft, file)
    syncPath(dirname(file))
  } catch (cause) {
    const code = errorCode(cause) ?? ''
    if (!unwritable.has(code)) throw cause
    throw new RangeError(
      `${file} cannot be written (${code}): name another file with --to, and put it in its place on every machine`,
      { cause },
    )
  } finally {
    if (existsSync(draft)) rmSync(draft, { force: true })
  }
}

/** A read-only file system, another user's folder, or a file that is mounted by itself. */
const unwritable = new Set(['EROFS', 'EACCES', 'EPERM', 'EBUSY', 'EXDEV'])

/**
 * Makes new ones in the place of what is there, which is kept beside.
 * @param number of their only generation
 */
export function newSecrets(folder: string, number: number, clock: Clock): InstallationSecrets {
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')
  if (existsSync(secretIn(folder))) renameSync(secretIn(folder), `${secretIn(folder)}.${stamp}`)
  return parsed(folder, make(folder, firstSecrets(newGeneration(number))), putItBack)
}

function parsed(folder: string, bytes: Uint8Array, advice: string): InstallationSecrets {
  const secrets = parseSecrets(bytes)
  if (secrets === null) throw new RangeError(`${secretIn(folder)} is damaged: ${advice}`)
  return secrets
}

function watched(folder: string, first: InstallationSecrets): KeyFile {
  let [secrets, seen] = [first, stateOf(folder)]
  return {
    current() {
      // A rotation puts another file in its place.
      const state = stateOf(folder)
      if (state === seen || state === null) return secrets
      const bytes = read(folder)
      const found = bytes === null ? null : parseSecrets(bytes)
      if (found !== null) [secrets, seen] = [found, state]
      return secrets
    },
  }
}

/** Two microseconds. */
function stateOf(folder: string): string | null {
  const stats: Stats | undefined = statSync(secretIn(folder), { throwIfNoEntry: false })
  return stats === undefined ? null : `${stats.ino} ${stats.size} ${stats.mtimeMs}`
}

function read(folder: string): Uint8Array | null {
  try {
    return new Uint8Array(readFileSync(secretIn(folder)))
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return null
    throw thrown
  }
}

/** It was there before the database was: a new one would fit nothing in it. */
function makeFirst(folder: string): Uint8Array {
  const there = existsSync(databaseIn(folder))
  // Another process may have made both since we looked.
  const made = there ? read(folder) : make(folder, firstSecrets(newGeneration(1)))
  if (made === null) throw new RangeError(`${secretIn(folder)} is gone: ${putItBack}`)
  return made
}

/** No one ever reads half of it. */
function make(folder: string, secrets: InstallationSecrets): Uint8Array {
  const draft = `${secretIn(folder)}.${process.pid}`
  writeDraft(draft, serializeSecrets(secrets))
  try {
    linkSync(draft, secretIn(folder))
  } catch (thrown) {
    if (errorCode(thrown) !== 'EEXIST') throw thrown
  } finally {
    rmSync(draft, { force: true })
  }
  const made = read(folder)
  if (made === null) throw new Error(`${secretIn(folder)} vanished`)
  return made
}

function writeDraft(draft: string, bytes: Uint8Array): void {
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
