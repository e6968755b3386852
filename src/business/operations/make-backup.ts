import { backupFiles, nextBackup, pruneBackups, type BackupFile } from '../../storage/files/backups'
import type { LiveService } from './parts'
import { AdminError } from './admin-error'

/**
 * Writes a backup into the folder of the data.
 * @throws AdminError kept_in_memory | commands_busy | check_failed
 */
export async function makeBackup(
  service: Pick<LiveService, 'folder' | 'flush' | 'backUp' | 'clock'>,
): Promise<BackupFile> {
  const { folder } = service
  if (folder === null) throw new AdminError('kept_in_memory', {})
  const file = nextBackup(folder, service.clock.now())
  await service.flush()
  await service.backUp(file)
  pruneBackups(folder)
  const [made] = backupFiles(folder)
  if (made === undefined) throw new AdminError('check_failed', { what: 'backup' })
  return made
}
