import { ptr } from 'bun:ffi'
import { readFileSync } from 'node:fs'
import { findListener, numbered, openLibrary, descriptorTarget } from './listener'

/** Whether a listening socket is looked at. While it is not, clients wait in the kernel's queue. */
export interface ListenerPause {
  /** @returns false where the system offers no way: the loop then spins while descriptors lack */
  pause(): boolean
  resume(): void
}

/**
 * Bun has no way to stop accepting but to stop listening, which refuses whoever comes. When `accept`
 * fails for want of descriptors its loop calls it again at once, for ever: 45 % of a core with 400 half
 * heads at 256 descriptors, 0.5 % with this. So the listening socket's interest in the process's epoll is
 * emptied and set again (epoll_ctl(2), EPOLL_CTL_MOD), found in /proc. Linux only.
 */
export function openListenerPause(port: number): ListenerPause {
  let interest: Interest | null = null
  return {
    pause() {
      try {
        interest ??= findInterest(port)
        return interest?.set(0) === true
      } catch {
        return false
      }
    },
    resume: () => void interest?.set(interest.events),
  }
}

/** Events of one descriptor that an epoll reports. */
interface Interest {
  readonly events: number
  /** @returns whether the system took it */
  set(events: number): boolean
}

function findInterest(port: number): Interest | null {
  const listener = findListener(port)
  const found = listener === null ? null : findEpoll(listener)
  const control = found === null ? null : openEpollControl()
  if (listener === null || found === null || control === null) return null
  const { epoll, events, data } = found
  const target = descriptorTarget(listener)
  return {
    events,
    // A number of a closed listener may be another socket's by now.
    set: (wanted) =>
      descriptorTarget(listener) === target &&
      control(epoll, modify, listener, ptr(epollEvent(wanted, data))) === 0,
  }
}

/** EPOLL_CTL_MOD. */
const modify = 3
/** `struct epoll_event` is packed on x86-64 only. */
const dataOffset = process.arch === 'x64' ? 4 : 8

function epollEvent(events: number, data: bigint): Uint8Array {
  const bytes = new Uint8Array(dataOffset + 8)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, events, true)
  view.setBigUint64(dataOffset, data, true)
  return bytes
}

type EpollControl = (epoll: number, operation: number, fd: number, event: number | null) => number

function openEpollControl(): EpollControl | null {
  const symbols = openLibrary({
    epoll_ctl: { args: ['i32', 'i32', 'i32', 'ptr'], returns: 'i32' },
  })
  if (symbols === null) return null
  return (...args) => symbols.epoll_ctl(...(args as Parameters<typeof symbols.epoll_ctl>))
}

/** The epoll that a descriptor is in, and what was registered (proc_pid_fdinfo(5)). */
function findEpoll(
  watched: number,
): { readonly epoll: number; readonly events: number; readonly data: bigint } | null {
  const entry = new RegExp(`^tfd:\\s+${watched} events:\\s+([0-9a-f]+) data:\\s+([0-9a-f]+)`, 'm')
  for (const epoll of numbered('/proc/self/fd')) {
    if (descriptorTarget(epoll) !== 'anon_inode:[eventpoll]') continue
    const [, events, data] = entry.exec(readFileSync(`/proc/self/fdinfo/${epoll}`, 'utf8')) ?? []
    if (events !== undefined && data !== undefined)
      return { epoll, events: Number.parseInt(events, 16), data: BigInt(`0x${data}`) }
  }
  return null
}
