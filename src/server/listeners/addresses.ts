import { isLoopbackHost } from '../../gateway/net/address'
import type { Config } from '../config'

/** Where a service is reached. It is configured, never read from a request: whoever sends one writes its `Host`. */
export interface ServiceAddresses {
  /** `CHAPAR_URL`, without a path; null where nobody set it. */
  readonly publicUrl: string | null
  /** Whether cookies are sent over https alone. Browsers take `http://localhost` for as safe. */
  readonly isSecure: boolean
  /** Where this process listens. */
  listensAt(): string
  /** Where the pages say that clients find it; null where only `CHAPAR_URL` could tell. */
  shownRoot(): string | null
  /** Where banks lead browsers back to; null where only `CHAPAR_URL` could tell. */
  returnRoot(): string | null
}

/** @param listensAt known once the server listens */
export function serviceAddresses(
  { baseUrls: [publicUrl], demo }: Pick<Config, 'baseUrls' | 'demo'>,
  listensAt: () => string,
): ServiceAddresses {
  const ownRoot = () => (isLoopbackUrl(listensAt()) ? listensAt() : null)
  return {
    publicUrl,
    isSecure: isReachedSecurely(publicUrl, demo),
    listensAt,
    shownRoot: () => publicUrl ?? ownRoot(),
    returnRoot: () => publicUrl ?? (demo ? ownRoot() : null),
  }
}

/** Strict unless somebody said otherwise. @param url null where nobody said where it is reached */
export const isReachedSecurely = (url: string | null, isDemo: boolean): boolean =>
  url === null ? !isDemo : url.startsWith('https:')

/** Whether an address is one of this machine alone. */
export const isLoopbackUrl = (url: string): boolean =>
  isLoopbackHost(URL.parse(url)?.hostname ?? '')
