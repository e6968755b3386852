import { runCall } from '../call/run'
import { chatEndpoint } from '../call/text-endpoint'
import type { Route } from './route'

export const chat: Route = {
  method: 'POST',
  path: '/v1/chat/completions',
  serve: (parts, inbound) => runCall(parts, chatEndpoint, inbound),
}
