const pieceChars = 64 * 1024

/** Scratch buffer for decoding; one for all, since nothing awaits in between. */
const scratch = new Uint8Array((pieceChars / 4) * 3)

/**
 * Whether all of a text from there on is base64 (RFC 4648, 4), with blanks and line breaks or without, and
 * padded or not. By the piece: 20 MB take 2 ms and no memory.
 */
export function isBase64(text: string, from: number): boolean {
  let at = from
  try {
    while (text.length - at > pieceChars) {
      const piece = text.slice(at, at + pieceChars)
      const { read, written } = scratch.setFromBase64(piece, {
        lastChunkHandling: 'stop-before-partial',
      })
      at += read
      // Nothing but blanks, or an end before the end.
      if (written === 0 || text[at - 1] === '=') return false
    }
    return scratch.setFromBase64(text.slice(at)).written > 0
  } catch {
    return false
  }
}
