import type { Ticks } from '../../domain/clock'
import { addressBucket } from '../net/address'
import { numbered } from './listener'
import { openSockets, type Sockets } from './sockets'

/**
 * Connections that have not sent a whole head. The runtime (Bun 1.4.5) shows them nowhere, does not count them as
 * idle, and closes them after 8 to 12 seconds, whatever its settings say; the kernel knows how old each is, and
 * whether anything was ever sent on it. Linux only.
 */
interface Headless {
  /** Takes down a whole head. @param port of its client */
  came(port: number, at: Ticks): void
  /**
   * Closes those of addresses that have more than their share, then the oldest ones.
   * @param missing descriptors that are wanted beside those of clients that wait to be accepted
   * @param share connections of one address
   * @returns number of connections that were ended: the runtime closes them at its next look
   */
  close(missing: number, share: number): number
}

/** Where `struct tcp_info` has what, and states in it. */
const backlogAt = 24
const sentAgoAt = 44
const segmentsSentAt = 156
const established = 1
const listening = 10

/** The kernel counts by ticks of its own, of up to ten milliseconds. */
const blurMs = 50

/** @param port of this server. @returns null where the system offers no way */
export function openHeadless(port: () => number): Headless | null {
  const sockets = openSockets()
  if (sockets === null) return null
  /** When the last whole head came, by the client's port: a store for each request, and nothing to forget. */
  const heads = new Float64Array(65_536).fill(Number.NEGATIVE_INFINITY)
  return {
    came: (from, at) => void (heads[from] = at),
    close(missing, share) {
      const found = attempt(() => look(sockets, port(), heads))
      if (found === null) return 0
      const { byAddress, without, waiting } = found
      without.sort((a, b) => a.openedAt - b.openedAt)
      let wanted = missing + waiting
      let closed = 0
      const end = ({ descriptor, address }: Connection) => {
        sockets.shut(descriptor)
        byAddress.set(address, (byAddress.get(address) ?? 1) - 1)
        wanted--
        closed++
      }
      const others: Connection[] = []
      for (const each of without)
        if ((byAddress.get(each.address) ?? 0) > share) end(each)
        else others.push(each)
      for (const each of others.slice(0, Math.max(0, wanted))) end(each)
      return closed
    },
  }
}

/** Null where the system does not show them, or has no descriptor for that. */
function attempt<Of>(read: () => Of): Of | null {
  try {
    return read()
  } catch {
    return null
  }
}

interface Connection {
  readonly descriptor: number
  /** Unit in which clients are counted. */
  readonly address: string
  /** By the clock that never jumps. */
  readonly openedAt: number
}

interface Found {
  /** Connections of each address. */
  readonly byAddress: Map<string, number>
  readonly without: Connection[]
  /** Connections that the kernel has made and the process has not accepted. */
  readonly waiting: number
}

function look(sockets: Sockets, port: number, heads: Float64Array): Found {
  const byAddress = new Map<string, number>()
  const without: Connection[] = []
  let waiting = 0
  const now = performance.now()
  for (const descriptor of numbered('/proc/self/fd')) {
    if (sockets.port(descriptor) !== port) continue
    const info = sockets.info(descriptor)
    if (info?.[0] === listening) waiting += info.readUInt32LE(backlogAt)
    if (info?.[0] !== established) continue
    const peer = sockets.peer(descriptor)
    if (peer === null) continue
    const address = addressBucket(peer.address)
    byAddress.set(address, (byAddress.get(address) ?? 0) + 1)
    // A connection without a segment sent counts from its opening.
    if (info.readUInt32LE(segmentsSentAt) > 0) continue
    const openedAt = now - info.readUInt32LE(sentAgoAt)
    // A head of before belongs to an earlier connection from the same port.
    if ((heads[peer.port] ?? 0) >= openedAt - blurMs) continue
    // Bytes that were not read may be the rest of the head.
    if (sockets.unread(descriptor) === 0) without.push({ descriptor, address, openedAt })
  }
  return { byAddress, without, waiting }
}
