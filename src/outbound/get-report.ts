/** An answer that was read whole. */
export interface ReportAnswer {
  readonly status: number
  readonly text: string
  /** When it wants to be asked again. */
  readonly retryAfterMs: number | null
}

const maxBytes = 64 * 2 ** 20
const timeoutMs = 120_000

/**
 * One GET of a report that an operator asked for: no redirect is followed, since the key would go with
 * it. A whole month may be large and slow.
 * @throws RangeError where the address may not be given a key, or the answer is too long
 * @throws Error where there is no answer in time
 */
export async function getReport(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<ReportAnswer> {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' && !/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
    throw new RangeError('its address is not https, and the key would be read on the way')
  const response = await fetch(url, {
    headers: { 'user-agent': 'chapar', accept: 'application/json', ...headers },
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    parts.push(part)
    size += part.length
    if (size > maxBytes) throw new RangeError('its answer is larger than 64 MB')
  }
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
  return {
    status: response.status,
    text: Buffer.concat(parts).toString('utf8'),
    retryAfterMs: wait >= 0 ? wait * 1000 : null,
  }
}
