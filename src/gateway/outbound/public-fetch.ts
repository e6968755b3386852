import { lookup } from 'node:dns/promises'
import { isPublic, parseAddress } from '../net/address'
import { fetchOnce } from './fetch-once'

/** Fetches an address that a client or a vendor named: https, and never from a private network (SSRF). */
export type FetchPublic = (url: string, options: PublicRequest) => Promise<Response>

interface PublicRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** A body that is sent to where somebody only named. */
export interface PublicPost extends PublicRequest {
  readonly body: string
}

/**
 * Posts to a public https address. No redirect is followed: it could carry what is sent elsewhere.
 * @returns the status; nobody reads what is answered
 */
export type PostPublic = (url: string, post: PublicPost) => Promise<number>

/** Refusal of an address that is not public, or leads nowhere. */
export class NotPublic extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'NotPublic'
  }
}

/** Dependencies of fetching from the public internet. */
export interface InternetParts {
  /** Addresses of a host. */
  resolve(host: string): Promise<readonly string[]>
  /** Whether an address may be asked. */
  isPublic(address: string): boolean
  /** Certificates to trust besides those of the system. */
  readonly ca?: string
}

const maxRedirects = 3

const system: InternetParts = {
  async resolve(host) {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  },
  isPublic,
}

/**
 * The open internet, some redirects followed.
 * @throws NotPublic saying why, in words for the client | Error when its host does not answer
 */
export const openInternet =
  (parts: InternetParts = system): FetchPublic =>
  async (url, options) => {
    let next = url
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const response = await ask(next, parts, options)
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || location === null) return response
      await response.body?.cancel()
      if (!URL.canParse(location, next)) break
      next = new URL(location, next).href
    }
    throw new NotPublic('its address leads on and on')
  }

/** Opens a poster to public addresses. @throws NotPublic saying why | Error when its host does not answer */
export const openPublicPost =
  (parts: InternetParts = system): PostPublic =>
  async (url, post) => {
    const response = await ask(url, parts, post, post.body)
    // A body without end must not hold the connection.
    await response.body?.cancel()
    return response.status
  }

async function ask(
  url: string,
  parts: InternetParts,
  options: PublicRequest,
  body: string | null = null,
): Promise<Response> {
  if (!URL.canParse(url)) throw new NotPublic('its address is none')
  const parsed = new URL(url)
  const { protocol, host, port, pathname, search } = parsed
  if (protocol !== 'https:') throw new NotPublic('its address is not https')
  const name = nameOf(parsed)
  const literal = parseAddress(name)
  const addresses = literal === null ? await abortable(parts.resolve(name), options.signal) : [name]
  const [address] = addresses
  if (address === undefined || !addresses.every(parts.isPublic))
    throw new NotPublic('its address is not public')
  // The address that was looked at is the one that is asked: a name may mean another one by now.
  const at = address.includes(':') ? `[${address}]` : address
  const ca = parts.ca === undefined ? {} : { ca: parts.ca }
  return fetchOnce(`https://${at}${port === '' ? '' : `:${port}`}${pathname}${search}`, {
    headers: { host, ...options.headers },
    ...(body === null ? {} : { method: 'POST', body }),
    signal: options.signal,
    ...(literal === null ? { tls: { serverName: name, ...ca } } : {}),
  })
}

/** Name of a host as the resolver takes it. */
const nameOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '')

/**
 * Whether an address may be public, as far as it says so itself: a literal address by the rule of
 * delivery, in whatever spelling, and no name of this machine (RFC 6761, 6.3).
 */
export function mayBePublic(url: URL): boolean {
  const name = nameOf(url)
  if (parseAddress(name) !== null) return isPublic(name)
  return !/(?:^|\.)localhost\.?$/i.test(name)
}

/** The system's resolver hears no signal, and silent name servers take it a minute. @throws when aborted */
async function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>()
  const abort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
