import { Database } from 'bun:sqlite'
import { join } from 'node:path'

/** Another process serves this data folder. */
export class DataFolderBusy extends Error {
  constructor(folder: string, pid: number | null) {
    super(
      `the data folder ${folder} is already served${pid === null ? '' : ` by process ${pid}`}: ` +
        'stop that one first, or choose another folder with --data',
    )
    this.name = 'DataFolderBusy'
  }
}

/**
 * One serving process per data folder, whatever way an earlier one died: the lock is the
 * operating system's, held on a side file for as long as this process lives.
 * @throws DataFolderBusy
 */
export function lockFolder(folder: string): () => void {
  const lock = new Database(join(folder, 'serving.lock'), { create: true })
  try {
    lock.run('PRAGMA busy_timeout = 0')
    lock.run('PRAGMA locking_mode = EXCLUSIVE')
    lock.run('BEGIN EXCLUSIVE')
    lock.run('CREATE TABLE IF NOT EXISTS owner (pid INTEGER)')
    lock.run('COMMIT')
  } catch (cause) {
    lock.close()
    if (cause instanceof Error && 'code' in cause && String(cause.code).startsWith('SQLITE_BUSY'))
      throw new DataFolderBusy(folder, null)
    throw cause
  }
  return () => lock.close()
}
