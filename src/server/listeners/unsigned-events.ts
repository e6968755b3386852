import type { Monotonic, Ticks } from '../../domain/clock'
import type { Log } from '../../gateway/observability/log'

const eachMs = 60_000

/**
 * Logs events of gateways that are not signed, each gateway's once a minute: anybody may send them, and an operator may
 * have mistyped a signing secret.
 */
export function logUnsigned(log: Log, monotonic: Monotonic) {
  const logged = new Map<string, Ticks>()
  return (gateway: string, code: string): void => {
    const now = monotonic.ticks()
    const last = logged.get(gateway)
    if (last !== undefined && now - last < eachMs) return
    logged.set(gateway, now)
    log.warn('payment event not signed', { gateway, code })
  }
}
