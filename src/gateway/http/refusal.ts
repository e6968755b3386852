import type { ErrorBody, GatewayError } from '../../errors/gateway-error'
import { messagesError } from '../formats/messages/error'
import type { Allowance } from '../limits/limits'
import { errorResponse } from './error-response'
import { answerHeaders } from './headers'
import type { Inbound } from './inbound'
import { readLanguage } from './language'

type Asked = Pick<Inbound, 'path' | 'headers' | 'requestId'>
type Refused = Asked & Pick<Inbound, 'links'>

/** Whether whoever asks reads the Messages format: by the path, or where both share it by a header. */
export const speaksMessages = ({ path, headers }: Pick<Inbound, 'path' | 'headers'>): boolean =>
  isBelow(path, '/v1/messages') ||
  (isBelow(path, '/v1/models') && headers.get('anthropic-version') !== null)

const isBelow = (path: string, top: string): boolean =>
  path.startsWith(top) && (path.length === top.length || path[top.length] === '/')

/** Headers of an answer under the names that its client knows: Anthropic's clients read `request-id`. */
export function headersFor(inbound: Asked, allowance: Allowance | null): Record<string, string> {
  const headers = answerHeaders(inbound, allowance)
  if (speaksMessages(inbound)) headers['request-id'] = inbound.requestId
  return headers
}

/** A refusal in the language and the frame that its client reads. */
export function refusalResponse(
  error: GatewayError,
  inbound: Refused,
  allowance: Allowance | null,
): Response {
  const headers = headersFor(inbound, error.row.beforeKey === true ? null : allowance)
  const language = readLanguage(inbound.headers)
  const framed = speaksMessages(inbound)
    ? (body: ErrorBody) => messagesError(body, inbound.requestId)
    : undefined
  return errorResponse(error, language, headers, framed, inbound.links)
}
