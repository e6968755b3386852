import type { ChatBody } from '../chat/schema'
import { knownMark } from '../chat/cache-marks'
import { webSearchMember } from '../chat/web-search'
import { fieldsOf, isCount, type Fields } from '../../json/fields'
import { requestedEffort } from '../reasoning'
import { parseConversation, systemContent } from './parse-conversation'
import { parseTools } from './parse-tools'
import type { MessagesBody } from './schema'
import { isStrictSchema } from './json-schema'
import { offeredSearch } from './web-search'

/**
 * A request of the Messages format (`MessageCreateParams` of the SDK, 1.14.0) as a chat body: what of it
 * `messagesMembers` says is translated.
 */
export function parseMessagesRequest(body: MessagesBody): ChatBody {
  const system = systemContent(body.system)
  const cache = knownMark(body)
  const messages = parseConversation(body.messages)
  const search = offeredSearch(body)
  const chat: ChatBody = {
    model: body.model,
    messages: system.length === 0 ? messages : [{ role: 'system', content: system }, ...messages],
    ...(body.stream === true ? { stream: true } : {}),
    ...sampling(body),
    ...parseTools(body),
    ...(search === null ? {} : { web_search_options: webSearchMember(search) }),
    ...(cache === null ? {} : { cache_control: cache }),
  }
  const effort = effortOf(body)
  if (effort !== null) chat.reasoning_effort = effort
  const schema = schemaOf(body)
  if (schema === null) return chat
  const json_schema = { name: 'answer', schema, strict: isStrictSchema(schema) }
  return { ...chat, response_format: { type: 'json_schema', json_schema } as Fields } as ChatBody
}

function sampling(body: MessagesBody): Partial<ChatBody> {
  const { max_tokens: ceiling, temperature, top_p: topP, stop_sequences: stops } = body
  const { top_k: topK }: Fields = body
  return {
    // 0 only fills a cache: elsewhere an answer is at least a token.
    ...(typeof ceiling === 'number' ? { max_tokens: Math.max(1, ceiling) } : {}),
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(typeof topP === 'number' ? { top_p: topP } : {}),
    ...(isCount(topK) ? { top_k: topK } : {}),
    ...(stops?.length ? { stop: stops } : {}),
  }
}

const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const

/** @returns null where the model is left its own way */
function effortOf({ thinking, output_config: config }: MessagesBody) {
  if (thinking?.type === 'disabled') return 'none'
  const requested = fieldsOf(config)['effort']
  const effort = efforts.find((each) => each === requested)
  if (effort !== undefined) return effort
  return thinking?.type === 'enabled' ? requestedEffort({ thinking }) : null
}

/** The form of the answer, under its present name or the one it had as a beta. */
function schemaOf(body: MessagesBody): Fields | null {
  const fields: Fields = body
  const format = fieldsOf(fieldsOf(body.output_config)['format'] ?? fields['output_format'])
  const { type, schema } = format
  return type === 'json_schema' && typeof schema === 'object' ? fieldsOf(schema) : null
}
