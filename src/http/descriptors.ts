import { closeSync, openSync, readFileSync } from 'node:fs'
import { sweepBodies, type BodyPatience } from './arriving-bodies'
import type { ListenerPause } from './listener-pause'

/** Files and sockets that the process may have open; null where the system does not tell. */
export function descriptorLimit(): number | null {
  try {
    const [, limit] =
      /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? null : Number(limit)
  } catch {
    return null
  }
}

/** Where descriptors come from; a test has its own. */
interface DescriptorSource {
  /** @throws Error when there is none */
  open(): number
  close(descriptor: number): void
}

const systemDescriptors: DescriptorSource = {
  open: () => openSync('/dev/null', 'r'),
  close: closeSync,
}

interface DescriptorGuardParts {
  /** How many are kept for the database and vendors. */
  readonly reserve: number
  readonly listener: ListenerPause
  /** Closes connections on which no request is in progress. */
  closeIdle(): void
  /** Told when they become scarce, and when there are enough again. */
  onScarce(scarce: boolean): void
  readonly source?: DescriptorSource
}

/** Keeps descriptors back from clients. */
interface DescriptorGuard {
  /** To be called a few times a second. @param now milliseconds of a clock that never jumps */
  tick(now: number): void
  close(): void
}

/** A share of what there is, between what few vendors need and what all of them do. */
export const reserveOf = (limit: number | null): number =>
  Math.max(8, Math.min(64, Math.floor((limit ?? 0) / 8)))

/** Body timeouts while descriptors lack: a client that sends nothing holds one that others wait for. */
const hurriedPatience: BodyPatience = { silentMs: 1000, averagedMs: 1000 }

/**
 * Holds a reserve open. When hardly anything is left beside it idle connections are closed; if that
 * does not help, no connection is accepted and the reserve is set free, until there is enough again.
 */
export function openDescriptorGuard(parts: DescriptorGuardParts): DescriptorGuard {
  const { reserve, listener, closeIdle, onScarce, source = systemDescriptors } = parts
  const margin = Math.ceil(reserve / 2)
  const held: number[] = []
  let scarce = false
  let paused = false

  const give = (count: number) => {
    for (const descriptor of held.splice(0, count)) source.close(descriptor)
  }
  /** @returns whether so many are held now */
  const hold = (count: number): boolean => {
    try {
      while (held.length < count) held.push(source.open())
      return true
    } catch {
      return false
    }
  }
  hold(reserve)
  /** Whether there is some room beside the reserve, which is held then. */
  const hasRoom = (room: number): boolean => {
    const enough = hold(reserve + room)
    give(enough ? room : held.length)
    return enough
  }
  return {
    tick(now) {
      if (hasRoom(scarce ? 2 * margin : margin)) {
        if (scarce) {
          scarce = paused = false
          listener.resume()
          onScarce(false)
        }
        return
      }
      closeIdle()
      if (!scarce && hasRoom(margin)) return
      // Looking for the listener takes descriptors itself.
      paused ||= listener.pause()
      sweepBodies(now, hurriedPatience)
      if (!scarce) onScarce((scarce = true))
    },
    close: () => give(held.length),
  }
}
