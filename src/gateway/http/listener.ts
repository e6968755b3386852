import { dlopen } from 'bun:ffi'
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Sockets of this process, as Linux tells them: proc_pid_net(5), proc_pid_fd(5). Elsewhere there are none. */

/** States in /proc/net/tcp. */
const listening = '0A'
const established = '01'

/** Descriptor of the socket that listens at a port; null where none does. */
export function findListener(port: number): number | null {
  const wanted = inodesAt(port, listening)
  return numbered('/proc/self/fd').find((fd) => wanted.has(descriptorTarget(fd))) ?? null
}

/** Number of open connections that this process has accepted at a port. */
export function connectionsAt(port: number): number {
  const wanted = inodesAt(port, established)
  return numbered('/proc/self/fd').filter((fd) => wanted.has(descriptorTarget(fd))).length
}

/**
 * Closes the socket that listens at a port, and no connection: Bun closes those that are idle with it, also one
 * whose next request is on its way. Its descriptor stays taken, as Bun closes that later. What the socket has not
 * accepted is reset by the kernel, or handed to another one that listens there (`tcp_migrate_req`).
 * @returns false where the system offers no way
 */
export function shutListener(port: number): boolean {
  try {
    const listener = findListener(port)
    const duplicate = openLibrary({ dup2: { args: ['i32', 'i32'], returns: 'i32' } })
    if (listener === null || duplicate === null) return false
    const nothing = openSync('/dev/null', 'r')
    const given = duplicate.dup2(nothing, listener)
    closeSync(nothing)
    return given === listener
  } catch {
    return false
  }
}

const libraries = ['libc.so.6', `libc.musl-${process.arch === 'x64' ? 'x86_64' : 'aarch64'}.so.1`]

type Functions = Parameters<typeof dlopen>[1]

/** Functions of the C library; null where there is none that is known. */
export function openLibrary<Of extends Functions>(
  functions: Of,
): ReturnType<typeof dlopen<Of>>['symbols'] | null {
  for (const library of libraries)
    try {
      return dlopen(library, functions).symbols
    } catch {
      // Another libc.
    }
  return null
}

/** Entries of a folder of /proc that are numbers. */
export const numbered = (folder: string): number[] =>
  readdirSync(folder)
    .map(Number)
    .sort((a, b) => a - b)

/** Target of a descriptor's link; empty when it is closed by now. */
export function descriptorTarget(fd: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return ''
  }
}

/** Sockets whose own end is a port, as links name them. */
function inodesAt(port: number, wanted: string): ReadonlySet<string> {
  const found = new Set<string>()
  for (const table of ['tcp', 'tcp6'])
    for (const line of readFileSync(`/proc/self/net/${table}`, 'utf8').split('\n')) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      if (state === wanted && Number.parseInt(local.split(':')[1] ?? '', 16) === port)
        found.add(`socket:[${inode}]`)
    }
  return found
}
