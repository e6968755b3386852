import { reasoningEfforts } from '../../../domain/model'
import type { ChatBody } from '../chat/schema'
import { fieldsOf, isCount, type Fields } from '../../json/fields'
import { webSearchMember, type WebSearch } from '../chat/web-search'
import { searchOffered } from './hosted-tools'
import { parseItems } from './parse-items'
import { passedToResponses } from '../said-members'
import { toolOptions } from './parse-tools'
import type { ResponsesBody } from './schema'

/**
 * A request of the Responses format as a chat body: what of it `responsesMembers` says is translated.
 * @see openai/openai-openapi `CreateResponse`, 2.3.0 of 2026-08-21
 */
export function parseResponsesRequest(body: ResponsesBody): ChatBody {
  const { instructions, reasoning } = body
  const messages = parseItems(body.input)
  const search = searchOffered(body)
  const chat: ChatBody = {
    model: body.model,
    messages:
      typeof instructions === 'string' && instructions !== ''
        ? [{ role: 'system', content: instructions }, ...messages]
        : messages,
    ...(body.stream === true ? { stream: true } : {}),
    ...sampling(body),
    ...alike(body),
    ...toolOptions(body),
    ...answerForm(fieldsOf(body.text)),
    ...(search === null ? {} : searching(search, body)),
  }
  const requested = fieldsOf(reasoning)['effort']
  const effort = reasoningEfforts.find((each) => each === requested)
  return effort === undefined ? chat : { ...chat, reasoning_effort: effort }
}

/** A search, and how often it may run where the client says that. */
function searching(search: WebSearch, { max_tool_calls: most }: Readonly<Fields>): Fields {
  const member = { web_search_options: webSearchMember(search) }
  return isCount(most) ? { ...member, max_tool_calls: most } : member
}

function sampling(body: ResponsesBody): Partial<ChatBody> {
  const { max_output_tokens: ceiling, temperature, top_p: topP, top_logprobs: top } = body
  const logprobs = body.include?.includes('message.output_text.logprobs') === true
  return {
    ...(typeof ceiling === 'number' ? { max_tokens: ceiling } : {}),
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(typeof topP === 'number' ? { top_p: topP } : {}),
    ...(logprobs ? { logprobs, ...(typeof top === 'number' ? { top_logprobs: top } : {}) } : {}),
  }
}

const alike = (body: Readonly<Fields>): Fields =>
  Object.fromEntries(
    passedToResponses.flatMap((name) =>
      (body[name] ?? null) === null ? [] : [[name, body[name]] as const],
    ),
  )

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
