import { GatewayError, isGatewayError } from '../../errors/gateway-error'
import { arriveBody, type BodyPatience } from './slow-body-guard'
import { codingOf, decodedPieces, decodeWhole } from './content-encoding'

/**
 * Longest body that is read in one piece. Its progress is not seen, and need not be: at the lowest
 * rate that is waited for it is whole within the time over which the rate is averaged.
 */
const onePieceBytes = 61_440

/**
 * A body's bytes, decoded where they come compressed.
 * @param maxBytes as sent, and decoded
 * @throws request_too_large, before reading when the length is told | request_timeout when it does not
 *   come | invalid_json when it breaks off | unsupported_encoding | invalid_field when it cannot be decoded
 */
export function readLimited(
  request: Request,
  maxBytes: number,
  patience?: BodyPatience,
): Promise<Uint8Array> {
  return request.headers.get('content-encoding') === null
    ? readAsSent(request, maxBytes, patience)
    : readDecoded(request, maxBytes, patience)
}

async function readDecoded(
  request: Request,
  maxBytes: number,
  patience: BodyPatience | undefined,
): Promise<Uint8Array> {
  const coding = codingOf(request.headers)
  const sent = await readAsSent(request, maxBytes, patience)
  return coding === null ? sent : decodeWhole(coding, sent, maxBytes, () => tooLarge(maxBytes))
}

function readAsSent(
  request: Request,
  maxBytes: number,
  patience: BodyPatience | undefined,
): Promise<Uint8Array> {
  const announced = request.headers.get('content-length')
  if (announced === null) return readPieces(request, maxBytes, patience)
  const length = Number(announced)
  if (length > maxBytes) return Promise.reject(tooLarge(maxBytes))
  const read = length <= onePieceBytes ? readWhole : readPieces
  return read(request, maxBytes, patience)
}

function readWhole(
  request: Request,
  maxBytes: number,
  patience: BodyPatience | undefined,
): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  const arrival = arriveBody(request, reject, patience)
  request.bytes().then(
    (bytes) => {
      arrival.end('whole')
      return bytes.byteLength > maxBytes ? reject(tooLarge(maxBytes)) : resolve(bytes)
    },
    (cause: unknown) => {
      arrival.end('cut')
      reject(brokenOff(cause))
    },
  )
  return promise
}

/** Counted as it comes, and refused where it passes the ceiling. */
async function readPieces(
  request: Request,
  maxBytes: number,
  patience: BodyPatience | undefined,
): Promise<Uint8Array> {
  const reader = openBodyReader(request, patience)
  if (reader === null) return new Uint8Array(0)
  const pieces: Uint8Array[] = []
  let total = 0
  for (;;) {
    const piece = await reader.next().catch((cause: unknown) => {
      throw brokenOff(cause)
    })
    if (piece === null) break
    total += piece.byteLength
    if (total > maxBytes) {
      reader.cancel()
      throw tooLarge(maxBytes)
    }
    pieces.push(piece)
  }
  const [only] = pieces
  return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces, total)
}

/** A body as it comes. */
interface BodyReader {
  /** Null at the end. @throws request_timeout | Error when the client broke off */
  next(): Promise<Uint8Array | null>
  /** The rest is not wanted. */
  cancel(): void
}

/** Opens the body of a request, piece by piece. @returns null for a request without a body */
function openBodyReader(request: Request, patience?: BodyPatience): BodyReader | null {
  const { body } = request
  if (body === null) return null
  const reader = body.getReader()
  // How the rest ends changes nothing, and is not waited for.
  const drop = () => void reader.cancel().catch(() => {})
  let late: GatewayError | null = null
  const giveUp = (error: GatewayError): void => {
    late = error
    drop()
  }
  const arrival = arriveBody(request, giveUp, patience)
  return {
    async next() {
      try {
        const { done, value } = (await reader.read()) as { done: boolean; value: Uint8Array }
        if (late !== null) throw late
        if (!done) {
          arrival.bytes += value.byteLength
          return value
        }
        arrival.end('whole')
        return null
      } catch (thrown) {
        arrival.end('cut')
        throw late ?? thrown
      }
    },
    cancel() {
      arrival.end('cut')
      drop()
    },
  }
}

/**
 * Opens the body of a request, piece by piece, decoded where it comes compressed.
 * @param maxBytes as sent: data can be written so that nothing comes out of it
 * @throws unsupported_encoding; the reader: invalid_field when it cannot be decoded
 */
export function openDecodedReader(request: Request, maxBytes: number): BodyReader | null {
  const coding = codingOf(request.headers)
  const reader = openBodyReader(request)
  if (coding === null || reader === null) return reader
  const pieces = decodedPieces(coding, limitedPieces(reader, maxBytes))
  return {
    async next() {
      const step = await pieces.next()
      return step.done === true ? null : step.value
    },
    cancel() {
      reader.cancel()
      void pieces.return?.().catch(() => {})
    },
  }
}

async function* limitedPieces(reader: BodyReader, maxBytes: number): AsyncGenerator<Uint8Array> {
  let total = 0
  for (let piece = await reader.next(); piece !== null; piece = await reader.next()) {
    total += piece.byteLength
    if (total > maxBytes) throw tooLarge(maxBytes)
    yield piece
  }
}

/** The client broke off in the middle of its body. */
const brokenOff = (cause: unknown): GatewayError =>
  isGatewayError(cause) ? cause : new GatewayError('invalid_json', {}, { cause })

const tooLarge = (maxBytes: number) =>
  new GatewayError('request_too_large', { limitKb: Math.floor(maxBytes / 1024) })
