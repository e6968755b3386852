import { isCount, isFields } from '../../json/fields'
import type { CountAbility } from '../vendor'
import { nativeMessages } from './native'

/** All that a prompt is made of; the rest of a request is not taken here. */
const counted = new Set([
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'cache_control',
  'context_management',
  'mcp_servers',
])

/**
 * The vendor's own counter, which runs no model.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts`
 *   (`MessageCountTokensParams`)
 */
export const countMessages: CountAbility = {
  path: () => '/messages/count_tokens',
  shape(body, target, client) {
    const { set, drop } = nativeMessages.shape(body, target, client)
    const changed = Object.entries(set).filter(([name]) => counted.has(name))
    const left = Object.keys(body).filter((name) => !counted.has(name))
    return { set: Object.fromEntries(changed), drop: [...drop, ...left] }
  },
  read(text) {
    const reply: unknown = JSON.parse(text)
    return isFields(reply) && isCount(reply['input_tokens']) ? reply['input_tokens'] : null
  },
}
