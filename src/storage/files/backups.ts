import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Ms } from '../../domain/clock'

/** A backup that was made on demand, in a folder beside the data. */
export interface BackupFile {
  readonly name: string
  readonly bytes: number
  readonly made: Ms
}

const nameForm = /^chapar-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{3})Z\.backup$/
/** Of those made here: the disk must not fill by a button. */
const maxKept = 7

const folderIn = (data: string): string => join(data, 'backups')

/** Newest first. */
export function backupFiles(data: string): readonly BackupFile[] {
  const folder = folderIn(data)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .flatMap((name) => {
      const [, year, month, day, hour, minute, second] = nameForm.exec(name) ?? []
      if (year === undefined) return []
      const made = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) as Ms
      return { name, made, bytes: statSync(join(folder, name)).size }
    })
    .toSorted((one, other) => other.made - one.made)
}

/** Where the next one goes; its folder is made, for its owner alone. Two of one second are two files. */
export function nextBackup(data: string, now: Ms): string {
  mkdirSync(folderIn(data), { recursive: true, mode: 0o700 })
  const stamp = new Date(now).toISOString().replaceAll(/[-:]/g, '')
  return join(folderIn(data), `chapar-${stamp}.backup`)
}

/** Removes the oldest of more than are kept. */
export function pruneBackups(data: string): void {
  for (const { name } of backupFiles(data).slice(maxKept))
    rmSync(join(folderIn(data), name), { force: true })
}
