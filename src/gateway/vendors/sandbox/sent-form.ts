import { boundaryOf } from '../../formats/multipart/part-head'
import { Multipart } from '../../formats/multipart/open-multipart'

/** A form as the sandbox was sent it: its fields, and a number made of its file. */
export interface SentForm {
  /** The last of each name. */
  readonly fields: ReadonlyMap<string, string>
  readonly seed: number
}

/** Reads a form to its end and keeps nothing of its file. @throws Error when it is none */
export async function readSentForm(request: Request): Promise<SentForm> {
  const fields = new Map<string, string>()
  const decoder = new TextDecoder()
  let seed = 0
  let field: string | null = null
  const form = new Multipart(boundaryOf(request.headers.get('content-type')) ?? '', {
    part({ name, filename }) {
      field = filename === null ? name : null
      if (field !== null) fields.set(field, '')
    },
    data(bytes) {
      if (field === null) seed = Bun.hash.crc32(bytes, seed)
      else fields.set(field, (fields.get(field) ?? '') + decoder.decode(bytes, { stream: true }))
    },
    partEnd() {},
  })
  const body: ReadableStream<Uint8Array> | null = request.body
  for await (const piece of body ?? []) form.push(piece)
  form.end()
  return { fields, seed }
}
