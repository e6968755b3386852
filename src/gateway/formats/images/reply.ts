import { addReported, inputTokens, outputTokens, type Usage } from '../../../domain/usage'
import { fieldsOf, isCount, isFields, listOf, type Fields } from '../../json/fields'
import { editMembers } from '../../json/edit-members'
import { openUnits, tokenCount } from '../token-count'

/**
 * A vendor's pictures: each as base64, or the address where it lies.
 * @see openai/openai-openapi `ImagesResponse`, 2.3.0 of 2026-08-21
 */
export interface ImagesReply {
  /** The vendor's own text, where it is in the reference format. */
  readonly text?: string
  readonly data: readonly Fields[]
  /** Null when the vendor counted no tokens. */
  readonly usage: Usage | null
}

/** Reads a vendor's reply with pictures. @throws Error when it holds no picture */
export function readImages(text: string): ImagesReply {
  const reply: unknown = JSON.parse(text)
  const sent = listOf(fieldsOf(reply)['data']).filter(isFields)
  const data = sent.map(inProperMember)
  const isPicture = ({ b64_json: data64, url }: Fields) =>
    typeof data64 === 'string' || typeof url === 'string'
  if (!isFields(reply) || data.length === 0 || !data.every(isPicture))
    throw new Error('reply without images')
  const usage = readImagesUsage(reply['usage'])
  return data.every((each, at) => each === sent[at]) ? { text, data, usage } : { data, usage }
}

/** What stands before the data of a `data:` URL with base64 (RFC 2397). */
const dataHead = /^data:[^,]{0,256};base64,/i
const maxHeadChars = 300

/**
 * A picture with its data as plain base64 and its address as one: some vendors write a `data:` URL or an address in
 * `b64_json`, or a `data:` URL as the address, and leave the other member empty.
 */
function inProperMember(picture: Fields): Fields {
  const { b64_json: data, url, ...rest } = picture
  const given = typeof data === 'string' && data !== '' ? data : url
  if (typeof given !== 'string') return picture
  const head = given.slice(0, maxHeadChars)
  const [prefix] = dataHead.exec(head) ?? []
  if (prefix !== undefined) return { ...rest, b64_json: given.slice(prefix.length) }
  if (given === data) return /^https?:\/\//i.test(head) ? { ...rest, url: data } : picture
  return data === '' ? { ...rest, url } : picture
}

/** Reads the usage of a reply with pictures. @returns null when the vendor counted no tokens */
export function readImagesUsage(value: unknown): Usage | null {
  const raw = fieldsOf(value)
  if (!isCount(raw['input_tokens']) && !isCount(raw['output_tokens'])) return null
  const input = tokenCount(raw, 'input_tokens')
  const output = tokenCount(raw, 'output_tokens')
  const seen = Math.min(input, tokenCount(fieldsOf(raw['input_tokens_details']), 'image_tokens'))
  const said = Math.min(output, tokenCount(fieldsOf(raw['output_tokens_details']), 'text_tokens'))
  const { units, put } = openUnits()
  put('input', input - seen)
  put('input_image', seen)
  put('output', said)
  put('output_image', output - said)
  return { units, reasoning: 0, estimated: false }
}

/** Several replies to parts of one request, as one. */
export function joinImages(replies: readonly ImagesReply[]): ImagesReply {
  const [only] = replies
  if (only !== undefined && replies.length === 1) return only
  return {
    data: replies.flatMap(({ data }) => data),
    usage: addReported(replies.map(({ usage }) => usage)),
  }
}

/**
 * The answer, each picture as base64. The vendor's own text passes where it has them so.
 * @param fetched what lay at an address, in the order of the pictures; null where nothing had to be fetched
 */
export function renderImages(
  { text, data }: ImagesReply,
  created: number,
  fetched: readonly (string | null)[],
): string {
  if (text !== undefined && fetched.every((each) => each === null))
    return editMembers(text, { set: { created }, drop: ['model', 'id'] })
  return JSON.stringify({
    created,
    data: data.map(({ url: _, ...rest }, at) => {
      const own = fetched[at]
      return own === null || own === undefined ? rest : { ...rest, b64_json: own }
    }),
  })
}

/** Usage in the words of the format. */
export const imagesUsage = (usage: Usage) => {
  const [read, made] = [inputTokens(usage), outputTokens(usage)]
  const shown = (usage.units.input_image ?? 0) + (usage.units.cached_input_image ?? 0)
  return {
    input_tokens: read,
    input_tokens_details: { text_tokens: read - shown, image_tokens: shown },
    output_tokens: made,
    total_tokens: read + made,
  }
}
