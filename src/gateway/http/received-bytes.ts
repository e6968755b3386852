import { socketAddress } from '../net/address'
import { numbered } from './listener'
import { openSockets, type Peer } from './sockets'

/** Where `struct tcp_info` has `tcpi_bytes_received`. */
const receivedAt = 128

/** How often descriptors are searched for those of new connections. */
const searchEveryMs = 500

/**
 * Bytes that the runtime has read from a connection of this process, whatever became of them; null where the
 * system does not tell, or the connection is gone.
 */
type ReadReceived = (peer: Peer) => number | null

/** Null where the system offers no way. */
export function openReceivedBytes(): ReadReceived | null {
  const sockets = openSockets()
  if (sockets === null) return null
  const descriptors = new Map<string, number>()
  let searchedAt = Number.NEGATIVE_INFINITY

  const peerOf = (descriptor: number): string | null => {
    const peer = sockets.peer(descriptor)
    return peer === null ? null : keyOf(peer)
  }
  const search = () => {
    const now = performance.now()
    if (now - searchedAt < searchEveryMs) return
    searchedAt = now
    descriptors.clear()
    for (const descriptor of numbered('/proc/self/fd')) {
      const peer = peerOf(descriptor)
      if (peer !== null) descriptors.set(peer, descriptor)
    }
  }
  const find = (peer: string): number | null => {
    const known = descriptors.get(peer)
    // Its number may be another connection's by now.
    if (known !== undefined && peerOf(known) === peer) return known
    search()
    return descriptors.get(peer) ?? null
  }
  return ({ address, port }) => {
    try {
      const descriptor = find(keyOf({ address: socketAddress(address), port }))
      const info = descriptor === null ? null : sockets.info(descriptor)
      const unread = descriptor === null ? null : sockets.unread(descriptor)
      if (info === null || unread === null) return null
      return Number(info.readBigUInt64LE(receivedAt)) - unread
    } catch {
      return null
    }
  }
}

const keyOf = ({ address, port }: Peer): string => `${port} ${address}`
