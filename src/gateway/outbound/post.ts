import { decodedBody, fetchOnce } from './fetch-once'

/** An answer that was read whole. */
interface PostReply {
  readonly status: number
  readonly text: string
}

const maxReplyBytes = 65_536

/** Request to a service. */
interface ServiceRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Null for none. */
  readonly body: string | null
}

/** One POST, as `requestService` asks. */
export const post = (
  request: { url: string; headers: Readonly<Record<string, string>>; body: string },
  timeoutMs: number,
): Promise<PostReply> => requestService({ ...request, method: 'POST' }, timeoutMs)

/**
 * One request to a service that an operator named: no redirect is followed, and nothing is tried again.
 * @throws when there was no answer in time
 */
export async function requestService(
  { method, url, headers, body }: ServiceRequest,
  timeoutMs: number,
): Promise<PostReply> {
  const response = await fetchOnce(url, {
    method,
    headers: { 'user-agent': 'chapar', ...headers },
    ...(body === null ? {} : { body }),
    signal: AbortSignal.timeout(timeoutMs),
  })
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of decodedBody(response)) {
    parts.push(part)
    size += part.length
    // A body without end must not hold the connection.
    if (size >= maxReplyBytes) break
  }
  return { status: response.status, text: Buffer.concat(parts).toString('utf8') }
}
