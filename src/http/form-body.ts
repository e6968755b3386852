import { GatewayError, isGatewayError } from '../errors/gateway-error'
import { boundaryOf } from '../formats/multipart/part-head'
import { MultipartFault, openMultipart } from '../formats/multipart/open-multipart'
import type { FormBody, FormRules } from './form'
import { openFormParts } from './form-parts'
import { openDecodedReader } from './read-body'

/** Fields, their heads and boundaries. */
const maxAroundBytes = 3_145_728

/**
 * Reads `multipart/form-data` (RFC 7578) as it comes; the file goes to the disk and is never whole in memory.
 * When this throws, nothing is left.
 * @throws request_too_large, before reading when the length is told | request_timeout | invalid_field |
 *   unsupported_encoding
 */
export async function readForm(request: Request, rules: FormRules): Promise<FormBody> {
  const boundary = boundaryOf(request.headers.get('content-type'))
  if (boundary === null) throw noForm()
  const maxFormBytes = rules.maxFileBytes + maxAroundBytes
  if (Number(request.headers.get('content-length') ?? 0) > maxFormBytes)
    throw tooLarge(rules.maxFileBytes)
  const reader = openDecodedReader(request, maxFormBytes)
  const parts = openFormParts(rules)
  const next = () => (reader === null ? null : reader.next().catch(brokenOff))
  try {
    const form = openMultipart(boundary, parts.sink)
    let total = 0
    for (let piece = await next(); piece !== null; piece = await next()) {
      total += piece.byteLength
      if (total > maxFormBytes) throw tooLarge(rules.maxFileBytes)
      form.push(piece)
      release(piece)
    }
    form.end()
    return parts.form()
  } catch (cause) {
    parts.discard()
    reader?.cancel()
    throw cause instanceof MultipartFault ? noForm(cause) : cause
  }
}

/** Shorter pieces may lie beside others. */
const ownPieceBytes = 65_536

/** A piece that is done with is memory until the next collection; a hundred uploads do not wait for it. */
function release({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < ownPieceBytes || byteLength !== buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}

const brokenOff = (cause: unknown): never => {
  throw isGatewayError(cause) ? cause : new MultipartFault('the client broke off')
}

const noForm = (cause?: Error) =>
  new GatewayError(
    'invalid_field',
    { field: 'body', expected: 'multipart/form-data' },
    { param: 'body', cause },
  )

const tooLarge = (maxBytes: number) =>
  new GatewayError('request_too_large', { limitKb: Math.floor(maxBytes / 1024) })
