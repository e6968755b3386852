/*
 * Zstandard frames (RFC 8878, 3.1). Seen in Bun 1.4.5: its decoder takes data that is cut for whole, and ignores
 * what follows the last frame.
 */

const frameMagic = 0xfd2fb528
/** Frames that carry no data of the text (3.1.2): sixteen magic numbers. */
const skippableMagic = 0x184d2a50

/** Bytes of the dictionary's id and of the content's size, by their flags (3.1.1.1). */
const dictionaryBytes = [0, 1, 2, 4]
const sizeBytes = [0, 2, 4, 8]

/** Whether data is a number of frames, each of them whole. */
export function isWholeZstd(data: Uint8Array): boolean {
  const frames = new ZstdFrames()
  frames.push(data)
  return frames.isWhole
}

/** Reader of frames in pieces: their blocks are passed over, not decoded. */
export class ZstdFrames {
  /** Bytes until the next head; infinite behind what is no frame. */
  #skip = 0
  /** Bytes of the next head so far. */
  #head: number[] = []
  #next: 'frame' | 'block' = 'frame'
  #checksumBytes = 0
  #isEmpty = true

  push(piece: Uint8Array): void {
    for (let at = 0; at < piece.byteLength;) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, piece.byteLength - at)
        this.#skip -= skipped
        at += skipped
        continue
      }
      this.#head.push(piece[at] ?? 0)
      at += 1
      const skip = this.#next === 'frame' ? this.#frameHead() : this.#blockHead()
      if (skip === null) continue
      this.#skip = skip
      this.#head = []
    }
  }

  /** Whether what has come ends with a frame. */
  get isWhole(): boolean {
    const isBetween = this.#next === 'frame' && this.#skip === 0 && this.#head.length === 0
    return isBetween && !this.#isEmpty
  }

  /** @returns bytes until the next head; null as long as this one is cut */
  #frameHead(): number | null {
    const head = this.#head
    if (head.length < 4) return null
    const magic = numberIn(head, 0, 4)
    if (magic - (magic % 16) === skippableMagic) {
      if (head.length < 8) return null
      this.#isEmpty = false
      return numberIn(head, 4, 4)
    }
    if (magic !== frameMagic) return Number.POSITIVE_INFINITY
    const descriptor = head[4]
    if (descriptor === undefined) return null
    const isSingleSegment = (descriptor & 0x20) !== 0
    const sizeFlag = descriptor >> 6
    const ownSize = sizeFlag === 0 && isSingleSegment ? 1 : (sizeBytes[sizeFlag] ?? 0)
    this.#next = 'block'
    this.#checksumBytes = (descriptor & 4) !== 0 ? 4 : 0
    return (isSingleSegment ? 0 : 1) + (dictionaryBytes[descriptor & 3] ?? 0) + ownSize
  }

  /** @returns as of `#frameHead` */
  #blockHead(): number | null {
    if (this.#head.length < 3) return null
    const head = numberIn(this.#head, 0, 3)
    // A run is one byte, whatever its size says (3.1.1.2.2).
    const size = ((head >> 1) & 3) === 1 ? 1 : head >> 3
    if ((head & 1) === 0) return size
    this.#next = 'frame'
    this.#isEmpty = false
    return size + this.#checksumBytes
  }
}

/** The number in little-endian bytes. */
const numberIn = (bytes: readonly number[], from: number, count: number): number =>
  bytes.slice(from, from + count).reduceRight((sum, byte) => sum * 256 + byte, 0)
