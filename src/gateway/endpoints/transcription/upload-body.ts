import type { StreamedBody } from '../../net/streamed-body'
import type { SpooledFile } from '../../http/spool'
import type { AudioRequest } from '../../vendors/audio-input'

/** Divisible by three, so that pieces of base64 join. */
const pieceBytes = 49_152
const encoder = new TextEncoder()

type Piece = Uint8Array<ArrayBuffer> | { readonly file: 'bytes' | 'base64' }

/** A request's body with a spooled file in it, read from the disk as it is sent, each time anew. */
export function uploadBody(parts: AudioRequest['body'], file: SpooledFile): StreamedBody {
  const pieces: readonly Piece[] = parts.map((part) =>
    typeof part === 'string' ? encoder.encode(part) : part,
  )
  const lengthOf = (piece: Piece): number =>
    piece instanceof Uint8Array
      ? piece.byteLength
      : piece.file === 'bytes'
        ? file.size
        : Math.ceil(file.size / 3) * 4
  return {
    bytes: pieces.reduce((sum, piece) => sum + lengthOf(piece), 0),
    open() {
      const buffer = new Uint8Array(pieceBytes)
      const letGo = file.hold()
      let at = 0
      let offset = 0
      return {
        async read() {
          for (let piece = pieces[at]; piece !== undefined; piece = pieces[at]) {
            if (piece instanceof Uint8Array) {
              at++
              if (piece.byteLength > 0) return piece
              continue
            }
            const count = await readPiece(file, buffer, offset)
            offset += count
            if (count === 0) {
              at++
              offset = 0
              continue
            }
            const bytes = buffer.subarray(0, count)
            return piece.file === 'bytes' ? bytes : encoder.encode(bytes.toBase64())
          }
          return null
        },
        close: letGo,
      }
    },
  }
}

/** A whole piece, unless the file ends. */
async function readPiece(file: SpooledFile, buffer: Uint8Array, offset: number): Promise<number> {
  let count = 0
  while (count < buffer.byteLength) {
    const more = await file.readInto(buffer.subarray(count), offset + count)
    if (more === 0) break
    count += more
  }
  return count
}
