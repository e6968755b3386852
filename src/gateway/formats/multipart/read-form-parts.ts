import { boundaryOf, type PartHead } from './part-head'
import { MultipartFault, Multipart } from './open-multipart'

/** A part of a form that is whole in memory. */
export interface FormPart extends PartHead {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Reads a form (RFC 7578) that is there whole. @throws MultipartFault */
export function readFormParts(bytes: Uint8Array, contentType: string): readonly FormPart[] {
  const boundary = boundaryOf(contentType)
  if (boundary === null) throw new MultipartFault('no boundary')
  const parts: FormPart[] = []
  let pieces: Uint8Array[] = []
  let head: PartHead | null = null
  const form = new Multipart(boundary, {
    part(next) {
      head = next
      pieces = []
    },
    data: (piece) => void pieces.push(piece),
    partEnd() {
      if (head !== null) parts.push({ ...head, bytes: Buffer.concat(pieces) })
    },
  })
  form.push(bytes)
  form.end()
  return parts
}
