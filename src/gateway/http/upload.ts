import { GatewayError } from '../../errors/gateway-error'
import { openDecodedReader } from './read-body'

/**
 * A file that a request is made of, as it comes: it is never in memory at once.
 * @throws request_too_large, before reading when the length is told | request_timeout
 */
export async function* uploadPieces(
  request: Request,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const tooLarge = () =>
    new GatewayError('request_too_large', { limitKb: Math.floor(maxBytes / 1024) })
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge()
  const reader = openDecodedReader(request, maxBytes)
  if (reader === null) return
  let bytes = 0
  let isWhole = false
  try {
    for (;;) {
      const piece = await reader.next()
      if (piece === null) {
        isWhole = true
        return
      }
      bytes += piece.byteLength
      if (bytes > maxBytes) throw tooLarge()
      yield piece
    }
  } finally {
    if (!isWhole) reader.cancel()
  }
}
