import { GatewayError, isGatewayError } from '../errors/gateway-error'
import { isParseable } from './json-shape'

/** A body that was read: its text as sent, and what it says. */
export interface JsonBody {
  readonly text: string
  readonly value: unknown
  /** Its length as sent. */
  readonly bytes: number
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a JSON body of any content type. A byte order mark is dropped.
 * @throws request_too_large, before reading when the length is told | invalid_json
 */
export const readJson = (request: Request, maxBytes: number): Promise<JsonBody> =>
  readLimited(request, maxBytes).then(jsonIn)

function jsonIn(bytes: Uint8Array): JsonBody {
  try {
    const text = decoder.decode(bytes)
    if (!isParseable(text)) throw new Error('nested too deeply, or too many values')
    return { text, value: JSON.parse(text), bytes: bytes.byteLength }
  } catch (cause) {
    throw new GatewayError('invalid_json', {}, { cause })
  }
}

/**
 * A body's bytes.
 * @throws request_too_large, before reading when the length is told | invalid_json when it breaks off
 */
export function readLimited(request: Request, maxBytes: number): Promise<Uint8Array> {
  const told = request.headers.get('content-length')
  if (told === null) return readCounted(request, maxBytes).catch(brokenOff)
  if (Number(told) > maxBytes) return Promise.reject(tooLarge(maxBytes))
  return request.bytes().then((bytes) => {
    if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes)
    return bytes
  }, brokenOff)
}

/** The client broke off in the middle of its body. */
const brokenOff = (cause: unknown): never => {
  if (isGatewayError(cause)) throw cause
  throw new GatewayError('invalid_json', {}, { cause })
}

/** A body of unknown length is counted as it comes, and refused where it passes the ceiling. */
async function readCounted(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array(0)
  const chunks: Uint8Array[] = []
  let total = 0
  const reader = request.body.getReader()
  for (;;) {
    const { done, value } = (await reader.read()) as { done: boolean; value: Uint8Array }
    if (done) return Buffer.concat(chunks)
    total += value.byteLength
    if (total > maxBytes) {
      // How the rest ends changes nothing, and is not waited for.
      reader.cancel().catch(() => {})
      throw tooLarge(maxBytes)
    }
    chunks.push(value)
  }
}

const tooLarge = (maxBytes: number) =>
  new GatewayError('request_too_large', { limitKb: Math.floor(maxBytes / 1024) })
