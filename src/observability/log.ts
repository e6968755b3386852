import pino from 'pino'

/** What a log line may carry: ids, codes, counts and times; never a body, a prompt, an answer or a key. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Structured lines, one JSON object each, on standard error. */
export interface Log {
  debug(event: string, fields?: LogFields): void
  info(event: string, fields?: LogFields): void
  warn(event: string, fields?: LogFields): void
  error(event: string, fields?: LogFields): void
  /** Whether `debug` writes at all, so that a busy path need not build its fields. */
  readonly debugging: boolean
  flush(): void
}

export function openLog(level: LogLevel): Log {
  const destination = pino.destination({ dest: 2, sync: level !== 'debug', minLength: 0 })
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    destination,
  )
  return {
    debug: (event, fields = {}) => logger.debug(fields, event),
    info: (event, fields = {}) => logger.info(fields, event),
    warn: (event, fields = {}) => logger.warn(fields, event),
    error: (event, fields = {}) => logger.error(fields, event),
    debugging: level === 'debug',
    flush: () => destination.flushSync(),
  }
}

/** What may be told of a thrown value: its name, code and message, and where it was thrown. */
export function faultFields(thrown: unknown): LogFields {
  if (!(thrown instanceof Error)) return { fault: typeof thrown }
  const code = 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : undefined
  // Parsers quote what they could not read, and that may be of a prompt or an answer.
  if (thrown instanceof SyntaxError)
    return { fault: thrown.name, message: 'a text that cannot be read', stack: placesOf(thrown) }
  return { fault: thrown.name, message: thrown.message, code, stack: thrown.stack }
}

/** A stack without the words of its error. */
const placesOf = ({ stack = '' }: Error): string =>
  stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
