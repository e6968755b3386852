import type { Clock } from '../../domain/clock'
import type { DatabaseAddress } from '../../storage/database-address'
import { writePostgresBackup } from './backup/postgres-backup'
import { moveIn } from './migrate/move-in'
import { writeBackup } from './backup/backup'
import { restoreBackup, restoreElsewhere, type Restored } from './backup/restore'

// What is done to all data at once, by whoever runs the machine.
export { moveFolder, type FolderMoveStage } from './migrate/move-folder'
export { tryMove } from './migrate/dry-run'
export { migrationMs } from '../../storage/sqlite/migration-time'
export { renewSecrets } from './secrets/renew-secrets'

/** Data as a whole. */
interface DataPlace {
  readonly folder: string
  /** Null for the folder's own. */
  readonly database: DatabaseAddress | null
}

/**
 * Everything in one file, as it was at one moment, also while gateways serve.
 * @returns its size in bytes
 */
export const backUp = (
  { folder, database }: DataPlace,
  file: string,
  clock: Clock,
): Promise<number> =>
  database === null
    ? writeBackup(folder, file, clock)
    : writePostgresBackup(database, folder, file, clock)

/**
 * Puts a backup where data are kept; into a shared database only where that is new.
 * @param replace what the folder holds
 * @throws as `restoreBackup` and `restoreElsewhere`
 */
export async function restore(
  { folder, database }: DataPlace,
  file: string,
  { replace, clock }: { readonly replace: boolean; readonly clock: Clock },
): Promise<Restored> {
  if (database === null) return restoreBackup(file, folder, { replace, clock })
  const moved = await restoreElsewhere(
    file,
    folder,
    async (copy) => (await moveIn(copy, database)).audit,
  )
  return { ...moved, before: null }
}
