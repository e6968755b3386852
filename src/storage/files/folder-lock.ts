import { Database } from 'bun:sqlite'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isBusy } from '../sqlite/connection'
import { lockIn, refuseForeign } from './data-folder'

/** Another process serves this data folder. */
export class DataFolderBusy extends Error {
  /** @param pid of that process, unless it has only just begun */
  constructor(
    folder: string,
    readonly pid: number | null,
  ) {
    super(
      `the data folder ${folder} is already served${pid === null ? '' : ` by process ${pid}`}: ` +
        'stop that one first, or choose another folder with --data',
    )
    this.name = 'DataFolderBusy'
  }
}

/**
 * One serving process per data folder, whatever way an earlier one died. Who holds the lock is
 * written beside it, for people.
 * @throws DataFolderBusy | RangeError where this user may not write the folder
 */
export function lockFolder(folder: string): () => void {
  refuseForeign(folder)
  const owner = join(folder, 'serving.pid')
  const unlock = lockFile(lockIn(folder))
  if (unlock === null) throw new DataFolderBusy(folder, ownerPid(owner))
  try {
    writeFileSync(owner, `${process.pid}\n`, { mode: 0o600 })
  } catch (thrown) {
    unlock()
    throw thrown
  }
  let released = false
  return () => {
    if (released) return
    released = true
    rmSync(owner, { force: true })
    unlock()
  }
}

/**
 * Takes a lock of the operating system's on a file, for as long as this process lives at most.
 * @returns what releases it; null where another process has it
 */
export function lockFile(file: string): (() => void) | null {
  const lock = new Database(file, { create: true })
  try {
    lock.run('PRAGMA busy_timeout = 0')
    lock.run('PRAGMA locking_mode = EXCLUSIVE')
    lock.run('BEGIN EXCLUSIVE')
    lock.run('CREATE TABLE IF NOT EXISTS held (once INTEGER)')
    lock.run('COMMIT')
    return () => lock.close(true)
  } catch (cause) {
    lock.close(true)
    if (isBusy(cause)) return null
    throw cause
  }
}

/** Whoever holds the lock wrote its id, but for the first moment. */
function ownerPid(file: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
    return Number.isNaN(pid) ? null : pid
  } catch {
    return null
  }
}
