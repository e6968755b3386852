import { socketAddress } from '../net/address'
import { openLibrary } from './listener'

/** The other end of a connection. */
export interface Peer {
  readonly address: string
  readonly port: number
}

/** Sockets of this process by their descriptors, as the kernel shows them: null for what is none of TCP. */
export interface Sockets {
  peer(descriptor: number): Peer | null
  /** Port of its own end. */
  port(descriptor: number): number | null
  /** `struct tcp_info`, good until the next one is read. */
  info(descriptor: number): Buffer | null
  /** Bytes that came and were not read. */
  unread(descriptor: number): number | null
  /** Ends a connection both ways: its owner sees that at its next look, and closes the descriptor. */
  shut(descriptor: number): void
}

/** tcp(7) and `linux/tcp.h`; what the callers read of it is there since Linux 4.6. */
const tcpLevel = 6
const tcpInfo = 11
const infoBytes = 160
/** ioctl_tty(2): bytes that wait to be read. */
const unreadBytes = 0x541bn
/** shutdown(2): SHUT_RDWR. */
const bothWays = 2
/** sockaddr(3type) on Linux. */
const ipv4Family = 2
const ipv6Family = 10
const addressBytes = 28

/** Null where the system offers no way. */
export function openSockets(): Sockets | null {
  const library = openLibrary({
    getpeername: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
    getsockname: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
    getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
    ioctl: { args: ['i32', 'u64', 'ptr'], returns: 'i32' },
    shutdown: { args: ['i32', 'i32'], returns: 'i32' },
  })
  if (library === null) return null
  const address = Buffer.alloc(addressBytes)
  const info = Buffer.alloc(infoBytes)
  const length = new Uint32Array(1)
  const unread = new Int32Array(1)
  return {
    peer(descriptor) {
      length[0] = addressBytes
      return library.getpeername(descriptor, address, length) === 0 ? peerIn(address) : null
    },
    port(descriptor) {
      length[0] = addressBytes
      return library.getsockname(descriptor, address, length) === 0 ? portIn(address) : null
    },
    info(descriptor) {
      length[0] = infoBytes
      const isTold = library.getsockopt(descriptor, tcpLevel, tcpInfo, info, length) === 0
      return isTold && (length[0] ?? 0) === infoBytes ? info : null
    },
    unread: (descriptor) =>
      library.ioctl(descriptor, unreadBytes, unread) === 0 ? (unread[0] ?? 0) : null,
    shut: (descriptor) => void library.shutdown(descriptor, bothWays),
  }
}

function portIn(socket: Buffer): number | null {
  const family = socket.readUInt16LE(0)
  return family === ipv4Family || family === ipv6Family ? socket.readUInt16BE(2) : null
}

/** Null for what is no address of the internet. */
function peerIn(socket: Buffer): Peer | null {
  const port = portIn(socket)
  if (port === null) return null
  if (socket.readUInt16LE(0) === ipv4Family)
    return { address: socketAddress(socket.subarray(4, 8).join('.')), port }
  const groups = Array.from({ length: 8 }, (_, at) => socket.readUInt16BE(8 + 2 * at))
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  const address = isMapped
    ? socket.subarray(20, 24).join('.')
    : groups.map((group) => group.toString(16)).join(':')
  return { address: socketAddress(address), port }
}
