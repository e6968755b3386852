import { GatewayError } from '../errors/gateway-error'
import { isParseable } from './json-shape'
import { readLimited } from './read-body'

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
 * @throws request_too_large, before reading when the length is told | request_timeout | invalid_json
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
