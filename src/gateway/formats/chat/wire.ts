import { fieldsOf, isFields, type Fields } from '../../json/fields'

/** Text of a content: a string, or the text of an array of parts. */
export function textOf(content: unknown): string | null {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return null
  return content
    .map((part) => {
      const { text } = fieldsOf(part)
      return typeof text === 'string' ? text : ''
    })
    .join('')
}

/** Members that vendors tell their reasoning in. */
export type ThoughtMember = 'reasoning_content' | 'reasoning'

/** @param said a message or delta with reasoning */
export const thoughtMember = (said: Fields): ThoughtMember =>
  textOf(said['reasoning_content']) === null && textOf(said['reasoning']) !== null
    ? 'reasoning'
    : 'reasoning_content'

/** What a model said: its text, or where there is none the words of its refusal. */
export const textOrRefusal = (text: string, refusal: unknown): string =>
  text === '' && typeof refusal === 'string' ? refusal : text

/** Arguments are JSON text; some vendors send the object. */
export const argumentsOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? ''
      : JSON.stringify(value)

/** Arguments of a whole call: `{}` where a vendor gives none, since clients parse them. */
export function wholeArguments(value: unknown): string {
  const text = argumentsOf(value)
  return text.trim() === '' ? '{}' : text
}

const labels: ReadonlySet<string> = new Set([
  'role',
  'id',
  'object',
  'type',
  'status',
  'phase',
  'index',
  'format',
])

/** Whether a part of an answer has any words in it, beside those that label it. */
export function saysAnything(part: unknown): boolean {
  if (typeof part === 'string') return part !== ''
  if (Array.isArray(part)) return part.some(saysAnything)
  return (
    isFields(part) &&
    Object.entries(part).some(([name, value]) => !labels.has(name) && saysAnything(value))
  )
}

/** Whether an end is an answer even where nothing was said: a filter or a ceiling ended it. */
export const isCutShort = (finish: unknown): boolean =>
  finish === 'length' || finish === 'content_filter'

/** Whether a reply or event is of an answer; any other may be a failure. */
export const isAnswer = ({ error, choices }: Fields): boolean =>
  error === undefined && choices !== undefined

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter'

/**
 * The four reasons of the specification, as the content has it; null for none yet. Gemini and its proxies say `stop`
 * for calls too, and broken relays `tool_calls` for none, which agents answer by asking again for ever.
 * @param called tools, or a function in the old form (`function_call`)
 * @see openai/openai-openapi `CreateChatCompletionResponse`, 2.3.0 of 2026-08-21 (`finish_reason`)
 */
export function finishReasonOf(value: unknown, called: boolean): FinishReason | null {
  if (value === null || value === undefined || value === '') return null
  if (value === 'length' || value === 'content_filter') return value
  return called ? 'tool_calls' : 'stop'
}

/** Identity of every reply and chunk of ours. */
export interface ReplyIdentity {
  readonly id: string
  /** As the client asked for it. */
  readonly model: string
  /** Unix seconds. */
  readonly created: number
}

/**
 * Members of a vendor's reply that are not for our clients: of OpenAI's streams, of Groq, of Azure (content
 * filters), of OpenRouter, and a failure inside a success.
 */
export const vendorMembers = ['obfuscation', 'x_groq', 'prompt_filter_results', 'provider', 'error']
