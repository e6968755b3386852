import { GatewayError } from '../../../errors/gateway-error'
import type { ChatBody } from '../../formats/chat/schema'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { PictureRefused, type FetchPicture } from '../../outbound/fetch-picture'

/** All pictures of one call together: more than a vendor takes in one request. */
const maxBytes = 20_000_000
const maxPictures = 20

/** Whether a chat body names pictures that somebody must fetch. */
export const namesPictures = (body: ChatBody): boolean => placesIn(body).length > 0

/**
 * Fetches pictures that a body names and puts them into it.
 * @throws invalid_message naming a picture that cannot be had
 */
export async function inlinePictures(
  body: ChatBody,
  fetchPicture: FetchPicture,
  signal: AbortSignal,
): Promise<ChatBody> {
  const places = placesIn(body)
  const urls = new Map(places.map(({ url, at }) => [url, at]))
  if (urls.size > maxPictures)
    throw refusal('messages', `with at most ${maxPictures} pictures that must be fetched`)
  let left = maxBytes
  const data = new Map<string, string>()
  for (const [url, at] of urls)
    try {
      const picture = await fetchPicture(url, left, signal)
      left -= picture.bytes
      data.set(url, `data:${picture.mediaType};base64,${picture.data}`)
    } catch (thrown) {
      if (!(thrown instanceof PictureRefused)) throw thrown
      throw refusal(at, `a picture that can be fetched: ${thrown.message}`)
    }
  return withData(body, data)
}

interface Place {
  readonly url: string
  readonly at: string
}

const urlOf = (part: unknown): string | null => {
  const { url } = fieldsOf(fieldsOf(part)['image_url'])
  return typeof url === 'string' && /^https?:/i.test(url.slice(0, 6)) ? url : null
}

const placesIn = ({ messages }: ChatBody): readonly Place[] =>
  messages.flatMap(({ content }, index) =>
    listOf(content).flatMap((part, place) => {
      const url = urlOf(part)
      return url === null ? [] : [{ url, at: `messages[${index}].content[${place}].image_url.url` }]
    }),
  )

function withData(body: ChatBody, data: ReadonlyMap<string, string>): ChatBody {
  const inlined = (part: Fields): Fields => {
    const url = data.get(urlOf(part) ?? '')
    return url === undefined
      ? part
      : { ...part, image_url: { ...fieldsOf(part['image_url']), url } }
  }
  const messages = body.messages.map((message) =>
    Array.isArray(message.content)
      ? { ...message, content: message.content.filter(isFields).map(inlined) }
      : message,
  )
  return { ...body, messages }
}

const refusal = (param: string, expected: string): GatewayError =>
  new GatewayError('invalid_message', { field: param, expected }, { param })
