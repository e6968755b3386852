import type { FolderHandover, LeavingProcess } from '../storage'
import type { EndingFile } from './ending-spool'
import {
  clearLeavingPlace,
  leavingProcesses,
  leftRecords,
  makeLeavingPlace,
} from './leaving-folder'

interface FolderHandoverParts {
  readonly folder: string
  /** Identity of its database. */
  readonly database: string
  readonly endings: Pick<EndingFile, 'moveTo'>
  unlock(): void
  /** @throws DataFolderBusy */
  lock(): void
}

/** Linux only: see `makeLeavingPlace`. */
export function openFolderHandover({
  folder,
  database,
  endings,
  unlock,
  lock,
}: FolderHandoverParts): FolderHandover & { readonly hasLeft: boolean } {
  let place: LeavingProcess | null = null
  const forget = () => {
    if (place !== null) clearLeavingPlace(place)
    place = null
  }
  let hasLeft = false
  return {
    get hasLeft() {
      return hasLeft
    },
    place: () => (place ??= makeLeavingPlace(folder)),
    leave() {
      place ??= makeLeavingPlace(folder)
      endings.moveTo(place.folder)
      hasLeft = true
      unlock()
    },
    takeBack() {
      lock()
      hasLeft = false
      endings.moveTo(folder)
    },
    forget,
    leaving: () => leavingProcesses(folder).filter(({ pid }) => pid !== process.pid),
    leftBy: (left) => leftRecords(left, database),
    forgetLeft: clearLeavingPlace,
  }
}
