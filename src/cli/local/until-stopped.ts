import { readFileSync } from 'node:fs'
import type { RunningServer } from '../../server/process/run-contract'
import { printError } from '../kit/output'
import type { RunningNodes } from '../../server/process/supervisor'

type Stoppable = Pick<RunningServer, 'stop' | 'stopped'> &
  Partial<Pick<RunningNodes, 'abort'>> &
  Pick<RunningServer, 'replace'>

/** Requests to end the process. */
export interface Stops {
  /**
   * Serves until the process is asked to end; asked twice it ends at once. A terminal that closes asks
   * too, but never cuts short: systemd's SendSIGHUP sends both signals together. SIGUSR2 replaces the program by the
   * one on the disk.
   */
  until(server: Stoppable): Promise<void>
}

/** Unheard, the signal would end a process that is still starting. */
export function receiveReplacing(): void {
  if (hasUsr2) process.on('SIGUSR2', () => {})
}

const hasUsr2 = process.platform !== 'win32'

/** Takes requests to end from now on: whoever is told where a service is may ask in the same moment. */
export function openStops(): Stops {
  const asked = Promise.withResolvers<void>()
  let isAsked = false
  let abort = () => {}
  const drain = () => asked.resolve()
  const stop = () => {
    if (isAsked) {
      abort()
      process.exit(1)
    }
    isAsked = true
    drain()
  }
  const signals = ['SIGTERM', 'SIGINT'] as const
  for (const signal of signals) process.on(signal, stop)
  if (!outlivesTerminal()) process.on('SIGHUP', drain)
  return {
    async until(server) {
      const replace = () => {
        if (server.replace === undefined) printError(irreplaceable)
        else if (!isAsked) void server.replace()
      }
      abort = () => server.abort?.()
      if (hasUsr2) process.on('SIGUSR2', replace)
      void asked.promise.then(() => server.stop())
      await server.stopped
      for (const signal of signals) process.off(signal, stop)
      process.off('SIGHUP', drain)
      if (hasUsr2) process.off('SIGUSR2', replace)
    },
  }
}

const irreplaceable =
  'chapar: SIGUSR2 replaces the program where chapar serve has a data folder, on Linux; this one serves on: restart it instead'

/** Serves as a node process: its supervisor alone ends it, whatever the terminal sends to all of them. */
export async function untilDismissed(node: Pick<RunningServer, 'stop' | 'stopped'>): Promise<void> {
  const ignore = () => {}
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, ignore)
  const stop = () => void node.stop()
  process.on('SIGTERM', stop)
  await node.stopped
  process.exit(0)
}

/** Whether it was started to go on without its terminal, as by nohup. Only Linux tells. */
function outlivesTerminal(): boolean {
  try {
    const [, ignored = '0'] =
      /^SigIgn:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
    // The first bit is that of the first signal, SIGHUP.
    return (BigInt(`0x${ignored}`) & 1n) === 1n
  } catch {
    return false
  }
}
