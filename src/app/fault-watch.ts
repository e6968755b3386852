import { faultFields, type Log } from '../observability/log'

/**
 * A fault in one call must not take down all others: it is logged, and the process goes on.
 * @returns what ends the watch, for a process that outlives its gateway
 */
export function watchFaults(log: Log): () => void {
  const watches = (['unhandledRejection', 'uncaughtException'] as const).map((event) => ({
    event,
    watch: (thrown: unknown) => log.error('unhandled error', { event, ...faultFields(thrown) }),
  }))
  for (const { event, watch } of watches) process.on(event, watch)
  return () => {
    for (const { event, watch } of watches) process.off(event, watch)
  }
}
