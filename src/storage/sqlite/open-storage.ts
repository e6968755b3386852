import { closeSync, mkdirSync, openSync } from 'node:fs'
import type { Clock } from '../../domain/clock'
import { databaseIn } from '../data-folder'
import { installationSecrets } from '../key-file'
import type { Storage } from '../storage'
import { openVault } from '../vault'
import { audit } from './audit'
import { openCatalogueRows } from './catalogue'
import { connect } from './connect'
import type { Connection } from './database'
import { openDirectory } from './directory'
import { lockFolder } from './folder-lock'
import { openIdentityRows } from './identity'
import { openLedgerRows } from './ledger'
import { migrate } from './migrate'
import { openReports } from './reports'
import { checkSecrets } from './secret-check'
import { openSettingRows } from './settings'
import { openSums } from './sums'
import { openNoticeRows } from './notices'
import { openPaymentRows } from './payments'
import { openVideoRows } from './videos'

export interface StorageOptions {
  /** Made when it is not there; null keeps everything in memory. */
  readonly folder: string | null
  /** A serving process takes the folder for itself; commands come and go beside it. */
  readonly exclusive: boolean
  readonly clock: Clock
}

/**
 * Everything that outlives the process, in one SQLite database.
 * @throws DataFolderBusy
 * @throws RangeError when the database was made by a newer program, or `secret.key` is damaged, gone
 *   or another one's
 */
export function openStorage({ folder, exclusive, clock }: StorageOptions): Storage {
  if (folder !== null) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const locked = folder !== null && exclusive
  const unlock = locked ? lockFolder(folder) : () => {}
  let connection: Connection | null = null
  try {
    const secrets = installationSecrets(folder)
    connection = connect(folder === null ? null : databaseFile(folder))
    migrate(connection, { folder, locked })
    if (folder !== null) checkSecrets(connection, secrets, folder)
    return storageOn(connection, { folder, secrets, clock, unlock })
  } catch (thrown) {
    connection?.close()
    unlock()
    throw thrown
  }
}

function storageOn(
  connection: Connection,
  parts: {
    readonly folder: string | null
    readonly secrets: ReturnType<typeof installationSecrets>
    readonly clock: Clock
    readonly unlock: () => void
  },
): Storage {
  const { folder, secrets, clock, unlock } = parts
  const version = connection.raw.prepare<{ data_version: number }, []>('PRAGMA data_version')
  const sums = openSums(connection)
  return {
    folder,
    ledger: openLedgerRows(connection, sums),
    identity: openIdentityRows(connection),
    directory: openDirectory(connection, clock),
    catalogue: openCatalogueRows(connection, openVault(secrets.sealingKey), clock),
    settings: openSettingRows(connection),
    reports: openReports(connection, sums),
    notices: openNoticeRows(connection),
    videos: openVideoRows(connection, sums, clock),
    payments: openPaymentRows(connection, clock),
    pepper: secrets.pepper,
    audit: () => audit(connection),
    version: () => version.get()?.data_version ?? 0,
    close() {
      try {
        // Else the next process would have to.
        sums.write(Number.POSITIVE_INFINITY)
      } finally {
        connection.close()
        unlock()
      }
    },
  }
}

/** Its owner's alone from its first moment: SQLite gives the files beside it the same rights. */
function databaseFile(folder: string): string {
  const file = databaseIn(folder)
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown
  }
  return file
}
