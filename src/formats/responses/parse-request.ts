import { reasoningEfforts } from '../../domain/model'
import type { ChatBody } from '../chat/schema'
import { fieldsOf, isFields, type Fields } from '../../json/fields'
import { webSearchMember } from '../chat/web-search'
import { searchOffered } from './hosted-tools'
import { parseItems } from './parse-items'
import { toolOptions } from './parse-tools'
import type { ResponsesBody } from './schema'

/**
 * A request of the Responses format as a chat body. What has no equal there is left out: tools that
 * run at the vendor but for searches, `include`, `store`, `truncation`, `metadata`.
 * @see openai/openai-openapi `CreateResponse`, 2.3.0 of 2026-08-21
 */
export function parseResponsesRequest(body: ResponsesBody): ChatBody {
  const { instructions, reasoning } = body
  const messages = parseItems(body.input)
  const { prompt_cache_options: caches, prompt_cache_retention: retention }: Fields = body
  const search = searchOffered(body)
  const chat: ChatBody = {
    model: body.model,
    messages:
      typeof instructions === 'string' && instructions !== ''
        ? [{ role: 'system', content: instructions }, ...messages]
        : messages,
    ...(body.stream === true ? { stream: true } : {}),
    ...sampling(body),
    ...toolOptions(body),
    ...answerForm(fieldsOf(body.text)),
    ...(isFields(caches) ? { prompt_cache_options: caches } : {}),
    ...(typeof retention === 'string' ? { prompt_cache_retention: retention } : {}),
    ...(search === null ? {} : { web_search_options: webSearchMember(search) }),
  }
  const requested = fieldsOf(reasoning)['effort']
  const effort = reasoningEfforts.find((each) => each === requested)
  return effort === undefined ? chat : { ...chat, reasoning_effort: effort }
}

function sampling(body: ResponsesBody): Partial<ChatBody> {
  const { max_output_tokens: ceiling, temperature, top_p: topP, top_logprobs: top } = body
  const { prompt_cache_key: cacheKey }: Fields = body
  const logprobs = body.include?.includes('message.output_text.logprobs') === true
  return {
    ...(typeof ceiling === 'number' ? { max_tokens: ceiling } : {}),
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(typeof topP === 'number' ? { top_p: topP } : {}),
    ...(logprobs ? { logprobs, ...(typeof top === 'number' ? { top_logprobs: top } : {}) } : {}),
    ...(typeof cacheKey === 'string' ? { prompt_cache_key: cacheKey } : {}),
  }
}

function answerForm({ format, verbosity }: Fields): Fields {
  const { type, name, description, schema, strict } = fieldsOf(format)
  const form: Fields = typeof verbosity === 'string' ? { verbosity } : {}
  if (type === 'json_object') form['response_format'] = { type }
  if (type === 'json_schema') {
    const described = typeof description === 'string' ? { description } : {}
    form['response_format'] = {
      type,
      json_schema: {
        name: typeof name === 'string' ? name : 'answer',
        ...described,
        schema: fieldsOf(schema),
        ...(typeof strict === 'boolean' ? { strict } : {}),
      },
    }
  }
  return form
}
