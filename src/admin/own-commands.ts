import { backupFiles, nextBackup, pruneBackups, type BackupFile } from '../storage/files/backups'
import type { LiveService } from './operations/parts'
import { AdminError } from './admin-error'

type OwnService = Pick<LiveService, 'folder' | 'flush' | 'runHere' | 'clock'>

const maxBackupMs = 600_000

/** Folder of the data. @throws AdminError kept_in_memory */
function folderOf({ folder }: OwnService): string {
  if (folder === null) throw new AdminError('kept_in_memory', {})
  return folder
}

/**
 * Runs a command of this program in another process, with JSON as its output.
 * @returns the parsed output
 * @throws AdminError kept_in_memory | commands_busy | check_failed
 */
async function commandAnswer<T>(
  service: OwnService,
  words: readonly string[],
  signal: AbortSignal,
): Promise<T> {
  folderOf(service)
  await service.flush()
  const { stdout } = await service.runHere([...words, '--json'], signal)
  const failed = new AdminError('check_failed', { what: words[0] ?? '' })
  let answer: unknown
  try {
    answer = JSON.parse(stdout)
  } catch {
    throw failed
  }
  if (typeof answer === 'object' && answer !== null && 'error' in answer) throw failed
  return answer as T
}

/** Writes a backup into the folder of the data. @throws AdminError as `commandAnswer` */
export async function makeBackup(service: OwnService): Promise<BackupFile> {
  const folder = folderOf(service)
  const file = nextBackup(folder, service.clock.now())
  await commandAnswer(service, ['backup', file], AbortSignal.timeout(maxBackupMs))
  pruneBackups(folder)
  const [made] = backupFiles(folder)
  if (made === undefined) throw new AdminError('check_failed', { what: 'backup' })
  return made
}
