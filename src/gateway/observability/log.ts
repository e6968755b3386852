import pino from 'pino'
import { isGatewayError } from '../../errors/gateway-error'
import { VendorFailure } from '../../errors/vendor-failure'

/** Fields of a log line: ids, codes, counts and times; never a body, a prompt, an answer or a key. */
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
  /** Writes a line for whoever watches the terminal, whatever the level. */
  print(line: string): void
  flush(): void
}

/** @param process which of several processes speaks, by now; null while it is the only one */
export function openLog(level: LogLevel, process: () => string | null = () => null): Log {
  const destination = pino.destination({ dest: 2, sync: level !== 'debug', minLength: 0 })
  const logger = pino(
    {
      level,
      base: null,
      mixin() {
        const name = process()
        return name === null ? {} : { process: name }
      },
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
    print: (line) => void destination.write(`${line}\n`),
    flush: () => destination.flushSync(),
  }
}

/** Whether a vendor's message may be logged now. */
export type ShowsVendorWords = () => boolean

/**
 * Log fields of a thrown value: where it was thrown, its kind and code, and of a vendor's failure
 * the status, type, code and param. A message is logged where it is ours: others quote what they
 * could not read or take, and that may be of a prompt or an answer.
 * @param vendorWords with the vendor's message
 */
export function faultFields(thrown: unknown, vendorWords = false): LogFields {
  if (isGatewayError(thrown) && thrown.cause !== undefined)
    return faultFields(thrown.cause, vendorWords)
  if (thrown instanceof VendorFailure) return failureFields(thrown, vendorWords)
  if (!(thrown instanceof Error)) return { fault: typeof thrown }
  const code = codeOf(thrown)
  // Only this program throws errors of no kind; their texts hold ids and counts, a house test sees to it.
  const isOurs = code === undefined && Object.getPrototypeOf(thrown) === Error.prototype
  return {
    fault: wordOf(thrown.name),
    message: isOurs ? thrown.message : undefined,
    faultCode: code ?? codeOf(thrown.cause),
    stack: framesOf(thrown),
  }
}

const failureFields = ({ name, status, words, alert }: VendorFailure, all: boolean): LogFields => ({
  fault: name,
  status,
  type: wordOf(words.type),
  vendorCode: wordOf(words.code),
  param: wordOf(words.param),
  check: alert ?? undefined,
  vendorMessage: all && words.message !== '' ? words.message : undefined,
})

const codeOf = (thrown: unknown): string | undefined =>
  thrown instanceof Error && 'code' in thrown ? (stateOf(thrown) ?? wordOf(thrown.code)) : undefined

/** SQLSTATE of what a database refused: the runtime has one code for all of them. */
const stateOf = (thrown: Error): string | undefined =>
  'errno' in thrown && typeof thrown.errno === 'string' && /^[0-9A-Z]{5}$/.test(thrown.errno)
    ? thrown.errno
    : undefined

/** A name or code as programs make them. Whatever else stands there may be a quotation. */
function wordOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^[\w.\-[\]]{1,64}$/.test(text) ? text : undefined
}

/** Stack frames without the message above them, which may have lines that look like frames. */
function framesOf({ stack = '', message }: Error): string {
  const at = stack.indexOf(message)
  return (at === -1 ? stack : stack.slice(at + message.length))
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}
