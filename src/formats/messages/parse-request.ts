import type { ChatBody } from '../chat/schema'
import { knownMark } from '../chat/cache-marks'
import { webSearchMember } from '../chat/web-search'
import { fieldsOf, type Fields } from '../../json/fields'
import { parseConversation, systemContent } from './parse-conversation'
import { parseTools } from './parse-tools'
import type { MessagesBody } from './schema'
import { isStrictSchema } from './json-schema'
import { offeredSearch } from './web-search'

/**
 * A request of the Messages format (`MessageCreateParams` of the SDK, 1.11.0) as a chat body. What has no
 * equal there is left out: tools that run at the vendor but a search of the web, `top_k`,
 * `context_management`.
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
  return {
    // 0 only fills a cache: elsewhere an answer is at least a token.
    ...(typeof ceiling === 'number' ? { max_tokens: Math.max(1, ceiling) } : {}),
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(typeof topP === 'number' ? { top_p: topP } : {}),
    ...(stops?.length ? { stop: stops } : {}),
  }
}

const efforts = ['low', 'medium', 'high', 'xhigh', 'max'] as const

/** Budgets in tokens above which thinking is taken for more than little, and for much; ours, no vendor's. */
const mediumBudget = 2048
const highBudget = 16_384

/** @returns null where the model is left its own way */
function effortOf({ thinking, output_config: config }: MessagesBody) {
  if (thinking?.type === 'disabled') return 'none'
  const requested = fieldsOf(config)['effort']
  const effort = efforts.find((each) => each === requested)
  if (effort !== undefined) return effort
  if (thinking?.type !== 'enabled') return null
  const budget = Number(fieldsOf(thinking)['budget_tokens'])
  if (budget < mediumBudget) return 'low'
  return budget < highBudget ? 'medium' : 'high'
}

/** The form of the answer, under its present name or the one it had as a beta. */
function schemaOf(body: MessagesBody): Fields | null {
  const fields: Fields = body
  const format = fieldsOf(fieldsOf(body.output_config)['format'] ?? fields['output_format'])
  const { type, schema } = format
  return type === 'json_schema' && typeof schema === 'object' ? fieldsOf(schema) : null
}
