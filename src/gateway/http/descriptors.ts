import { closeSync, openSync, readFileSync } from 'node:fs'
import { sweepBodies, type BodyPatience } from './slow-body-guard'
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
  /** Closes connections that have sent no whole head. @param missing descriptors that are wanted */
  closeHeadless(missing: number): void
  /** Told when they become scarce, and when there are enough again. */
  onScarce(scarce: boolean): void
  readonly source?: DescriptorSource
}

/** Keeps descriptors back from clients. */
interface DescriptorGuard {
  /**
   * To be called a few times a second. @param now milliseconds of a clock that never jumps
   * @returns whether they are scarce, and the next look is to be soon
   */
  tick(now: number): boolean
  close(): void
}

/** A share of what there is, between what few vendors need and what all of them do. */
export const reserveOf = (limit: number | null): number =>
  Math.max(8, Math.min(64, Math.floor((limit ?? 0) / 8)))

/** Connections of one address while descriptors lack, and requests in progress of one at any time. */
export const shareOf = (limit: number | null): number => Math.ceil((limit ?? Infinity) / 4)

/** They are scarce until they have sufficed for so long: what comes in waves is one flood. */
const calmMs = 5000

/** Body timeouts while descriptors lack: a client that sends nothing holds one that others wait for. */
const hurriedPatience: BodyPatience = { silentMs: 1000, averagedMs: 1000 }

/**
 * Holds a reserve open. When hardly anything is left beside it idle connections are closed; if that
 * does not help, no connection is accepted and the reserve is set free, until there is enough again, and
 * connections without a whole head make room for those that wait.
 */
export function openDescriptorGuard(parts: DescriptorGuardParts): DescriptorGuard {
  const { reserve, listener, closeIdle, closeHeadless, onScarce } = parts
  const { source = systemDescriptors } = parts
  const margin = Math.ceil(reserve / 2)
  const held: number[] = []
  let scarce = false
  let lacking = false
  let lackedAt = 0
  let paused = false

  const give = (count: number) => {
    for (const descriptor of held.splice(0, count)) source.close(descriptor)
  }
  /** @returns how many of these could not be had */
  const hold = (count: number): number => {
    try {
      while (held.length < count) held.push(source.open())
      return 0
    } catch {
      return count - held.length
    }
  }
  hold(reserve)
  /** @returns how many lack for some room beside the reserve, which is held where none does */
  const lackOf = (room: number): number => {
    const lack = hold(reserve + room)
    give(lack === 0 ? room : held.length)
    return lack
  }
  const suffice = (now: number) => {
    if (lacking) {
      lacking = paused = false
      listener.resume()
    }
    if (scarce && now - lackedAt >= calmMs) onScarce((scarce = false))
    return scarce
  }
  return {
    tick(now) {
      const room = lacking ? 2 * margin : margin
      if (lackOf(room) === 0) return suffice(now)
      closeIdle()
      const lack = lackOf(room)
      if (lack === 0) return suffice(now)
      // Looking for sockets takes descriptors itself.
      paused ||= listener.pause()
      closeHeadless(lacking ? lack : lack + margin)
      sweepBodies(now, hurriedPatience)
      lacking = true
      lackedAt = now
      if (!scarce) onScarce((scarce = true))
      return true
    },
    close: () => give(held.length),
  }
}
