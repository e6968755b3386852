type Fields = Record<string, unknown>

/** Finish reasons that some vendors call otherwise; all others that are unknown mean `stop`. */
const finishReasons: Readonly<Record<string, string>> = {
  model_length: 'length',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  sensitive: 'content_filter',
  safety: 'content_filter',
  refusal: 'content_filter',
  tool_use: 'tool_calls',
}

/** A vendor's oddities in a whole reply or a stream chunk, put into the reference shape in place. */
export function normaliseReply(reply: Fields): void {
  const { choices } = reply
  if (!Array.isArray(choices)) return
  for (const choice of choices) if (isFields(choice)) normaliseChoice(choice)
}

function normaliseChoice(choice: Fields): void {
  const reason = choice['finish_reason']
  if (typeof reason === 'string') choice['finish_reason'] = finishReasons[reason] ?? reason
  const said = choice['delta'] ?? choice['message']
  if (!isFields(said) || !Array.isArray(said['content'])) return
  // Thinking stands among the parts of the content: it becomes reasoning text.
  const parts: unknown[] = said['content']
  const isThinking = (part: unknown) => isFields(part) && part['type'] === 'thinking'
  const thinking = parts.filter(isThinking).map(thinkingText).join('')
  const rest = parts.filter((part) => !isThinking(part))
  if (thinking !== '') said['reasoning_content'] = thinking
  said['content'] = rest.length === 0 ? null : rest
}

function thinkingText(part: unknown): string {
  const thinking = isFields(part) ? part['thinking'] : null
  if (typeof thinking === 'string') return thinking
  if (!Array.isArray(thinking)) return ''
  return thinking.map((each) => textOf(each)).join('')
}

const textOf = (part: unknown): string =>
  isFields(part) && typeof part['text'] === 'string' ? part['text'] : ''

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
