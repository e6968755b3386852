import { allDuties, type ProcessDuties } from '../cluster/cluster'

/** Duties of a process that has the data for itself, until it gives them up. */
export interface FolderDuties extends ProcessDuties {
  stop(): void
  start(): void
}

export function openFolderDuties(): FolderDuties {
  let isOnDuty = true
  const gained: (() => void)[] = []
  return {
    has: () => isOnDuty,
    claimOf: () => null,
    begin: (name, storage) => (isOnDuty ? allDuties.begin(name, storage) : null),
    watch: (_, tell) => void gained.push(tell),
    stop: () => void (isOnDuty = false),
    start() {
      isOnDuty = true
      for (const tell of gained) tell()
    },
  }
}
