import type { Clock, Ms } from '../../../domain/clock'
import type { Actor } from '../../../domain/audit-log'
import { databaseIn, refuseMoved } from '../../../storage/files/data-folder'
import { newSecrets } from '../../../storage/files/key-file'
import { connect } from '../../../storage/sqlite/connect'
import type { Connection } from '../../../storage/sqlite/connection'
import { lockFolder } from '../../../storage/files/folder-lock'
import { openSchema } from '../sqlite/schema-access'
import { openRecorder } from '../../audit-log/audit-log-sql'
import { readRotation, renewedRotation, saveRotation } from './rotation-state'

/** What went with the old secrets. */
interface Renewed {
  /** Keys that worked until now. */
  readonly revoked: number
  /** Vendors that are off, since nobody can open their credentials any more. */
  readonly vendors: readonly string[]
  /** Providers of SMS whose keys are forgotten. */
  readonly smsProviders: readonly string[]
  /** Gateways that take no money until their secrets are set again. */
  readonly gateways: readonly string[]
  /** Redeem codes that nobody can redeem any more. */
  readonly redeemCodes: number
  /** The sister service signs nobody in until its secret is set again. */
  readonly sister: boolean
  /** Services outside whose secrets are forgotten. */
  readonly connections: readonly string[]
  /** Webhooks of accounts that are told nothing until they are set again. */
  readonly webhooks: number
  /** Who must send national codes again; those who are verified stay so. */
  readonly verifications: number
}

/**
 * For a folder whose `secret.key` is lost: makes a new one, and takes out of the database what only
 * the old one could use. Money and history stay as they are; an old file is kept beside.
 * @throws DataFolderBusy | RangeError where its data moved to a database that needs the file
 */
export function renewSecrets(folder: string, clock: Clock, who: Actor): Renewed {
  refuseMoved(folder)
  const unlock = lockFolder(folder)
  const connection = connect(databaseIn(folder))
  try {
    const { readOnly } = openSchema(connection, { folder, locked: true, mayMigrate: false })
    if (readOnly !== null) throw new RangeError(readOnly)
    // First: cut off here, the database refuses the new file as it did the old one.
    const number = readRotation(connection).number + 1
    const [first] = newSecrets(folder, number, clock).generations
    if (first === undefined) throw new Error('a key file without a generation')
    const rotation = renewedRotation(number, first.mark, clock.now())
    const record = openRecorder(connection, clock, who)
    return record({
      what: 'secret.renew',
      work: () => forgetSealed(connection, rotation, clock.now()),
      subject: () => 'secret',
      before: () => null,
      after: ({ revoked, vendors }) => ({ revoked, vendors }),
    })
  } finally {
    connection.close()
    unlock()
  }
}

function forgetSealed(
  connection: Connection,
  rotation: ReturnType<typeof renewedRotation>,
  now: Ms,
): Renewed {
  const { raw } = connection
  const namesOf = (sql: string): readonly string[] =>
    raw
      .prepare<{ name: string }, []>(sql)
      .all()
      .map(({ name }) => name)
  const { changes: revoked } = raw
    .prepare(`UPDATE keys SET state = 'revoked' WHERE state <> 'revoked'`)
    .run()
  const vendors = namesOf(
    `UPDATE vendors SET credential = NULL, credential_active = 1, active = 0 WHERE credential IS NOT NULL
      OR name IN (SELECT vendor FROM vendor_credentials) RETURNING name`,
  )
  raw.run('DELETE FROM vendor_credentials')
  const smsProviders = namesOf(
    'UPDATE sms_providers SET secret = NULL WHERE secret IS NOT NULL RETURNING name',
  )
  const gateways = namesOf(
    'UPDATE card_gateways SET secret = NULL WHERE secret IS NOT NULL RETURNING name',
  )
  const { changes: redeemCodes } = raw
    .prepare('UPDATE redeem_codes SET revoked = ? WHERE revoked IS NULL AND redeemed IS NULL')
    .run(now)
  const sister = raw.run('UPDATE sister_service SET secret = NULL WHERE secret IS NOT NULL')
  const connections = namesOf(
    'UPDATE connections SET secret = NULL WHERE secret IS NOT NULL RETURNING name',
  )
  const webhooks = raw.run('UPDATE account_webhooks SET secret = NULL WHERE secret IS NOT NULL')
  const verifications = raw.run(
    'UPDATE verifications SET national_code = NULL, national_hash = NULL WHERE national_code IS NOT NULL',
  )
  raw.run(`UPDATE settings SET value = CAST(value AS INTEGER) + 1 WHERE key = 'catalogue_version'`)
  saveRotation(connection, rotation)
  return {
    revoked,
    vendors,
    smsProviders,
    gateways,
    redeemCodes,
    sister: sister.changes > 0,
    connections,
    webhooks: webhooks.changes,
    verifications: verifications.changes,
  }
}
