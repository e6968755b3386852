import { GatewayError } from '../errors/gateway-error'
import { boundaryOf } from '../formats/multipart/boundary'
import { MultipartFault, openMultipart } from '../formats/multipart/open-multipart'
import type { FormBody, FormRules } from './form'
import { openFormParts } from './form-parts'

/** Fields, their heads and boundaries. */
const mostAroundBytes = 3_145_728

/**
 * Reads `multipart/form-data` as it comes; the file goes to the disk and is never whole in memory.
 * When this throws, nothing is left.
 * @throws request_too_large, before reading when the length is told | invalid_field
 */
export async function readForm(request: Request, rules: FormRules): Promise<FormBody> {
  const boundary = boundaryOf(request.headers.get('content-type'))
  if (boundary === null) throw noForm()
  const mostBytes = rules.maxFileBytes + mostAroundBytes
  if (Number(request.headers.get('content-length') ?? 0) > mostBytes)
    throw tooLarge(rules.maxFileBytes)
  const parts = openFormParts(rules)
  const reader = readerOf(request)
  try {
    const form = openMultipart(boundary, parts.sink)
    let total = 0
    for (let piece = await reader?.next(); piece; piece = await reader?.next()) {
      total += piece.byteLength
      if (total > mostBytes) throw tooLarge(rules.maxFileBytes)
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

const noForm = (cause?: Error) =>
  new GatewayError(
    'invalid_field',
    { field: 'body', expected: 'multipart/form-data' },
    { param: 'body', cause },
  )

const tooLarge = (maxBytes: number) =>
  new GatewayError('request_too_large', { limitKb: Math.floor(maxBytes / 1024) })

interface PieceReader {
  /** Null at the end. @throws MultipartFault when the client broke off */
  next(): Promise<Uint8Array | null>
  cancel(): void
}

/** @returns null for a request without a body */
function readerOf({ body }: Request): PieceReader | null {
  if (body === null) return null
  const reader = body.getReader()
  return {
    async next() {
      try {
        const { done, value } = (await reader.read()) as { done: boolean; value: Uint8Array }
        return done ? null : value
      } catch {
        throw new MultipartFault('the client broke off')
      }
    },
    cancel() {
      // How the rest ends changes nothing, and is not waited for.
      reader.cancel().catch(() => {})
    },
  }
}
