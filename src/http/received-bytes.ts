import { socketAddress } from '../net/address'
import { numbered, openLibrary } from './listener'

/** The other end of a connection. */
interface Peer {
  readonly address: string
  readonly port: number
}

/** tcp(7) and `linux/tcp.h`: `tcpi_bytes_received` is there since Linux 4.1. */
const tcpLevel = 6
const tcpInfo = 11
const receivedAt = 128
const infoBytes = 136
/** ioctl_tty(2): bytes that wait to be read. */
const unreadBytes = 0x541bn
/** sockaddr(3type) on Linux. */
const ipv4Family = 2
const ipv6Family = 10
const addressBytes = 28

/** How often descriptors are searched for those of new connections. */
const searchEveryMs = 500

/**
 * Bytes that the runtime has read from a connection of this process, whatever became of them; null where the
 * system does not tell, or the connection is gone.
 */
type ReadReceived = (peer: Peer) => number | null

/** Null where the system offers no way. */
export function openReceivedBytes(): ReadReceived | null {
  const library = openLibrary({
    getpeername: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
    getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
    ioctl: { args: ['i32', 'u64', 'ptr'], returns: 'i32' },
  })
  if (library === null) return null
  const address = Buffer.alloc(addressBytes)
  const info = Buffer.alloc(infoBytes)
  const length = new Uint32Array(1)
  const unread = new Int32Array(1)
  const descriptors = new Map<string, number>()
  let searchedAt = Number.NEGATIVE_INFINITY

  const peerOf = (descriptor: number): string | null => {
    length[0] = addressBytes
    return library.getpeername(descriptor, address, length) === 0 ? peerIn(address) : null
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
  return (peer) => {
    try {
      const descriptor = find(keyOf(peer))
      if (descriptor === null) return null
      length[0] = infoBytes
      const isTold = library.getsockopt(descriptor, tcpLevel, tcpInfo, info, length) === 0
      if (!isTold || (length[0] ?? 0) < infoBytes) return null
      if (library.ioctl(descriptor, unreadBytes, unread) !== 0) return null
      return Number(info.readBigUInt64LE(receivedAt)) - (unread[0] ?? 0)
    } catch {
      return null
    }
  }
}

const keyOf = ({ address, port }: Peer): string => `${port} ${socketAddress(address)}`

/** As `keyOf` writes it; null for what is no address of the internet. */
function peerIn(socket: Buffer): string | null {
  const family = socket.readUInt16LE(0)
  const port = socket.readUInt16BE(2)
  if (family === ipv4Family) return keyOf({ address: socket.subarray(4, 8).join('.'), port })
  if (family !== ipv6Family) return null
  const groups = Array.from({ length: 8 }, (_, at) => socket.readUInt16BE(8 + 2 * at))
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  const address = isMapped
    ? socket.subarray(20, 24).join('.')
    : groups.map((group) => group.toString(16)).join(':')
  return keyOf({ address, port })
}
