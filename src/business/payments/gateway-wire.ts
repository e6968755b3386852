import { fieldsOf, type Fields } from '../../gateway/json/fields'
import { GatewayFault, noAnswer } from './card-gateway'

interface GatewayRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Null for none. */
  readonly body: string | null
}

interface GatewayReply {
  readonly status: number
  readonly text: string
}

/** One request, never repeated. @throws when there was no answer */
export type SendToGateway = (request: GatewayRequest) => Promise<GatewayReply>

const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json' }

/** An answer of a gateway, by how far it is believed. */
export interface GatewayAnswer {
  readonly status: number
  /** Its members where the status is one of success; no other answer opens, closes or lists a payment. */
  readonly success: Fields
  /** Its members whatever the status: gateways say there why they refuse. */
  readonly said: Fields
}

/** Answer to a JSON request. @throws GatewayFault `no_answer`, as of `answerTo` */
export const postJson = (send: SendToGateway, url: string, body: object): Promise<GatewayAnswer> =>
  answerTo(send, { method: 'POST', url, headers: jsonHeaders, body: JSON.stringify(body) })

/**
 * Answer to a request: the one place that looks at its status.
 * @throws GatewayFault `no_answer` for silence, a failure of the gateway's server, and anything but an object of JSON
 */
export async function answerTo(
  send: SendToGateway,
  request: GatewayRequest,
): Promise<GatewayAnswer> {
  const reply = await send(request).catch(() => null)
  if (reply === null || reply.status >= firstServerError) throw new GatewayFault(noAnswer)
  const { status, text } = reply
  const said = fieldsIn(text)
  return { status, success: status >= 200 && status < 300 ? said : {}, said }
}

const firstServerError = 500

/** Members of what a gateway sent. @throws GatewayFault `no_answer` for anything but an object */
export function fieldsIn(text: string): Fields {
  const fields = parsed(text)
  if (Object.keys(fields).length === 0) throw new GatewayFault(noAnswer)
  return fields
}

function parsed(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return {}
  }
}

/** A code that is a number in some answers and a text in others; null for neither. */
export function codeOf(value: unknown): number | null {
  const code = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof code === 'number' && Number.isSafeInteger(code) ? code : null
}

/** A receipt number or masked card; null where it is neither text nor number. */
export const shownText = (value: unknown): string | null =>
  (typeof value === 'string' && value !== '') || typeof value === 'number'
    ? String(value).slice(0, maxShown)
    : null

const maxShown = 100
