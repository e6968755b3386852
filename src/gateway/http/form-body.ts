import { GatewayError, isGatewayError } from '../../errors/gateway-error'
import { boundaryOf } from '../formats/multipart/part-head'
import { MultipartFault, Multipart, type PartSink } from '../formats/multipart/open-multipart'
import type { FormBody, FormRules, FormFile } from './form'
import { openDecodedReader } from './read-body'
import { invalid } from '../formats/schema-fault'

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
    const form = new Multipart(boundary, parts.sink)
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

/** Parts of a form on their way: fields are kept, the file is written. */
interface FormParts {
  readonly sink: PartSink
  form(): FormBody
  /** Nothing of it is wanted. */
  discard(): void
}

const maxFields = 100
/** Voices to be known again come as text, some seconds of each. */
const maxFieldsBytes = 2_097_152
const decoder = new TextDecoder('utf-8', { fatal: true })

/** The sink throws request_too_large | invalid_field. */
function openFormParts({ fileField, maxFileBytes, spool }: FormRules): FormParts {
  const fields: (readonly [string, string])[] = []
  let fieldsBytes = 0
  let file: FormFile | null = null
  let fileBytes = 0
  /** The field that is read now; null while it is the file. */
  let field: { readonly name: string; readonly pieces: Uint8Array[] } | null = null

  const sink: PartSink = {
    part({ name, filename }) {
      field = null
      if (name === fileField) {
        if (file !== null) throw invalid(fileField, 'one file')
        file = { filename, content: spool.open() }
      } else if (fields.length === maxFields) throw tooLarge(maxFieldsBytes)
      else field = { name, pieces: [] }
    },
    data(bytes) {
      if (field === null) {
        fileBytes += bytes.byteLength
        if (fileBytes > maxFileBytes) throw tooLarge(maxFileBytes)
        file?.content.append(bytes)
        return
      }
      fieldsBytes += bytes.byteLength
      if (fieldsBytes > maxFieldsBytes) throw tooLarge(maxFieldsBytes)
      field.pieces.push(Buffer.from(bytes))
    },
    partEnd() {
      if (field === null) return
      const { name, pieces } = field
      try {
        fields.push([name, decoder.decode(Buffer.concat(pieces))])
      } catch {
        throw invalid(name, 'text in UTF-8')
      }
    },
  }
  return {
    sink,
    form: () => ({ fields, file }),
    discard: () => file?.content.close(),
  }
}
