import { openLibrary } from '../../gateway/http/listener'
import { closeOnExec, noSignal, unixAddress, unixFamily } from '../../gateway/net/unix-socket'

/** Sends a state of the service to systemd, by sd_notify(3): `READY=1`, `MAINPID=…`, `STOPPING=1`. */
export type NotifyServiceManager = (state: string) => void

/** socket(7), send(2). */
const datagram = 2
const doesNotWait = 0x40

/** @param socket at which the manager listens, `NOTIFY_SOCKET`; empty for none */
export function openServiceManager(socket: string): NotifyServiceManager {
  const library =
    socket === ''
      ? null
      : openLibrary({
          socket: { args: ['i32', 'i32', 'i32'], returns: 'i32' },
          sendto: { args: ['i32', 'ptr', 'u64', 'i32', 'ptr', 'u32'], returns: 'i64' },
          close: { args: ['i32'], returns: 'i32' },
        })
  if (library === null) return () => {}
  const address = unixAddress(socket)
  return (state) => {
    const descriptor = library.socket(unixFamily, datagram | closeOnExec, 0)
    if (descriptor < 0) return
    const text = Buffer.from(state)
    library.sendto(descriptor, text, text.length, doesNotWait | noSignal, address, address.length)
    library.close(descriptor)
  }
}
