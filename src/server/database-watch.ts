import type { Log } from '../gateway/observability/log'
import { closeToOthers, openToOthers, putDatabaseBack } from '../storage/files/data-folder'
import type { Storage } from '../business/data/storage'

const lookEveryMs = 2000

/**
 * Looks whether the database is still where it was opened, for what is written to a file that was removed or replaced
 * is lost with the process; calls are refused meanwhile.
 * @returns ends the watch
 */
export function watchDatabase({ file }: Pick<Storage, 'file'>, log: Log): () => void {
  if (file === null) return () => {}
  const { path } = file
  const timer = setInterval(() => {
    const before = file.loss
    const loss = file.look()
    if (loss === before) return
    if (loss === null) log.warn('database is back', { path })
    else
      log.error(`database ${loss} while serving: calls are refused`, {
        path,
        remedy: putDatabaseBack,
      })
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Logs which files of a data folder others than its owner can use. */
export function logOpenFiles(folder: string | null, log: Log): void {
  const files = folder === null ? [] : openToOthers(folder)
  if (folder !== null && files.length > 0)
    log.warn('data folder open to others', {
      files: files.join(' '),
      remedy: closeToOthers(folder),
    })
}
