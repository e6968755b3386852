import { isLoopbackHost } from '../net/address'
import { bodyBytes } from './body-bytes'
import { decodedBody, fetchOnce } from './fetch-once'

/** An answer that was read whole. */
interface ReportAnswer {
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
  if (protocol !== 'https:' && !isLoopbackHost(hostname))
    throw new RangeError('its address is not https, and the key would be read on the way')
  const response = await fetchOnce(url, {
    headers: { 'user-agent': 'chapar', accept: 'application/json', ...headers },
    signal: AbortSignal.timeout(timeoutMs),
  })
  const body = await bodyBytes(
    decodedBody(response),
    maxBytes,
    () => new RangeError('its answer is larger than 64 MB'),
  )
  // Seconds, as vendors send it; a date (RFC 9110, 10.2.3) is not read.
  const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
  return {
    status: response.status,
    text: body.toString('utf8'),
    retryAfterMs: wait >= 0 ? wait * 1000 : null,
  }
}
