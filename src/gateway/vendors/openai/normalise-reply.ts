import { messageOnly, VendorFailure } from '../../../errors/vendor-failure'
import { fieldsOf, isCount, isFields, type Fields } from '../../json/fields'

/**
 * Finish reasons by vendors' names; others mean `stop`. `model_length` is Mistral's, `sensitive` Zhipu's,
 * `eos` Together's, `complete` Cohere's, `guardrail_intervened` Bedrock's; names of Gemini and Messages come from proxies that translate the
 * rest.
 */
const finishReasons: ReadonlyMap<string, string> = new Map([
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['model_length', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['context_length_exceeded', 'length'],
  ['sensitive', 'content_filter'],
  ['safety', 'content_filter'],
  ['recitation', 'content_filter'],
  ['prohibited_content', 'content_filter'],
  ['blocklist', 'content_filter'],
  ['spii', 'content_filter'],
  ['language', 'content_filter'],
  ['image_safety', 'content_filter'],
  ['image_prohibited_content', 'content_filter'],
  ['image_recitation', 'content_filter'],
  ['model_armor', 'content_filter'],
  ['guardrail_intervened', 'content_filter'],
  ['content_filtered', 'content_filter'],
  ['refusal', 'content_filter'],
  ['tool_use', 'tool_calls'],
  ['tool_call', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['eos', 'stop'],
  ['eos_token', 'stop'],
  ['end_turn', 'stop'],
  ['complete', 'stop'],
  ['stop_sequence', 'stop'],
])

/** Reasons that are no end: the vendor broke down midway (Mistral, Zhipu, DeepSeek, vLLM). */
const breakdowns: ReadonlySet<string> = new Set([
  'error',
  'network_error',
  'insufficient_system_resource',
  'abort',
])

/**
 * Members of a usage that only come where reasoning is counted beside the answer, not inside: Perplexity's.
 */
const searchCounts = ['num_search_queries', 'citation_tokens', 'search_context_size']

/**
 * A vendor's oddities in a whole reply or a stream chunk, put into the reference shape in place.
 * @throws VendorFailure when the vendor says that it broke down
 */
export function normaliseReply(reply: Fields): void {
  const { choices } = reply
  if (!Array.isArray(choices)) return normaliseUsage(reply)
  // The event that closes a stream of Perplexity repeats the whole answer.
  const closing = reply['object'] === 'chat.completion.done'
  for (const choice of choices) {
    if (!isFields(choice)) continue
    if (closing) choice['delta'] ??= {}
    normaliseChoice(choice)
    if (!isFields(reply['usage']) && isFields(choice['usage'])) reply['usage'] = choice['usage']
  }
  normaliseUsage(reply)
}

function normaliseChoice(choice: Fields): void {
  const reported = choice['finish_reason']
  if (typeof reported === 'string') {
    const reason = reported.toLowerCase()
    if (breakdowns.has(reason))
      throw new VendorFailure(502, messageOnly(`finish_reason ${reason}`), null)
    choice['finish_reason'] = finishReasons.get(reason) ?? reason
  }
  const said = choice['delta'] ?? choice['message']
  if (isFields(said) && Array.isArray(said['content'])) flattenContent(said, said['content'])
}

/** Thinking stands among the parts of the content (Mistral): it becomes reasoning text. */
function flattenContent(said: Fields, parts: readonly unknown[]): void {
  let thinking = ''
  let text: string | null = null
  for (const part of parts) {
    if (typeof part === 'string') text = (text ?? '') + part
    else if (!isFields(part)) continue
    else if (part['type'] === 'thinking') thinking += thinkingOf(part['thinking'])
    else if (typeof part['text'] === 'string') text = (text ?? '') + part['text']
  }
  if (thinking !== '') said['reasoning_content'] = thinking
  said['content'] = text
}

const thinkingOf = (thinking: unknown): string => {
  if (typeof thinking === 'string') return thinking
  if (!Array.isArray(thinking)) return ''
  return thinking
    .map((part: unknown) =>
      isFields(part) && typeof part['text'] === 'string' ? part['text'] : '',
    )
    .join('')
}

function normaliseUsage(reply: Fields): void {
  const groq = reply['x_groq']
  if (!isFields(reply['usage']) && isFields(groq) && isFields(groq['usage']))
    reply['usage'] = groq['usage']
  const { usage } = reply
  if (!isFields(usage)) return
  const { cached_tokens: cached, reasoning_tokens: reasoning } = usage
  const namesCached = lacks(usage, 'prompt_tokens_details', 'cached_tokens', cached)
  const namesReasoning = lacks(usage, 'completion_tokens_details', 'reasoning_tokens', reasoning)
  if (!namesCached && !namesReasoning) return
  const normal: Fields = { ...usage }
  if (namesCached)
    normal['prompt_tokens_details'] = {
      ...fieldsOf(usage['prompt_tokens_details']),
      cached_tokens: cached,
    }
  if (namesReasoning) {
    normal['completion_tokens_details'] = {
      ...fieldsOf(usage['completion_tokens_details']),
      reasoning_tokens: reasoning,
    }
    if (searchCounts.some((name) => usage[name] !== undefined))
      for (const name of ['completion_tokens', 'total_tokens'])
        if (isCount(usage[name])) normal[name] = usage[name] + Number(reasoning)
  }
  reply['usage'] = normal
}

/** Whether a count stands outside the group where the reference has it, and only there. */
const lacks = (usage: Fields, group: string, name: string, count: unknown): boolean =>
  isCount(count) && !isCount(fieldsOf(usage[group])[name])
