import { yieldToLoop } from '../../domain/yield-to-loop'
import { GatewayError } from '../../errors/gateway-error'
import { harmlessBytes, parseCostOf } from '../json/parse-cost'
import type { BodyPatience } from './slow-body-guard'
import { readLimited } from './read-body'

/** A JSON body: its text as sent, and its value. */
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
 * Reads a JSON body of any content type. A byte order mark is dropped (RFC 8259, 8.1). A large one is
 * counted before it is parsed, and read in several turns of the event loop.
 * @throws request_too_large, before reading when the length is told | request_timeout | invalid_json
 */
export const readJson = (
  request: Request,
  maxBytes: number,
  patience?: BodyPatience,
): Promise<JsonBody> =>
  readLimited(request, maxBytes, patience).then((bytes) =>
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
