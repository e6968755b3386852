import type { Secret } from '../../domain/secret'

/**
 * Credentials and versions from sub-protocol names, for clients that cannot send headers.
 * @see openai/openai-node 7.55, `src/realtime/websocket.ts`; `openai-beta.…` came from its beta clients
 */
export interface OfferedProtocols {
  /** Must be answered: a browser drops a connection on which none is (RFC 6455, 4.1). */
  readonly realtime: boolean
  readonly key: Secret | null
  /** Asks for the form before the release. */
  readonly beta: boolean
}

const keyMark = 'openai-insecure-api-key.'
const betaMark = 'openai-beta.realtime-v1'

/** Reads the sub-protocols that a client offers. */
export function readProtocols(headers: Headers): OfferedProtocols {
  const offered = (headers.get('sec-websocket-protocol') ?? '')
    .split(',')
    .map((each) => each.trim())
  const key = offered.find((each) => each.startsWith(keyMark))?.slice(keyMark.length)
  return {
    realtime: offered.includes('realtime'),
    key: key === undefined || key === '' ? null : (key as Secret),
    beta: offered.includes(betaMark) || /\brealtime=v1\b/.test(headers.get('openai-beta') ?? ''),
  }
}

/** Whether a request wants to become a WebSocket, however it asks. */
export const namesSocket = (headers: Headers): boolean =>
  headers.get('upgrade')?.toLowerCase() === 'websocket'

/** Whether a request asks for a WebSocket, with all that such a request must have (RFC 6455, 4.2.1). */
export const requestsForSocket = (headers: Headers): boolean =>
  namesSocket(headers) &&
  headers.get('sec-websocket-version') === '13' &&
  handshakeKey.test(headers.get('sec-websocket-key') ?? '')

/** Sixteen bytes. */
const handshakeKey = /^[A-Za-z0-9+/]{22}==$/
