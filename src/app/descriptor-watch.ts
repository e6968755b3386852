import { descriptorLimit, openDescriptorGuard, reserveOf } from '../http/descriptors'
import { openListenerPause } from '../http/listener-pause'
import type { Log } from '../observability/log'
import type { Server } from './server'

/** Another client is to be answered within a second of a flood. */
const lookEveryMs = 250

/** Keeps descriptors back for the database and vendors while a server takes connections. @returns what ends it */
export function watchDescriptors(server: Server, log: Log): () => void {
  const guard = openDescriptorGuard({
    reserve: reserveOf(descriptorLimit()),
    listener: openListenerPause(server.port),
    closeIdle: server.closeIdle,
    onScarce(scarce) {
      server.setScarce(scarce)
      log.warn(scarce ? 'open files run out' : 'open files suffice again')
    },
  })
  const timer = setInterval(() => guard.tick(performance.now()), lookEveryMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    guard.close()
  }
}
