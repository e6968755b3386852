import { readWebSearch } from '../../formats/chat/web-search'
import { isFields, isCount } from '../../json/fields'
import { jsonTool } from '../../formats/messages/json-answer'
import { parseMessagesReply } from '../../formats/messages/parse-reply'
import { markedForCache } from '../../formats/messages/prompt-cache'
import { openMessagesStream } from '../../formats/messages/parse-stream'
import { renderMessagesRequest } from '../../formats/messages/render-request'
import { embeddedFailure, refuseEmbedded, vendorFailure } from '../failure'
import type { HubAbility, HubQuestion, Vendor, CountAbility } from '../vendor'
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
const countMessages: CountAbility = {
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

/** The version of the format that is spoken here, as header `anthropic-version`; the only one since 2023. */
const formatVersion = '2023-06-01'

const answerTool = ({ body, traits }: HubQuestion): string | null =>
  jsonTool(body, traits)?.name ?? null

const hub: HubAbility = {
  path: () => '/messages',
  render(body, { route, traits, maxOutputTokens, sells }, mark) {
    const { safetyId, stream, recall, cachePrompt } = mark
    const model = route.vendorModel
    const search = sells('tool:web_search') ? readWebSearch(body) : null
    const question = { body, model, traits, maxOutputTokens, safetyId, stream, search, recall }
    const request = renderMessagesRequest(question)
    const text = JSON.stringify(request)
    return cachePrompt ? markedForCache(request, text) : text
  },
  readReply(text, question) {
    const reply: unknown = JSON.parse(text)
    if (!isFields(reply)) throw new Error('reply is not a JSON object')
    if (reply['type'] !== 'message') refuseEmbedded(reply, question.model)
    return parseMessagesReply(reply, answerTool(question))
  },
  openStream: (question) =>
    openMessagesStream({
      answerTool: answerTool(question),
      refuse: (event) => refuseEmbedded(event, question.model),
    }),
}

/** Any address that speaks the Messages format. */
export const anthropic: Vendor = {
  kind: 'anthropic',
  abilities: { hub, messages: nativeMessages, count: countMessages },
  sign: (credential) => [
    ['x-api-key', credential],
    ['anthropic-version', formatVersion],
  ],
  failure: vendorFailure,
  embeddedFailure,
}
