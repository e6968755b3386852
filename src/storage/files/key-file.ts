import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../domain/clock'
import { databaseIn, secretIn } from './data-folder'

/** The secrets of an installation: without them no key can be checked and no credential opened. */
export interface InstallationSecrets {
  /** 32 bytes: the pepper of key hashes. */
  readonly pepper: Uint8Array
  /** 32 bytes: seals vendor credentials. */
  readonly sealingKey: Uint8Array
}

export const secretSize = 64

/** What helps where the right file is gone. */
export const putItBack =
  'put the right one back, or a backup in the place of both (chapar restore FILE --force); ' +
  'if it is lost for good, chapar secret renew makes a new one'

/** Same, where machines share a database: all have the same file. */
export const copyIt =
  'copy that of a machine that serves from the database; ' +
  'a backup has it too: chapar restore FILE --data NEW-FOLDER takes it out'

/**
 * Reads `secret.key` beside the database; makes it before there is a database, readable to its
 * owner only. When two processes make it at once the first one's stands.
 * @param folder null: for this process only
 * @throws RangeError when the file is damaged, or gone from beside a database
 */
export function installationSecrets(folder: string | null): InstallationSecrets {
  const bytes = folder === null ? fresh() : (read(folder) ?? makeFirst(folder))
  if (bytes.length !== secretSize)
    throw new RangeError(`${secretIn(folder ?? '')} is damaged: ${putItBack}`)
  return secretsOf(bytes)
}

/** Refusal of a folder without the file that all machines on a database have. */
export const noSharedSecret = (folder: string): RangeError =>
  new RangeError(`there is no secret.key in ${folder}: ${copyIt}`)

/**
 * Reads the `secret.key` that all machines on a shared database have; one that is missing is never made.
 * @throws RangeError when the file is missing or damaged
 */
export function sharedSecrets(folder: string): InstallationSecrets {
  const bytes = read(folder)
  if (bytes === null) throw noSharedSecret(folder)
  if (bytes.length !== secretSize) throw new RangeError(`${secretIn(folder)} is damaged: ${copyIt}`)
  return secretsOf(bytes)
}

/** Makes new ones in the place of what is there, which is kept beside. */
export function newSecrets(folder: string, clock: Clock): InstallationSecrets {
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[:.]/g, '-')
  if (existsSync(secretIn(folder))) renameSync(secretIn(folder), `${secretIn(folder)}.${stamp}`)
  return secretsOf(make(folder))
}

/** The two parts of what the file holds. */
export const secretsOf = (bytes: Uint8Array): InstallationSecrets => ({
  pepper: bytes.subarray(0, 32),
  sealingKey: bytes.subarray(32),
})

const fresh = (): Uint8Array => crypto.getRandomValues(new Uint8Array(secretSize))

function read(folder: string): Uint8Array | null {
  try {
    return new Uint8Array(readFileSync(secretIn(folder)))
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return null
    throw thrown
  }
}

/** It was there before the database was: a new one would fit nothing in it. */
function makeFirst(folder: string): Uint8Array {
  const there = existsSync(databaseIn(folder))
  // Another process may have made both since we looked.
  const made = there ? read(folder) : make(folder)
  if (made === null) throw new RangeError(`${secretIn(folder)} is gone: ${putItBack}`)
  return made
}

/** Whole and on disk under another name before it gets its own: no one ever reads half of it. */
function make(folder: string): Uint8Array {
  const draft = join(folder, `secret.key.${process.pid}`)
  rmSync(draft, { force: true })
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, fresh())
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(draft, secretIn(folder))
  } catch (thrown) {
    if (!hasCode(thrown, 'EEXIST')) throw thrown
  } finally {
    rmSync(draft, { force: true })
  }
  const made = read(folder)
  if (made === null) throw new Error(`${secretIn(folder)} vanished`)
  return made
}

const hasCode = (thrown: unknown, code: string): boolean =>
  thrown instanceof Error && 'code' in thrown && thrown.code === code
