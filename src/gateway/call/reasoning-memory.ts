import { ticksAfter, type Monotonic, type Ticks } from '../../domain/clock'
import type { ProjectId } from '../../domain/ids'
import type { VendorConfig } from '../../domain/model'
import type { Target } from '../vendors/vendor'

/** Reasoning of one turn. */
interface RememberedTurn {
  /** Where it is looked for at all, see `reasoningPlace`. */
  readonly place: string
  /** Each finds it, see `reasoningKeys`. */
  readonly keys: readonly string[]
  /** JSON of the vendor's own. */
  readonly value: unknown
}

/**
 * Provider state that vendors want back with tool calls: reasoning that clients lose. In memory only and
 * for a while, since nothing said is kept. The oldest goes first when there is no room.
 */
export interface ReasoningMemory {
  remember(turn: RememberedTurn): void
  /** Undefined when nothing is known, or not any more. */
  recall(key: string): unknown
  /** Whether anything of a place is known: spares whoever asks the digest of a conversation. */
  knows(place: string): boolean
  /** Memory in use. */
  bytes(): number
}

/** One project at one model of one vendor. */
export const reasoningPlace = (project: ProjectId, { config, route }: Target): string =>
  `${project} ${config.name} ${route.vendorModel}`

interface KeyParts {
  readonly project: ProjectId
  /** Whom the client says that it asks for; null where it says nothing. */
  readonly endUser: string | null
  readonly target: Target
}

/** Keys of reasoning, by what it may be given back to. */
export interface ReasoningKeys {
  /**
   * @param turn digest of the call's turn and of all that was said before it
   * @param callId as the vendor chose it: unique in its turn at most
   */
  keyOf(turn: string, callId: string, isSealed: boolean): string
}

/**
 * Keys of one conversation's reasoning at one vendor: nothing is found with another end user, address or
 * model, and nothing sealed with another credential.
 */
export function reasoningKeys({
  project,
  endUser,
  target: { config, route },
}: KeyParts): ReasoningKeys {
  const { name, kind, dialect, baseUrl } = config
  const shared = [project, endUser, name, kind, dialect, baseUrl, route.vendorModel]
  const plain = digestOf(shared)
  const sealed = digestOf([...shared, credentialOf(config)])
  return {
    keyOf: (turn, callId, isSealed) => `${isSealed ? sealed : plain} ${turn} ${callId}`,
  }
}

const digestOf = (parts: readonly unknown[]): string =>
  new Bun.CryptoHasher('sha256').update(JSON.stringify(parts)).digest('base64')

/** The credential itself: its name stays when another one takes its place. */
const credentialOf = ({ credential, credentialName = '' }: VendorConfig): readonly unknown[] => [
  credentialName,
  credential,
]

interface Kept {
  readonly place: string
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
  /** Turns of each place. */
  const places = new Map<string, number>()
  let bytes = 0

  const drop = (kept: Kept) => {
    if (!all.delete(kept)) return
    bytes -= kept.bytes
    const left = (places.get(kept.place) ?? 0) - 1
    if (left > 0) places.set(kept.place, left)
    else places.delete(kept.place)
    for (const key of kept.keys) if (byKey.get(key) === kept) byKey.delete(key)
  }
  const makeRoom = (now: Ticks) => {
    for (const kept of all) {
      if (bytes <= maxBytes && kept.until > now) return
      drop(kept)
    }
  }

  return {
    remember({ place, keys, value }) {
      const now = monotonic.ticks()
      const text = JSON.stringify(value)
      const chars = keys.reduce((sum, key) => sum + key.length, text.length + place.length)
      const kept = {
        place,
        keys,
        text,
        bytes: chars * 2 + overheadBytes,
        until: ticksAfter(now, keepMs),
      }
      if (kept.bytes > maxBytes) return
      for (const key of keys) {
        const earlier = byKey.get(key)
        if (earlier !== undefined) drop(earlier)
        byKey.set(key, kept)
      }
      all.add(kept)
      places.set(place, (places.get(place) ?? 0) + 1)
      bytes += kept.bytes
      makeRoom(now)
    },
    recall(key) {
      const kept = byKey.get(key)
      if (kept === undefined) return undefined
      if (kept.until > monotonic.ticks()) return JSON.parse(kept.text) as unknown
      drop(kept)
      return undefined
    },
    knows: (place) => places.has(place),
    bytes: () => bytes,
  }
}
