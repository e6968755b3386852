import { readFileSync } from 'node:fs'

/**
 * Serves until the process is asked to end; asked twice it ends at once. A terminal that closes asks
 * too, but never cuts short: systemd's SendSIGHUP sends both signals together.
 */
export async function untilStopped(server: {
  stop(): Promise<void>
  readonly stopped: Promise<void>
}): Promise<void> {
  let asked = false
  const drain = () => void server.stop()
  const stop = () => {
    if (asked) process.exit(1)
    asked = true
    drain()
  }
  const signals = ['SIGTERM', 'SIGINT'] as const
  for (const signal of signals) process.on(signal, stop)
  if (!outlivesTerminal()) process.on('SIGHUP', drain)
  await server.stopped
  for (const signal of signals) process.off(signal, stop)
  process.off('SIGHUP', drain)
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
