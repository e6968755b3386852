import { yieldToLoop } from '../domain/yield-to-loop'
import { GatewayError, isGatewayError } from '../errors/gateway-error'
import { harmlessBytes, parseCostOf } from '../formats/json/parse-cost'

/** A body that was read: its text as sent, and what it says. */
export interface JsonBody {
  readonly text: string
  readonly value: unknown
  /** Its length as sent. */
  readonly bytes: number
}

const decoder = new TextDecoder('utf-8', { fatal: true })

/** Shorter ones are read in one turn of the event loop, unless they take long to parse. */
const oneTurnBytes = 262_144
const oneTurnNs = 3_000_000

/**
 * Reads a JSON body of any content type. A byte order mark is dropped. A large one is counted before
 * it is parsed, and read in several turns of the event loop.
 * @throws request_too_large, before reading when the length is told | invalid_json
 */
export const readJson = (request: Request, maxBytes: number): Promise<JsonBody> =>
  readLimited(request, maxBytes).then((bytes) =>
    bytes.byteLength <= harmlessBytes ? jsonIn(bytes) : jsonInLarge(bytes),
  )

function jsonIn(bytes: Uint8Array): JsonBody {
  try {
    const text = decoder.decode(bytes)
    return { text, value: JSON.parse(text), bytes: bytes.byteLength }
  } catch (cause) {
    throw new GatewayError('invalid_json', {}, { cause })
  }
}

async function jsonInLarge(bytes: Uint8Array): Promise<JsonBody> {
  try {
    const ns = await parseCostOf(bytes)
    const isHeavy = bytes.byteLength > oneTurnBytes || ns > oneTurnNs
    if (isHeavy) await yieldToLoop()
    const text = decoder.decode(bytes)
    if (isHeavy) await yieldToLoop()
    const value: unknown = JSON.parse(text)
    if (isHeavy) await yieldToLoop()
    return { text, value, bytes: bytes.byteLength }
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
