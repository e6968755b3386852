import { parseCostOf } from '../json/parse-cost'
import { bodyBytes } from './body-bytes'
import { decodedBody, fetchOnce } from './fetch-once'

/** Answer of an address; nulls where there was none, or none in JSON. */
interface JsonAnswer {
  readonly status: number | null
  readonly body: unknown
}

/** Ten thousand models, and as much again. */
const maxBytes = 16 * 2 ** 20

/** One GET outside of any metered call. No redirect is followed, since a key would go with it. */
export async function getJson(
  url: string,
  headers: Headers,
  timeoutMs: number,
): Promise<JsonAnswer> {
  try {
    const response = await fetchOnce(url, { headers, signal: AbortSignal.timeout(timeoutMs) })
    return { status: response.status, body: await jsonOf(response) }
  } catch {
    return { status: null, body: null }
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    const bytes = await bodyBytes(decodedBody(response), maxBytes, tooLarge)
    // A process that serves reads this too.
    await parseCostOf(bytes)
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    return null
  }
}

const tooLarge = () => new RangeError('larger than 16 MB')
