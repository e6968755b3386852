import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { secretIn } from './data-folder'

/** The secrets of an installation: without them no key can be checked and no credential opened. */
export interface InstallationSecrets {
  /** 32 bytes: the pepper of key hashes. */
  readonly pepper: Uint8Array
  /** 32 bytes: seals vendor credentials. */
  readonly sealingKey: Uint8Array
}

const size = 64

/**
 * Reads `secret.key` beside the database, or makes it, readable to its owner only. When two
 * processes make it at once the first one's stands.
 * @param folder null: for this process only
 * @throws RangeError when the file is damaged
 */
export function installationSecrets(folder: string | null): InstallationSecrets {
  const bytes = folder === null ? fresh() : (read(folder) ?? make(folder))
  if (bytes.length !== size)
    throw new RangeError(`${secretIn(folder ?? '')} is damaged: restore it from a backup`)
  return { pepper: bytes.subarray(0, 32), sealingKey: bytes.subarray(32) }
}

const fresh = (): Uint8Array => crypto.getRandomValues(new Uint8Array(size))

function read(folder: string): Uint8Array | null {
  try {
    return new Uint8Array(readFileSync(secretIn(folder)))
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return null
    throw thrown
  }
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
