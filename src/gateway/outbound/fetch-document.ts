import { bodyBytes } from './body-bytes'
import { decodedBody } from './fetch-once'
import { NotPublic, openInternet, type InternetParts } from './public-fetch'

/**
 * Fetches a document of the open internet.
 * @param maxBytes a longer one is refused
 * @throws DocumentRefused saying why
 */
export type FetchDocument = (
  url: string,
  limits: { readonly maxBytes: number; readonly timeoutMs: number },
) => Promise<Uint8Array>

/** Refusal of a document, with the reason. */
export class DocumentRefused extends Error {
  /** @param status where its host answered so */
  constructor(
    why: string,
    readonly status: number | null = null,
  ) {
    super(why)
    this.name = 'DocumentRefused'
  }
}

const headers = { accept: 'application/json' }

/** Opens a fetcher of public documents: never from an address behind which our own machines stand. */
export const openDocuments = (parts?: InternetParts): FetchDocument => {
  const fetchPublic = openInternet(parts)
  return async (url, { maxBytes, timeoutMs }) => {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      return await read(await fetchPublic(url, { headers, signal }), maxBytes)
    } catch (thrown) {
      if (thrown instanceof DocumentRefused) throw thrown
      if (signal.aborted)
        throw new DocumentRefused(`it is not all there within ${timeoutMs / 1000} seconds`)
      throw new DocumentRefused(
        thrown instanceof NotPublic ? thrown.message : 'its host does not answer, or breaks off',
      )
    }
  }
}

async function read(response: Response, maxBytes: number): Promise<Uint8Array> {
  const { ok, status, body } = response
  if (!ok) {
    await body?.cancel()
    throw new DocumentRefused(`its host answered ${status}`, status)
  }
  return await bodyBytes(
    decodedBody(response),
    maxBytes,
    () => new DocumentRefused(`it is larger than ${maxBytes / 1_000_000} MB`),
  )
}
