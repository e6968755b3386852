import type { Usage } from '../../../domain/usage'

/** Takes the audio out of the body of a vendor's answer, as it comes. */
export interface AudioReader {
  /**
   * The audio in a piece of the body, which is only lent; null for none yet.
   * @throws GatewayError the vendor's failure inside a success | Error when it is no answer
   */
  push(piece: Uint8Array): Uint8Array<ArrayBuffer> | null
  /** The body ended in order. @returns the rest @throws as `push` */
  end(): Uint8Array<ArrayBuffer> | null
  /** The end of the audio was seen. */
  complete(): boolean
  /** Usage that the vendor reported; null until it does. */
  usage(): Usage | null
  /** The audio so far was passed on. */
  passed(): void
  /** Drops buffered bytes that are not audio yet, and releases their memory. */
  release(): void
}

/**
 * A body that is the audio itself.
 * @param head what stands before it, such as the header of a file of bare samples
 */
export function plainAudio(head: Uint8Array<ArrayBuffer> | null = null): AudioReader {
  let before = head
  let over = false
  return {
    push(piece) {
      if (piece.byteLength === 0) return null
      if (before === null) return new Uint8Array(piece)
      const both = new Uint8Array(before.byteLength + piece.byteLength)
      both.set(before)
      both.set(piece, before.byteLength)
      before = null
      return both
    },
    end() {
      over = true
      return null
    },
    complete: () => over,
    usage: () => null,
    passed() {},
    release() {},
  }
}
