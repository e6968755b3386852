import {
  descriptorLimit,
  openDescriptorGuard,
  reserveOf,
  shareOf,
} from '../gateway/http/descriptors'
import { openListenerPause } from '../gateway/http/listener-pause'
import type { Log } from '../gateway/observability/log'
import type { Server } from './listeners/server-contract'

/** Another client is to be answered within a second of a flood. */
const lookEveryMs = 250
/** While they lack: clients wait in the kernel's queue, and are accepted as many at a time as there is room for. */
const lookAgainMs = 50

/** Keeps descriptors back for the database and vendors while a server takes connections. @returns what ends it */
export function watchDescriptors(server: Server, log: Log): () => void {
  const limit = descriptorLimit()
  const guard = openDescriptorGuard({
    reserve: reserveOf(limit),
    listener: openListenerPause(server.port),
    closeIdle: server.closeIdle,
    closeHeadless: (missing) => void server.closeHeadless(missing, shareOf(limit)),
    onScarce(scarce) {
      server.setScarce(scarce)
      log.warn(scarce ? 'open files run out' : 'open files suffice again')
    },
  })
  const look = () => wait(guard.tick(performance.now()) ? lookAgainMs : lookEveryMs)
  let timer: ReturnType<typeof setTimeout>
  const wait = (ms: number) => {
    timer = setTimeout(look, ms)
    timer.unref()
  }
  wait(lookEveryMs)
  return () => {
    clearTimeout(timer)
    guard.close()
  }
}
