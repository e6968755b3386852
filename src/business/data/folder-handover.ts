import type { FolderHandover, LeavingProcess } from './storage'
import type { EndingFile } from '../../ledger/store/spool-file'
import {
  clearLeavingPlace,
  keepSpool,
  leavingProcesses,
  leftRecords,
  makeLeavingPlace,
} from './leaving-folder'

interface FolderHandoverParts {
  readonly folder: string
  /** Identity of its database. */
  readonly database: string
  readonly endings: Pick<EndingFile, 'moveTo'> | null
  readonly lock: {
    /** @throws DataFolderBusy */
    take(): void
    release(): void
  }
}

/** @returns null where the system offers no way: see `makeLeavingPlace` */
export function openFolderHandover({
  folder,
  database,
  endings,
  lock,
}: FolderHandoverParts): (FolderHandover & { readonly hasLeft: boolean }) | null {
  if (process.platform !== 'linux' || endings === null) return null
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
      lock.release()
    },
    takeBack() {
      if (!hasLeft) return
      lock.take()
      hasLeft = false
      // Of the process that had it meanwhile: charged at the next start.
      keepSpool(folder)
      endings.moveTo(folder)
    },
    forget,
    leaving: () => leavingProcesses(folder).filter(({ pid }) => pid !== process.pid),
    leftBy: (left) => leftRecords(left, database),
    forgetLeft: clearLeavingPlace,
  }
}
