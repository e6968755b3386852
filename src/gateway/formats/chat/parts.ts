import { GatewayError } from '../../../errors/gateway-error'
import { isFields, isText, type Fields } from '../../json/fields'
import { trueType } from '../../media/picture-type'
import { readCacheMark, type CacheMark } from './cache-marks'

/** Source of a picture, sound or file: data in the body, or an address. */
export type Source =
  | { readonly kind: 'data'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'url'; readonly url: string }

/** Part of a message, independent of any vendor's format. */
export type Part = { readonly cache?: CacheMark } & UnmarkedPart

type UnmarkedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly source: Source; readonly detail: string | null }
  | { readonly type: 'audio'; readonly data: string; readonly format: 'mp3' | 'wav' }
  | { readonly type: 'file'; readonly name: string | null; readonly source: Source }

/**
 * The parts of a checked content; empty texts are left out, and their marks of caches move to the part before. A
 * `data:` URL is read as RFC 2397 writes it.
 * @see openai/openai-openapi `ChatCompletionRequestUserMessageContentPart`, 2.3.0 of 2026-08-21
 * @param at the place of the message, for refusals
 * @throws invalid_message for parts that no vendor of another format takes
 */
export function readParts(content: unknown, at: string): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  if (!Array.isArray(content)) return []
  const parts: Part[] = []
  content.forEach((part: unknown, place) => {
    if (!isFields(part)) return
    const its = `${at}.content[${place}]`
    // What was thought is read with the turn.
    if (part['type'] === 'thinking') return
    const read = readPart(part, its)
    const cache = readCacheMark(part, its)
    if (read.type !== 'text' || read.text !== '')
      parts.push(cache === null ? read : { ...read, cache })
    else if (cache !== null) markEnd(parts, cache)
  })
  return parts
}

/** Puts a mark on the last of the parts, which may be none. */
export function markEnd(parts: Part[], cache: CacheMark): void {
  const last = parts.pop()
  if (last !== undefined) parts.push({ ...last, cache })
}

function readPart(part: Fields, at: string): UnmarkedPart {
  const { type, text, refusal, image_url: image, input_audio: audio, file } = part
  switch (type) {
    case 'text':
      return { type, text: String(text) }
    case 'refusal':
      return { type: 'text', text: typeof refusal === 'string' ? refusal : '' }
    case 'image_url':
      return isFields(image) ? readImage(image, at) : refuse(at)
    case 'input_audio':
      return isFields(audio) ? readAudio(audio) : refuse(at)
    case 'file':
      return isFields(file) ? readFile(file, at) : refuse(at)
    case 'document_url':
      return readDocument(part, at)
  }
  return refuse(at)
}

function refuse(at: string): never {
  throw invalidMessage(`${at}.type`, 'text | image_url | input_audio | file for this model')
}

function readImage({ url, detail }: Fields, at: string): UnmarkedPart {
  const read = readSource(String(url), `${at}.image_url.url`)
  // Vendors of other formats check what they are told.
  const source =
    read.kind === 'url' ? read : { ...read, mediaType: trueType(read.mediaType, read.data) }
  return { type: 'image', source, detail: typeof detail === 'string' ? detail : null }
}

const readAudio = ({ data, format }: Fields): UnmarkedPart => ({
  type: 'audio',
  data: String(data),
  format: format === 'wav' ? 'wav' : 'mp3',
})

function readFile({ file_data: data, filename }: Fields, at: string): UnmarkedPart {
  const name = typeof filename === 'string' ? filename : null
  if (typeof data !== 'string') throw invalidMessage(`${at}.file.file_data`, 'a data: URL')
  const isUrl = /^(?:data:|https?:)/i.test(data.slice(0, 8))
  const source: Source = isUrl
    ? readSource(data, `${at}.file.file_data`)
    : { kind: 'data', mediaType: 'application/pdf', data }
  return { type: 'file', name, source }
}

/** A file in Mistral's shape (mistralai/client-ts 2.7.0, `DocumentURLChunk`). */
function readDocument(
  { document_url: url, document_name: name }: Fields,
  at: string,
): UnmarkedPart {
  if (!isText(url)) throw invalidMessage(`${at}.document_url`, 'a non-empty string')
  return {
    type: 'file',
    name: typeof name === 'string' ? name : null,
    source: readSource(url, `${at}.document_url`),
  }
}

/** @throws invalid_message for a data: URL that is not base64 */
function readSource(url: string, at: string): Source {
  if (!/^data:/i.test(url.slice(0, 5))) return { kind: 'url', url }
  // Only the head is looked at: what follows may be 20 MB.
  const comma = url.indexOf(',')
  const head = comma < 0 || comma > 256 ? '' : url.slice(5, comma)
  if (!/;base64$/i.test(head)) throw invalidMessage(at, 'a data: URL with base64')
  const mediaType = head.split(';')[0]?.toLowerCase() || 'application/octet-stream'
  return { kind: 'data', mediaType, data: url.slice(comma + 1) }
}

/** The text of parts, and nothing else of them. */
export const textOfParts = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : '')).join('')

/** Refusal of a message's part. */
export const invalidMessage = (param: string, expected: string): GatewayError =>
  new GatewayError('invalid_message', { field: param, expected }, { param })
