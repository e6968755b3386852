import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

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
 */
export function installationSecrets(folder: string | null): InstallationSecrets {
  const bytes = folder === null ? fresh() : (read(folder) ?? make(folder))
  if (bytes.length !== size)
    throw new RangeError(`${join(folder ?? '', 'secret.key')} is damaged: restore it from a backup`)
  return { pepper: bytes.subarray(0, 32), sealingKey: bytes.subarray(32) }
}

const fresh = (): Uint8Array => crypto.getRandomValues(new Uint8Array(size))

function read(folder: string): Uint8Array | null {
  try {
    return new Uint8Array(readFileSync(join(folder, 'secret.key')))
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return null
    throw cause
  }
}

function make(folder: string): Uint8Array {
  const draft = join(folder, `secret.key.${process.pid}`)
  writeFileSync(draft, fresh(), { mode: 0o600 })
  chmodSync(draft, 0o600)
  try {
    linkSync(draft, join(folder, 'secret.key'))
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) throw cause
  } finally {
    rmSync(draft, { force: true })
  }
  return read(folder) ?? fresh()
}
