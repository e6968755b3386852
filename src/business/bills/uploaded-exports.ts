import type { BillExport } from './bill-sources'

/** A file of an upload, and where it ends; the last one ends with the upload. */
export interface UploadedFile {
  readonly name: string
  readonly bytes: number | null
}

/**
 * Files that came one behind the other in one upload, each read before the next one.
 * @param files with their lengths, but for the last
 */
export function uploadedExports(
  upload: AsyncIterable<Uint8Array>,
  files: readonly UploadedFile[],
): readonly BillExport[] {
  const source = upload[Symbol.asyncIterator]()
  let rest: Uint8Array = new Uint8Array(0)
  async function* piecesOf(length: number | null): AsyncGenerator<Uint8Array> {
    let left = length ?? Number.POSITIVE_INFINITY
    while (left > 0) {
      if (rest.byteLength === 0) {
        const next = await source.next()
        if (next.done === true) return
        rest = next.value
      }
      const piece = rest.subarray(0, Math.min(left, rest.byteLength))
      rest = rest.subarray(piece.byteLength)
      left -= piece.byteLength
      yield piece
    }
  }
  return files.map(({ name, bytes }, at) => ({
    name,
    bytes: piecesOf(at === files.length - 1 ? null : bytes),
  }))
}
