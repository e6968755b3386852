/** An answer that was read whole. */
interface PostReply {
  readonly status: number
  readonly text: string
}

const maxReplyBytes = 65_536

/**
 * One POST to a service that an operator named: no redirect is followed, and nothing is tried again.
 * @throws when there was no answer in time
 */
export async function post(
  { url, headers, body }: { url: string; headers: Readonly<Record<string, string>>; body: string },
  timeoutMs: number,
): Promise<PostReply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'user-agent': 'chapar', ...headers },
    body,
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    parts.push(part)
    size += part.length
    // A body without end must not hold the connection.
    if (size >= maxReplyBytes) break
  }
  return { status: response.status, text: Buffer.concat(parts).toString('utf8') }
}
