import type { GatewayError } from '../../../errors/gateway-error'
import type { Inbound } from '../../http/inbound'
import { readLanguage } from '../../http/language'

/** Renderer of the error events of one socket: in the client's language, each with an id of its own. */
export type ErrorEvents = (error: GatewayError, clientEvent?: string | null) => string

export function openErrorEvents({
  requestId,
  headers,
  links,
}: Pick<Inbound, 'requestId' | 'headers' | 'links'>): ErrorEvents {
  const language = readLanguage(headers)
  let count = 0
  return (error, clientEvent = null) =>
    JSON.stringify({
      type: 'error',
      event_id: requestId.replace(/^req/, 'event') + `_${++count}`,
      error: { ...error.body(language, links).error, event_id: clientEvent },
    })
}
