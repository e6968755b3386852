import type { GatewayError, Language } from '../errors/gateway-error'

/** What makes the error events of one socket: in the client's language, each with an id of its own. */
export type ErrorEvents = (error: GatewayError, clientEvent?: string | null) => string

export function openErrorEvents(requestId: string, language: Language): ErrorEvents {
  let count = 0
  return (error, clientEvent = null) =>
    JSON.stringify({
      type: 'error',
      event_id: requestId.replace(/^req/, 'event') + `_${++count}`,
      error: { ...error.body(language).error, event_id: clientEvent },
    })
}
