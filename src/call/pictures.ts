import { lookup } from 'node:dns/promises'
import { parseAddress } from '../domain/address'

/** A picture as a vendor takes it that fetches none itself. */
export interface Picture {
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

export class PictureRefused extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'PictureRefused'
  }
}

export interface PictureParts {
  /** Addresses of a host. */
  resolve(host: string): Promise<readonly string[]>
  /** Whether an address may be asked. */
  isPublic(address: string): boolean
  /** Certificates to trust besides those of the system. */
  readonly ca?: string
}

const longestMs = 10_000
const mostRedirects = 3

/** Pictures from the open internet: never from an address behind which our own machines stand. */
export const openPictures =
  (parts: PictureParts = openInternet): FetchPicture =>
  async (url, maxBytes, signal) => {
    const until = AbortSignal.any([signal, AbortSignal.timeout(longestMs)])
    try {
      const response = await follow(url, parts, until)
      return await read(response, maxBytes)
    } catch (thrown) {
      if (thrown instanceof PictureRefused) throw thrown
      throw new PictureRefused('its host does not answer')
    }
  }

const openInternet: PictureParts = {
  async resolve(host) {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  },
  isPublic: (address) => parseAddress(address)?.range() === 'unicast',
}

async function follow(url: string, parts: PictureParts, signal: AbortSignal): Promise<Response> {
  let next = url
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const response = await get(next, parts, signal)
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || location === null) return response
    await response.body?.cancel()
    if (!URL.canParse(location, next)) break
    next = new URL(location, next).href
  }
  throw new PictureRefused('its address leads on and on')
}

async function get(url: string, parts: PictureParts, signal: AbortSignal): Promise<Response> {
  if (!URL.canParse(url)) throw new PictureRefused('its address is none')
  const { protocol, hostname, host, port, pathname, search } = new URL(url)
  if (protocol !== 'https:') throw new PictureRefused('its address is not https')
  const name = hostname.replace(/^\[|\]$/g, '')
  const literal = parseAddress(name)
  const addresses = literal === null ? await parts.resolve(name) : [name]
  const [address] = addresses
  if (address === undefined || !addresses.every(parts.isPublic))
    throw new PictureRefused('its address is not public')
  // The address that was looked at is the one that is asked: a name may mean another one by now.
  const at = address.includes(':') ? `[${address}]` : address
  const ca = parts.ca === undefined ? {} : { ca: parts.ca }
  return fetch(`https://${at}${port === '' ? '' : `:${port}`}${pathname}${search}`, {
    headers: { host, accept: 'image/*' },
    redirect: 'manual',
    signal,
    ...(literal === null ? { tls: { serverName: name, ...ca } } : {}),
  })
}

async function read(response: Response, maxBytes: number): Promise<Picture> {
  if (!response.ok) throw new PictureRefused(`its host answered ${response.status}`)
  const mediaType = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (!mediaType.startsWith('image/')) throw new PictureRefused('it is no picture')
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    bytes += piece.byteLength
    if (bytes > maxBytes) throw new PictureRefused('all pictures together are too large')
    pieces.push(piece)
  }
  return { mediaType, data: Buffer.concat(pieces).toString('base64'), bytes }
}
