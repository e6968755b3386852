import { fieldsOf, type Fields } from '../json/fields'
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

/**
 * Members of the answer to a JSON request, whatever its status: gateways say their errors there.
 * @throws GatewayFault `no_answer` for silence and for pages of HTML
 */
export const postJson = async (send: SendToGateway, url: string, body: object): Promise<Fields> =>
  fieldsIn(
    await answerTo(send, { method: 'POST', url, headers: jsonHeaders, body: JSON.stringify(body) }),
  )

/** Members of the answer to a request. @throws GatewayFault `no_answer` */
export async function answerTo(
  send: SendToGateway,
  request: GatewayRequest,
): Promise<GatewayReply> {
  try {
    return await send(request)
  } catch {
    throw new GatewayFault(noAnswer)
  }
}

/** Members of a gateway's reply. @throws GatewayFault `no_answer` for anything but an object */
export function fieldsIn({ text }: GatewayReply): Fields {
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
