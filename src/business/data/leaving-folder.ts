import { existsSync, mkdirSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { SpoolRecord } from '../../ledger/spool-record'
import type { LeavingProcess } from './storage'
import { leavingIn, spoolIn } from '../../storage/files/data-folder'
import { openEndingFile } from '../../ledger/store/spool-file'
import { noneLeft, startOf } from '../../storage/files/processes'

/** Makes a place for this process. Linux only: elsewhere nobody could tell whether it goes on. */
export function makeLeavingPlace(data: string): LeavingProcess {
  const { pid } = process
  const folder = join(leavingIn(data), `${pid}-${startOf(pid)}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return { pid, folder }
}

/** Puts the spool of a process that is gone where the next recovery finds it. */
export function keepSpool(data: string): void {
  if (!existsSync(spoolIn(data))) return
  // No process begins at zero.
  const folder = join(leavingIn(data), `${process.pid}-0`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  renameSync(spoolIn(data), spoolIn(folder))
}

export const clearLeavingPlace = ({ folder }: LeavingProcess): void =>
  rmSync(folder, { recursive: true, force: true })

/** Names of sockets have at most 107 bytes (unix(7)); theirs in a folder have less than forty. */
const maxFolderBytes = 64
const shortNames = new Map<string, string>()

/** A folder by a name that is short enough for sockets in it, as long as this process lives. Linux only. */
export function socketFolder(folder: string): string {
  if (Buffer.byteLength(folder) <= maxFolderBytes) return folder
  const name = shortNames.get(folder) ?? `/proc/self/fd/${openSync(folder, 'r')}`
  shortNames.set(folder, name)
  return name
}

const nameOfPlace = /^(\d+)-(\d+)$/

function placesIn(data: string, areLeaving: boolean): readonly LeavingProcess[] {
  const names = existsSync(leavingIn(data)) ? readdirSync(leavingIn(data)) : []
  return names.flatMap((name) => {
    const [, pid, start] = nameOfPlace.exec(name) ?? []
    const isAlive = pid !== undefined && startOf(Number(pid)) === start
    return pid === undefined || isAlive !== areLeaving
      ? []
      : { pid: Number(pid), folder: join(leavingIn(data), name) }
  })
}

/** Processes that end their calls beside the one that serves. */
export const leavingProcesses = (data: string): readonly LeavingProcess[] => placesIn(data, true)

/** Waits for processes that end their calls. @returns false where some still do after `maxMs` */
export const leavingEnded = (data: string, maxMs: number): Promise<boolean> =>
  noneLeft(() => leavingProcesses(data), maxMs)

/** Records that a process which leaves has spooled. */
export const leftRecords = ({ folder }: LeavingProcess, database: string): readonly SpoolRecord[] =>
  openEndingFile(folder, database).records()

/** Records of processes that died while they left. */
export function openLeftSpools(data: string, database: string) {
  let found: readonly LeavingProcess[] = []
  return {
    records(): readonly SpoolRecord[] {
      found = placesIn(data, false)
      return found.flatMap((place) => leftRecords(place, database))
    },
    clear() {
      for (const place of found) clearLeavingPlace(place)
      found = []
    },
  }
}
