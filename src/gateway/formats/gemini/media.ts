import type { Usage } from '../../../domain/usage'
import { inputTokens, outputTokens } from '../../../domain/usage'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { finishOf } from './finish-reasons'
import { readGeminiUsage } from './usage'

/** A file inside an answer. */
export interface InlineMedia {
  /** In small letters. */
  readonly mediaType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/**
 * Media in a reply or event of Google's format.
 * @see googleapis/js-genai `src/types.ts` of 2026-08-21 (`Blob`, `GenerateContentResponse`)
 */
interface MediaEvent {
  readonly media: readonly InlineMedia[]
  readonly text: string
  /** Why it is over; null as long as it is not. */
  readonly finish: string | null
  readonly usage: Usage | null
}

/** Handlers of failures inside a success. */
export interface MediaRefusals {
  /** @throws the vendor's failure that an event is */
  refuse(event: Fields): void
  /** @throws always: the prompt or the answer was refused */
  blocked(reason: string): never
}

/** Reads a reply or event with media. @throws what the refusals throw | Error when it is no JSON */
export function readMediaEvent(json: string, { refuse, blocked }: MediaRefusals): MediaEvent {
  const event: unknown = JSON.parse(json)
  if (!isFields(event)) throw new Error('reply is not a JSON object')
  refuse(event)
  const { blockReason } = fieldsOf(event['promptFeedback'])
  const candidate = fieldsOf(listOf(event['candidates'])[0])
  if (typeof blockReason === 'string' && candidate['content'] === undefined) blocked(blockReason)
  const parts = listOf(fieldsOf(candidate['content'])['parts']).map(fieldsOf)
  const media = parts.flatMap(({ inlineData }) => {
    const { mimeType, data } = fieldsOf(inlineData)
    if (typeof data !== 'string' || data === '') return []
    return [
      {
        mediaType: typeof mimeType === 'string' ? mimeType.toLowerCase() : '',
        bytes: new Uint8Array(Buffer.from(data, 'base64')),
      },
    ]
  })
  const { finishReason } = candidate
  const finish = typeof finishReason === 'string' && finishReason !== '' ? finishReason : null
  if (media.length === 0 && finish !== null && finishOf(finish, false) === 'content_filter')
    blocked(finish)
  const text = parts.filter((part) => part['thought'] !== true).map(({ text: said }) => said)
  return {
    media,
    text: text.filter((said) => typeof said === 'string').join(''),
    finish,
    usage: readGeminiUsage(event['usageMetadata']),
  }
}

/**
 * Usage of speech: where only text goes in and only audio comes out, all that goes in and comes out is that.
 * @returns null for a count that was not made
 */
export function spokenUsage(usage: Usage): Usage | null {
  const output = outputTokens(usage)
  if (output === 0) return null
  const units = { input: inputTokens(usage), output_audio: output }
  return { units, reasoning: 0, estimated: false }
}
