import type { GatewayError } from '../../../errors/gateway-error'

/** The gateway is stopping: retry (IANA WebSocket close codes, service restart). */
export const restartClose = 1012
/** A frame above the ceiling (RFC 6455, 7.4.1). */
export const tooLargeClose = 1009
/** Server failure (RFC 6455, 7.4.1). */
export const failedClose = 1011
/** Normal closure (RFC 6455, 7.4.1). */
export const normalClose = 1000

/** The code that a socket is closed with: 4000 and the status where the client has to do something. */
export const closeCodeOf = ({ status }: GatewayError): number =>
  status < 500 ? 4000 + status : failedClose

/** Codes that stand for no close frame at all may not be sent (RFC 6455, 7.4.1). */
const unsendable: ReadonlySet<number> = new Set([1004, 1005, 1006, 1015])

/** Whether a code is one of ours, whose meaning would be wrong of a vendor. */
const isOurs = (code: number): boolean => code >= 4400 && code < 4600

/** A server's own code for its client. */
export function passedClose(code: number): number {
  if (isOurs(code)) return failedClose
  return code < 1000 || code > 4999 || unsendable.has(code) ? normalClose : code
}

/** A control frame holds 125 bytes, two of them the code (RFC 6455, 5.5). */
const maxReasonBytes = 123

/** A reason, cut to the length of a close frame. */
export function closeReason(text: string): string {
  const bytes = Buffer.from(text)
  return bytes.byteLength <= maxReasonBytes
    ? text
    : bytes
        .subarray(0, maxReasonBytes)
        .toString()
        .replace(/\uFFFD+$/, '')
}

/** Whether a socket was closed in order, with nothing more to come. */
export const isCleanClose = (code: number): boolean =>
  code === normalClose || code === 1001 || code === 1005
