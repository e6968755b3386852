/** Who accepted which connection, as Linux tells it: proc_pid_net(5), proc_pid_fd(5). */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { BrokenCall } from './connection'

const listening = '0A'

/** A socket at the port of a service. */
interface Row {
  readonly state: string
  /** Of the other end. */
  readonly remotePort: number
  readonly inode: string
}

/** Client ports whose connections these processes have accepted. */
export function acceptedBy(pids: readonly number[], port: number): ReadonlySet<number> {
  const owned = new Set(pids.flatMap(socketsOf))
  const accepted = rowsAt(port).filter(
    ({ state, inode }) => state !== listening && owned.has(inode),
  )
  return new Set(accepted.map(({ remotePort }) => remotePort))
}

/** Those of the processes that listen there. */
export function listenersAt(port: number, pids: readonly number[]): readonly number[] {
  const rows = rowsAt(port).filter(({ state }) => state === listening)
  const inodes = new Set(rows.map(({ inode }) => inode))
  return pids.filter((pid) => socketsOf(pid).some((inode) => inodes.has(inode)))
}

const lookMs = 10

/** Looks all the time which connections are accepted. @param pids processes that may */
export function watchAccepted(port: number, pids: () => readonly number[]) {
  const seen = new Set<number>()
  const look = () => {
    for (const each of acceptedBy(pids(), port)) seen.add(each)
  }
  look()
  const timer = setInterval(look, lookMs)
  return { seen: seen as ReadonlySet<number>, end: () => clearInterval(timer) }
}

/** Its connection was in the queue of a socket that was closed: the kernel reset it. */
export const isUnaccepted = (
  { port, answered, received }: BrokenCall,
  accepted: ReadonlySet<number>,
): boolean => answered === 0 && received === '' && !accepted.has(port)

function rowsAt(port: number): readonly Row[] {
  const rows: Row[] = []
  for (const line of readFileSync('/proc/self/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, local = '', remote = '', state = '', , , , , , inode = ''] = line.trim().split(/\s+/)
    if (portOf(local) === port) rows.push({ state, remotePort: portOf(remote), inode })
  }
  return rows
}

const portOf = (address: string): number => Number.parseInt(address.split(':')[1] ?? '', 16)

/** None for a process that is gone. */
function socketsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => inodeOf(`/proc/${pid}/fd/${fd}`))
  } catch {
    return []
  }
}

function inodeOf(link: string): readonly string[] {
  try {
    const [, inode] = /^socket:\[(\d+)\]$/.exec(readlinkSync(link)) ?? []
    return inode === undefined ? [] : [inode]
  } catch {
    return []
  }
}
