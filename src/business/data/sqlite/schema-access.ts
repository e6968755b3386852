import { migrations } from '../../../storage/migrations.macro' with { type: 'macro' }
import type { Connection } from '../../../storage/sqlite/connection'
import { finishFills, hasFills } from './finish-fills'
import { migrate, stepsOf, type Migrated, type MigrateParts } from '../../../storage/sqlite/migrate'
import { floorOf, readFloor, saveFloor } from '../../../storage/sqlite/schema-floor'

interface AccessParts extends MigrateParts {
  /** Whether the schema of an older program is brought up to this one; else it is read as it is. */
  readonly mayMigrate: boolean
}

interface SchemaAccess {
  readonly migrated: Migrated | null
  /** Why nothing may be written; null where everything may. */
  readonly readOnly: string | null
}

/**
 * Finds out what this program may do with a database of another release, and brings an older one up where it may.
 * @throws RangeError when a newer program has changed what is there, or an older one is still adding up what it was to read
 * @throws DataFolderBusy
 */
export function openSchema(connection: Connection, parts: AccessParts): SchemaAccess {
  const { mayMigrate, folder, migrations: all = migrations() } = parts
  const { applied, pending, unknown } = stepsOf(connection, all, folder)
  if (unknown > 0) {
    const writer = readFloor(connection)?.writer ?? Number.POSITIVE_INFINITY
    return { migrated: null, readOnly: writer <= all.length ? null : `${folder}: ${newerRelease}` }
  }
  if (pending.length > 0 && applied > 0 && !mayMigrate) {
    if (hasFills(connection)) throw new RangeError(olderSchema(folder))
    return { migrated: null, readOnly: olderSchema(folder) }
  }
  const migrated = migrate(connection, parts)
  finishFills(connection)
  if (mayMigrate || applied === 0) saveFloor(connection, floorOf(all))
  return { migrated, readOnly: null }
}

const olderSchema = (folder: string | null): string =>
  `the data in ${folder} are of an earlier release: use its program, or bring them up to this one with chapar serve`

export const newerRelease =
  'a newer release has changed what is written there: this program may only read it, use that one'

/** Whether a statement failed since the schema is another one, or nothing may be written. */
export function isSchemaFault(thrown: unknown): boolean {
  for (let at = thrown; at instanceof Error; at = at.cause)
    if (/no such (?:table|column)|readonly database/.test(at.message)) return true
  return false
}
