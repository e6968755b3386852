import { bodyBytes } from './body-bytes'
import { decodedBody } from './fetch-once'
import { NotPublic, openInternet, type InternetParts } from './public-fetch'

/** A picture as a vendor takes it that fetches none itself. */
interface Picture {
  readonly mediaType: string
  /** Base64. */
  readonly data: string
  readonly bytes: number
}

/**
 * Fetches a picture that a client only named.
 * @param maxBytes a longer one is refused
 * @throws PictureRefused saying why, in words for the client
 */
export type FetchPicture = (url: string, maxBytes: number, signal: AbortSignal) => Promise<Picture>

/** Refusal of a picture, with the reason in words for the client. */
export class PictureRefused extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'PictureRefused'
  }
}

const maxMs = 10_000
const headers = { accept: 'image/*' }

/** Pictures from the open internet: never from an address behind which our own machines stand. */
export const openPictures = (parts?: InternetParts): FetchPicture => {
  const fetchPublic = openInternet(parts)
  return async (url, maxBytes, signal) => {
    const until = AbortSignal.any([signal, AbortSignal.timeout(maxMs)])
    try {
      return await read(await fetchPublic(url, { headers, signal: until }), maxBytes)
    } catch (thrown) {
      if (thrown instanceof PictureRefused) throw thrown
      throw new PictureRefused(
        thrown instanceof NotPublic ? thrown.message : 'its host does not answer',
      )
    }
  }
}

async function read(response: Response, maxBytes: number): Promise<Picture> {
  if (!response.ok) throw new PictureRefused(`its host answered ${response.status}`)
  const mediaType = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!mediaType.startsWith('image/')) throw new PictureRefused('it is no picture')
  const picture = await bodyBytes(
    decodedBody(response),
    maxBytes,
    () => new PictureRefused('all pictures together are too large'),
  )
  return { mediaType, data: picture.toString('base64'), bytes: picture.byteLength }
}
