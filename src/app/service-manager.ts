import { openLibrary } from '../http/listener'

/** What systemd is told of a service, by sd_notify(3): `READY=1`, `MAINPID=…`, `STOPPING=1`. */
export type TellManager = (state: string) => void

/** unix(7), socket(7). */
const unixFamily = 1
const datagram = 2
const closeOnExec = 0o2000000
const doesNotWait = 0x40
const noSignal = 0x4000

/** Tells the manager that began this process. @param socket where it listens, `NOTIFY_SOCKET`; empty for none */
export function openServiceManager(socket: string): TellManager {
  const library =
    socket === ''
      ? null
      : openLibrary({
          socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
          sendto: { args: ['i32', 'ptr', 'u64', 'i32', 'ptr', 'u32'], returns: 'i64' },
          close: { args: ['i32'], returns: 'i32' },
        })
  if (library === null) return () => {}
  const path = Buffer.from(socket)
  const address = Buffer.alloc(2 + path.length)
  address.writeUInt16LE(unixFamily)
  path.copy(address, 2)
  // An address that no file stands for begins with a zero byte.
  if (socket.startsWith('@')) address[2] = 0
  return (state) => {
    const descriptor = library.socket(unixFamily, datagram | closeOnExec, 0)
    if (descriptor < 0) return
    const text = Buffer.from(state)
    library.sendto(descriptor, text, text.length, doesNotWait | noSignal, address, address.length)
    library.close(descriptor)
  }
}
