import { faultFields, type Log } from '../gateway/observability/log'

/** Messages of the runtime's clients, which name what they connect to; those of anybody else may quote a prompt. */
const isRuntimes = (text: string): boolean => /^bun:\w+ /.test(text)

function watchWarnings(log: Log): () => void {
  const printing: Pick<Console, 'warn'> = console
  const { warn } = printing
  printing.warn = (...words: readonly unknown[]) => {
    const message = words.map(String).join(' ')
    log.warn('runtime warning', isRuntimes(message) ? { message } : {})
  }
  return () => void (printing.warn = warn)
}

/**
 * A fault in one call must not take down all others: it is logged, and the process goes on. Warnings that the runtime
 * prints are lines of the log, too.
 * @returns what ends the watch, for a process that outlives its gateway
 */
export function watchFaults(log: Log): () => void {
  const watches = (['unhandledRejection', 'uncaughtException'] as const).map((event) => ({
    event,
    watch: (thrown: unknown) => log.error('unhandled error', { event, ...faultFields(thrown) }),
  }))
  for (const { event, watch } of watches) process.on(event, watch)
  const unwatch = watchWarnings(log)
  return () => {
    unwatch()
    for (const { event, watch } of watches) process.off(event, watch)
  }
}
