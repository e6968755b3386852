import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inSpoolOrder, type FrontSpools } from '../../ledger/leased/dead-front'
import type { NodeId } from '../../ledger/leased/exchange'
import type { SpoolRecord } from '../../ledger/spool-record'
import { openEndingFile, type EndingFile } from './ending-spool'

/** Spools of all fronts of a data folder, those of an earlier owner included. */
export interface AllFrontSpools extends FrontSpools {
  /**
   * Path of the socket by which fronts find their owner; what an earlier owner left there is removed.
   * @throws RangeError where the path is too long for a socket
   */
  socket(): string
  /** What fronts of an earlier owner left. */
  left(): readonly SpoolRecord[]
  /** What they left is in the database. */
  clear(): void
}

/** Of `sun_path` in unix(7), and less on some systems: 104 on macOS, its end included. */
const maxSocketPathBytes = 103

const frontsIn = (folder: string): string => join(folder, 'fronts')

/** @param database its identity */
export function openFrontSpools(folder: string, database: string): AllFrontSpools {
  const fronts = frontsIn(folder)
  const pairOf = (name: string): readonly [string, string] => [
    join(fronts, name, 'a'),
    join(fronts, name, 'b'),
  ]
  const recordsOf = (name: string): readonly SpoolRecord[] =>
    pairOf(name).flatMap((each) => openEndingFile(each, database).records())
  return {
    socket() {
      const path = join(fronts, 'owner.sock')
      if (Buffer.byteLength(path) > maxSocketPathBytes)
        throw new RangeError(`the path of the data folder is too long for a socket in it: ${path}`)
      mkdirSync(fronts, { recursive: true, mode: 0o700 })
      rmSync(path, { force: true })
      return path
    },
    foldersOf(node: NodeId) {
      const pair = pairOf(String(node))
      for (const each of pair) mkdirSync(each, { recursive: true, mode: 0o700 })
      return pair
    },
    records: (node) => recordsOf(String(node)),
    remove: (node) => rmSync(join(fronts, String(node)), { recursive: true, force: true }),
    left: () => (existsSync(fronts) ? inSpoolOrder(readdirSync(fronts).flatMap(recordsOf)) : []),
    clear: () => rmSync(fronts, { recursive: true, force: true }),
  }
}

/** What a process and its fronts left unwritten, as one spool. */
export const withFrontSpools = (
  endings: Pick<EndingFile, 'records' | 'replayed'>,
  fronts: Pick<AllFrontSpools, 'left' | 'clear'>,
): Pick<EndingFile, 'records' | 'replayed'> => ({
  records: () => [...endings.records(), ...fronts.left()],
  replayed() {
    endings.replayed()
    fronts.clear()
  },
})
