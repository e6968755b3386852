import type { CallEnding } from '../../../domain/record'
import { GatewayError } from '../../../errors/gateway-error'
import { closeCodeOf, failedClose, normalClose, restartClose, tooLargeClose } from './close-codes'

/** Ending of a socket, and what the client is told. */
export interface SessionEnding {
  readonly status: CallEnding['status']
  readonly error: GatewayError | null
  readonly code: number
  readonly reason: string
  /** The client's socket is not closed in order. */
  readonly drops?: true
  /** How long a vendor may take to bill an answer that was called off. */
  readonly billMs: number
}

const usualBillMs = 2_000

/** The client is gone. */
export const leftAs = (status: 'success' | 'cancelled'): SessionEnding => ({
  status,
  error: null,
  code: normalClose,
  reason: '',
  billMs: usualBillMs,
})

/** The vendor closed in order, with this. */
export const closedWith = (code: number, reason: string): SessionEnding => ({
  status: 'success',
  error: null,
  code,
  reason,
  billMs: usualBillMs,
})

export const interruptedBy = (
  why: string,
  code = failedClose,
  billMs = usualBillMs,
): SessionEnding =>
  failedWith(new GatewayError('stream_interrupted', {}, { cause: new Error(why) }), code, billMs)

/** How long a vendor may take to bill an answer that was called off because the gateway is stopping. */
const stoppingBillMs = 300

export const gatewayStops = (): SessionEnding =>
  interruptedBy('the gateway is stopping', restartClose, stoppingBillMs)

export const stoppedByOperator = (): SessionEnding => interruptedBy('an operator stopped it')

/** A frame of the client had more bytes than it may. */
export const tooLarge = (maxFrameBytes: number): SessionEnding => {
  const limitKb = Math.floor(maxFrameBytes / 1024)
  return failedWith(new GatewayError('request_too_large', { limitKb }), tooLargeClose)
}

/** Bytes of a frame that is not whole are held as long as the client's socket, so it is dropped. */
export const holdsTooMuch = (maxBytes: number): SessionEnding => ({
  ...tooLarge(maxBytes),
  drops: true,
})

export const failedWith = (
  error: GatewayError,
  code = closeCodeOf(error),
  billMs = usualBillMs,
): SessionEnding => ({ status: 'error', error, code, reason: error.code, billMs })
