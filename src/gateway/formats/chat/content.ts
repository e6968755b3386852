import { GatewayError } from '../../../errors/gateway-error'
import { isBase64 } from '../base64'
import { isFields } from '../../json/fields'

type Part = Readonly<Record<string, unknown>>

/** A message whose outer form was checked. */
interface CheckedMessage {
  readonly role: string
  readonly content?: string | readonly object[] | null
  readonly tool_call_id?: string | null
  readonly tool_calls?: readonly object[] | null
  readonly audio?: unknown
}

/**
 * The parts of messages, and what roles demand besides.
 * @throws invalid_message naming the place
 */
export function checkContent(messages: readonly CheckedMessage[]): void {
  for (let index = 0; index < messages.length; index++) {
    const message = messages[index]
    if (message === undefined) continue
    const { content, tool_calls: calls } = message
    if (message.role === 'tool' && !message.tool_call_id)
      throw invalid(`messages[${index}].tool_call_id`, 'the id of the call that is answered')
    checkSpoken(message, `messages[${index}].audio`)
    if (Array.isArray(content)) checkParts(content, `messages[${index}].content`)
    if (calls !== undefined && calls !== null) checkCalls(calls, `messages[${index}].tool_calls`)
  }
}

/** An id names an answer in the vendor's account, which all our clients share. */
function checkSpoken({ audio }: CheckedMessage, at: string): void {
  if (audio === undefined || audio === null) return
  if (isFields(audio) && (audio['id'] ?? null) === null) return
  throw invalid(`${at}.id`, 'left out: send what was said as text in content')
}

/** Member of a part that is wrong, and its valid form. */
interface PartFault {
  readonly member: string
  readonly expected: string
}

/** Names the place of a part that is wrong alone: there may be a hundred thousand. */
function checkParts(parts: readonly unknown[], at: string): void {
  for (let place = 0; place < parts.length; place++) {
    const fault = faultOf(parts[place] as Part)
    if (fault !== null) throw invalid(`${at}[${place}].${fault.member}`, fault.expected)
  }
}

const checkCalls = (calls: readonly unknown[], at: string): void =>
  calls.forEach((call, place) => checkToolCall(call as Part, `${at}[${place}]`))

/** Parts of a type we do not know pass: vendors add new ones. */
function faultOf(part: Part): PartFault | null {
  switch (part['type']) {
    case 'text':
      return typeof part['text'] === 'string' ? null : fault('text', 'a string')
    case 'image_url':
      return imageFault(part['image_url'])
    case 'input_audio':
      return audioFault(part['input_audio'])
    case 'file':
      return fileFault(part['file'])
  }
  return typeof part['type'] === 'string' ? null : fault('type', 'a string')
}

const fault = (member: string, expected: string): PartFault => ({ member, expected })

const details = new Set<unknown>(['auto', 'low', 'high', 'original'])

function imageFault(image: unknown): PartFault | null {
  // An address alone is Mistral's shape.
  const isPlain = typeof image === 'string'
  if (!isPlain && !isFields(image)) return fault('image_url', 'an object with a url')
  const { url, detail } = isPlain ? { url: image, detail: null } : image
  if (typeof url !== 'string' || !(url.slice(0, 8).toLowerCase() === 'https://' || isPicture(url)))
    return fault(
      isPlain ? 'image_url' : 'image_url.url',
      'an https URL, or a data: URL with an image in base64',
    )
  if (detail !== undefined && detail !== null && !details.has(detail))
    return fault('image_url.detail', 'auto | low | high')
  return null
}

/** Nobody needs a longer head. */
const maxHeadChars = 256

/** Whether it is a `data:` URL with an image in base64. */
function isPicture(url: string): boolean {
  const comma = url.slice(0, maxHeadChars).indexOf(',')
  if (comma < 0 || !/^data:image\/[^,]+;base64$/i.test(url.slice(0, comma))) return false
  return isBase64(url, comma + 1)
}

function audioFault(audio: unknown): PartFault | null {
  if (!isFields(audio)) return fault('input_audio', 'an object with data and format')
  if (typeof audio['data'] !== 'string' || !isBase64(audio['data'], 0))
    return fault('input_audio.data', 'base64 text')
  if (audio['format'] !== 'mp3' && audio['format'] !== 'wav')
    return fault('input_audio.format', 'mp3 | wav')
  return null
}

/** An id names a file in the vendor's account, which all our clients share. */
const fileFault = (file: unknown): PartFault | null =>
  isFields(file) && file['file_id'] !== undefined && file['file_id'] !== null
    ? fault('file.file_id', 'left out: send the file itself in file_data')
    : null

function checkToolCall(call: Part, at: string): void {
  if (call['type'] !== 'function') return
  const called = call['function']
  if (!isFields(called)) throw invalid(`${at}.function`, 'an object with name and arguments')
  if (typeof called['name'] !== 'string') throw invalid(`${at}.function.name`, 'a string')
  if (typeof called['arguments'] !== 'string')
    throw invalid(`${at}.function.arguments`, 'a string of JSON')
}

const invalid = (param: string, expected: string) =>
  new GatewayError('invalid_message', { field: param, expected }, { param })
