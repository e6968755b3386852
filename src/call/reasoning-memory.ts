import { ticksAfter, type Monotonic, type Ticks } from '../domain/clock'
import type { ProjectId } from '../domain/ids'
import type { ProviderState } from '../formats/hub'
import type { Target } from '../vendors/vendor'

/**
 * Provider state that vendors want back with tool calls: reasoning that clients lose. In memory only and
 * for a while, since nothing said is kept. The oldest goes first when there is no room.
 */
export interface ReasoningMemory {
  /** @param place whose it is, see `memoryPlace` */
  remember(place: string, providerState: ProviderState): void
  /** Undefined when nothing is known, or not any more. */
  recall(place: string, callId: string): unknown
  /** Memory in use. */
  bytes(): number
}

/** One project at one model of one kind of vendor: a signature holds nowhere else. */
export const memoryPlace = (project: ProjectId, { config, route }: Target): string =>
  `${project} ${config.kind} ${config.dialect} ${route.vendorModel}`

interface Kept {
  readonly keys: readonly string[]
  /** JSON: as long as it lies here nobody needs it in another form. */
  readonly text: string
  readonly bytes: number
  readonly until: Ticks
}

/** Overhead of a kept turn besides its text. */
const overheadBytes = 200

export function openReasoningMemory(
  monotonic: Monotonic,
  { maxBytes, keepMs }: { readonly maxBytes: number; readonly keepMs: number },
): ReasoningMemory {
  const byKey = new Map<string, Kept>()
  /** The oldest first. */
  const all = new Set<Kept>()
  let bytes = 0

  const drop = (kept: Kept) => {
    if (!all.delete(kept)) return
    bytes -= kept.bytes
    for (const key of kept.keys) if (byKey.get(key) === kept) byKey.delete(key)
  }
  const makeRoom = (now: Ticks) => {
    for (const kept of all) {
      if (bytes <= maxBytes && kept.until > now) return
      drop(kept)
    }
  }

  return {
    remember(place, { callIds, value }) {
      const now = monotonic.ticks()
      const keys = callIds.map((id) => `${place} ${id}`)
      const text = JSON.stringify(value)
      const chars = keys.reduce((sum, key) => sum + key.length, text.length)
      const kept = { keys, text, bytes: chars * 2 + overheadBytes, until: ticksAfter(now, keepMs) }
      if (kept.bytes > maxBytes) return
      for (const key of keys) {
        const earlier = byKey.get(key)
        if (earlier !== undefined) drop(earlier)
        byKey.set(key, kept)
      }
      all.add(kept)
      bytes += kept.bytes
      makeRoom(now)
    },
    recall(place, callId) {
      const kept = byKey.get(`${place} ${callId}`)
      if (kept === undefined) return undefined
      if (kept.until > monotonic.ticks()) return JSON.parse(kept.text) as unknown
      drop(kept)
      return undefined
    },
    bytes: () => bytes,
  }
}
