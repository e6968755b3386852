import { readFileSync } from 'node:fs'
import type { RunningServer } from '../../app/run'
import { printError } from '../kit/output'
import { becomeNewProgram } from './serving-processes'

/** Requests to end the process. */
export interface Stops {
  /**
   * Serves until the process is asked to end; asked twice it ends at once. A terminal that closes asks
   * too, but never cuts short: systemd's SendSIGHUP sends both signals together. SIGUSR2 has the program as it lies
   * on the disk by now take over, where several processes serve; elsewhere it does nothing.
   */
  until(server: Pick<RunningServer, 'stop' | 'stopped' | 'part' | 'abort'>): Promise<void>
}

/** Unheard, the signal would end a process that only begins, as one does that has just been replaced. */
export function hearReplacing(): void {
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
        if (server.part === undefined) printError(oneProcess)
        else if (!isAsked) void becomeNext(server)
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

const oneProcess =
  'chapar: SIGUSR2 replaces the program of several processes (--processes); this one serves on: restart it instead'

/** Has the program as it lies on the disk go on in this process, where it runs. */
async function becomeNext(server: Pick<RunningServer, 'part'>): Promise<void> {
  try {
    const ports = (await server.part?.()) ?? null
    if (ports !== null) becomeNewProgram(ports)
  } catch (thrown) {
    // The data is nobody's by now: whoever supervises begins anew.
    printError(`chapar: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    process.exit(1)
  }
}

/** Serves as one of several processes: its owner alone ends it, whatever the terminal tells all of them. */
export async function untilDismissed(
  front: Pick<RunningServer, 'stop' | 'stopped'>,
): Promise<void> {
  const ignore = () => {}
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, ignore)
  const stop = () => void front.stop()
  process.on('SIGTERM', stop)
  await front.stopped
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
