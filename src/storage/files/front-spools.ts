import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { inSpoolOrder, type FrontSpools } from '../../ledger/leased/dead-front'
import type { NodeId } from '../../ledger/leased/exchange'
import type { SpoolRecord } from '../../ledger/spool-record'
import { frontsIn } from './data-folder'
import { openEndingFile, type EndingFile } from './ending-spool'

/** Spools of all fronts of a data folder, those of an earlier owner included. */
export interface AllFrontSpools extends FrontSpools {
  /**
   * Path of the socket by which fronts find their owner; what an earlier owner left there is removed.
   * @throws RangeError where the path is too long for a socket
   */
  socket(): string
  /** What fronts of an earlier owner left, but for those that serve on. */
  left(): readonly SpoolRecord[]
  /** What they left is in the database. */
  clear(): void
  /** Fronts of an earlier owner whose processes live. */
  living(): readonly LivingFront[]
  /** This one serves on for another owner: what is in its spools is its own. */
  keep(node: NodeId): void
  /** Highest number of a front that left something. */
  newest(): NodeId
}

/** A front that outlived its owner. */
interface LivingFront {
  readonly node: NodeId
  readonly pid: number
}

/** Of `sun_path` in unix(7), and less on some systems: 104 on macOS, its end included. */
const maxSocketPathBytes = 103

/** @param database its identity */
export function openFrontSpools(folder: string, database: string): AllFrontSpools {
  // Absolute: fronts run elsewhere.
  const fronts = resolve(frontsIn(folder))
  const pairOf = (name: string): readonly [string, string] => [
    join(fronts, name, 'a'),
    join(fronts, name, 'b'),
  ]
  const kept = new Set<string>()
  const noteOf = (name: string): string => join(fronts, name, 'pid')
  const names = (): readonly string[] =>
    existsSync(fronts) ? readdirSync(fronts).filter((name) => /^\d+$/.test(name)) : []
  const others = (): readonly string[] => names().filter((name) => !kept.has(name))
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
    foldersOf(node: NodeId, pid: number) {
      const name = String(node)
      const pair = pairOf(name)
      for (const each of pair) mkdirSync(each, { recursive: true, mode: 0o700 })
      writeFileSync(noteOf(name), `${pid} ${startOf(pid)}`, { mode: 0o600 })
      kept.add(name)
      return pair
    },
    records: (node) => recordsOf(String(node)),
    remove: (node) => rmSync(join(fronts, String(node)), { recursive: true, force: true }),
    left: () => inSpoolOrder(others().flatMap(recordsOf)),
    clear() {
      for (const name of others()) rmSync(join(fronts, name), { recursive: true, force: true })
    },
    living: () =>
      others().flatMap((name) => {
        const [pid, start] = readNote(noteOf(name))
        return start !== '' && startOf(pid) === start ? { node: Number(name), pid } : []
      }),
    keep: (node) => void kept.add(String(node)),
    newest: () => Math.max(0, ...names().map(Number)),
  }
}

function readNote(file: string): readonly [pid: number, start: string] {
  try {
    const [pid, start = ''] = readFileSync(file, 'utf8').split(' ')
    return [Number(pid), start]
  } catch {
    return [0, '']
  }
}

/**
 * When a process began, by proc_pid_stat(5): a number that was given again names another process. Empty where it
 * is gone, or has ended and nobody has looked; and on systems without it, which have no fronts.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' || state === 'X' ? '' : (rest[18] ?? '')
  } catch {
    return ''
  }
}

/** Whether there is such a process, and it has not ended. */
export const isRunning = (pid: number): boolean => startOf(pid) !== ''

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
