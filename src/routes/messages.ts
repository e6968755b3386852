import { clientEndpoint } from '../call/client-endpoint'
import { messagesFormat } from '../call/messages-format'
import { runCall } from '../call/run'
import type { Route } from './route'

const endpoint = clientEndpoint(messagesFormat)

/** Anthropic's Messages, for its official clients and its coding CLI. */
export const messages: Route = {
  method: 'POST',
  path: '/v1/messages',
  serve: (parts, inbound) => runCall(parts, endpoint, inbound),
}
