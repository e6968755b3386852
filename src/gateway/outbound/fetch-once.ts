import { decoded } from './http1/decode'
import { replyOfResponse } from './http1/fetch-reply'

/**
 * One request by the runtime's own client. No redirect is followed: it could carry a key or what is signed
 * elsewhere. The body comes as it was sent (`decodedBody` undoes a coding): the runtime would expand a few
 * kilobytes of zstd to gigabytes before anybody reads or cancels.
 */
export function fetchOnce(url: string, init: BunFetchRequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('accept-encoding', 'identity')
  return fetch(url, { ...init, headers, redirect: 'manual', decompress: false })
}

/**
 * The body of `fetchOnce`, without the coding that some servers send all the same, in bounded steps.
 * @throws Error when it breaks off, for a coding that nobody knows, and for one that expands too far
 */
export async function* decodedBody(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body === null) return
  const coding = response.headers.get('content-encoding') ?? ''
  if (coding === '' || coding === 'identity') {
    yield* response.body as AsyncIterable<Uint8Array>
    return
  }
  const { source } = decoded(replyOfResponse(response))
  for (let piece = await source.read(); piece !== null; piece = await source.read()) yield piece
}
