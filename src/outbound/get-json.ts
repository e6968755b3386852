import { bodyBytes } from './body-bytes'

/** What an address answered; nulls when it did not, or not in JSON. */
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
    const response = await fetch(url, {
      headers,
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'manual',
    })
    return { status: response.status, body: await jsonOf(response) }
  } catch {
    return { status: null, body: null }
  }
}

async function jsonOf({ body }: Response): Promise<unknown> {
  try {
    const bytes = await bodyBytes((body ?? []) as AsyncIterable<Uint8Array>, maxBytes, tooLarge)
    return JSON.parse(bytes.toString('utf8')) as unknown
  } catch {
    return null
  }
}

const tooLarge = () => new RangeError('larger than 16 MB')
