import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inSpoolOrder, type SpoolRecord } from '../../ledger/spool-record'
import { frontsIn } from '../../storage/files/data-folder'
import { openEndingFile, type EndingFile } from '../../ledger/store/spool-file'
import { openLeftSpools } from './leaving-folder'
import { noneLeft, startOf } from '../../storage/files/processes'

/**
 * Spools of processes that are gone: of those that died while they left, and of worker processes of a release that
 * served one data folder with several. What they left is charged, as after a kill, and their folders are removed.
 */
export interface FormerSpools {
  records(): readonly SpoolRecord[]
  /** What they left is in the database. */
  clear(): void
}

/** @param database its identity: records of another one are left out */
export function openFormerSpools(folder: string, database: string): FormerSpools {
  const fronts = resolve(frontsIn(folder))
  const left = openLeftSpools(folder, database)
  return {
    records: () =>
      inSpoolOrder([
        ...left.records(),
        ...workersIn(fronts).flatMap((name) =>
          ['a', 'b'].flatMap((half) =>
            openEndingFile(join(fronts, name, half), database).records(),
          ),
        ),
      ]),
    clear() {
      left.clear()
      rmSync(fronts, { recursive: true, force: true })
    },
  }
}

/**
 * Waits for worker processes of such a release, which end within ten seconds once their primary is gone.
 * @returns false where some still run after `maxMs`
 */
export const formerWorkersEnded = (folder: string, maxMs: number): Promise<boolean> =>
  noneLeft(() => formerWorkers(folder), maxMs)

const formerWorkers = (folder: string): readonly number[] => {
  const fronts = frontsIn(folder)
  return workersIn(fronts).flatMap((name) => {
    const [pid, start] = readNote(join(fronts, name, 'pid'))
    return start !== '' && startOf(pid) === start ? [pid] : []
  })
}

const workersIn = (fronts: string): readonly string[] =>
  existsSync(fronts) ? readdirSync(fronts).filter((name) => /^\d+$/.test(name)) : []

function readNote(file: string): readonly [pid: number, start: string] {
  try {
    const [pid, start = ''] = readFileSync(file, 'utf8').split(' ')
    return [Number(pid), start]
  } catch {
    return [0, '']
  }
}

/** A process's own spool and those of former workers, as one. */
export const withFormerSpools = (
  endings: Pick<EndingFile, 'records' | 'replayed'>,
  former: FormerSpools,
): Pick<EndingFile, 'records' | 'replayed'> => ({
  records: () => [...endings.records(), ...former.records()],
  replayed() {
    endings.replayed()
    former.clear()
  },
})
