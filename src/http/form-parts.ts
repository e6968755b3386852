import { GatewayError } from '../errors/gateway-error'
import type { PartSink } from '../formats/multipart/open-multipart'
import { invalid } from '../formats/schema-fault'
import type { FormBody, FormFile, FormRules } from './form'

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
export function openFormParts({ fileField, maxFileBytes, spool }: FormRules): FormParts {
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

const tooLarge = (maxBytes: number) =>
  new GatewayError('request_too_large', { limitKb: Math.floor(maxBytes / 1024) })
