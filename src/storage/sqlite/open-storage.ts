import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../domain/clock'
import { installationSecrets } from '../key-file'
import type { Storage } from '../storage'
import { openVault } from '../vault'
import { audit } from './audit'
import { openCatalogueRows } from './catalogue'
import { connect } from './connect'
import { openDirectory } from './directory'
import { lockFolder } from './folder-lock'
import { openIdentityRows } from './identity'
import { openLedgerRows } from './ledger'
import { migrate } from './migrate'

export interface StorageOptions {
  /** Made when it is not there; null keeps everything in memory. */
  readonly folder: string | null
  /** A serving process takes the folder for itself; commands come and go beside it. */
  readonly exclusive: boolean
  readonly clock: Clock
}

/**
 * Everything that outlives the process, in one SQLite database.
 * @throws DataFolderBusy | RangeError when the database was made by a newer program
 */
export function openStorage({ folder, exclusive, clock }: StorageOptions): Storage {
  if (folder !== null) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const unlock = folder !== null && exclusive ? lockFolder(folder) : () => {}
  try {
    const secrets = installationSecrets(folder)
    const file = folder === null ? null : join(folder, 'chapar.db')
    const connection = connect(file)
    if (file !== null) chmodSync(file, 0o600)
    migrate(connection, folder)
    const version = connection.raw.prepare<{ data_version: number }, []>('PRAGMA data_version')
    return {
      ledger: openLedgerRows(connection),
      identity: openIdentityRows(connection),
      directory: openDirectory(connection, clock),
      catalogue: openCatalogueRows(connection, openVault(secrets.sealingKey), clock),
      pepper: secrets.pepper,
      audit: () => audit(connection),
      version: () => version.get()?.data_version ?? 0,
      close() {
        connection.raw.close()
        unlock()
      },
    }
  } catch (thrown) {
    unlock()
    throw thrown
  }
}
