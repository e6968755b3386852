import type { Caller } from '../domain/caller'
import { within } from '../domain/within'
import type { CallerCache, FoundBy } from './caller-cache'

/** Whoever reads callers is slower than this only while it is away. */
const patienceMs = 1000

/**
 * Looks callers up, and goes on by what was read last where they cannot be read: of several processes each
 * goes on for a while without its database. One look waits for that; those that come meanwhile do not.
 */
export function openPatientLook(callers: CallerCache) {
  let stuck = 0
  const leave = (): void => void stuck--
  return async (by: FoundBy): Promise<Caller | null> => {
    const last = callers.last(by.mark)
    if (last === undefined) return await callers.look(by)
    if (stuck > 0) return last
    const read = callers.look(by)
    try {
      const found = await within(patienceMs, read)
      if (found !== 'late') return found.result
    } catch {
      return last
    }
    stuck++
    read.then(leave, leave)
    return last
  }
}
