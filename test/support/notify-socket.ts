import { openLibrary } from '../../src/gateway/http/listener'
import { unixAddress, unixFamily } from '../../src/gateway/net/unix-socket'

/** The socket at which systemd hears of a service, and what it heard. */
interface NotifySocket {
  /** Since it was opened. */
  heard(): readonly string[]
  close(): void
}

/** socket(7), recv(2). */
const datagram = 2
const doesNotWait = 0x40

/** @param path of at most a hundred bytes. Linux only */
export function openNotifySocket(path: string): NotifySocket {
  const library = openLibrary({
    socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
    bind: { args: ['i32', 'ptr', 'u32'], returns: 'i32' },
    recv: { args: ['i32', 'ptr', 'u64', 'i32'], returns: 'i64' },
    close: { args: ['i32'], returns: 'i32' },
  })
  if (library === null) throw new Error('no C library')
  const address = unixAddress(path)
  const descriptor = library.socket(unixFamily, datagram, 0)
  if (library.bind(descriptor, address, address.length) !== 0) throw new Error(`no socket ${path}`)
  const buffer = Buffer.alloc(4096)
  const heard: string[] = []
  return {
    heard() {
      for (;;) {
        const bytes = Number(library.recv(descriptor, buffer, buffer.length, doesNotWait))
        if (bytes <= 0) return [...heard]
        heard.push(buffer.toString('utf8', 0, bytes))
      }
    },
    close: () => void library.close(descriptor),
  }
}
