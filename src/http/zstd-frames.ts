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

/** Whether data is a number of frames, each of them whole. Their blocks are passed over, not decoded. */
export function isWholeZstd(data: Uint8Array): boolean {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  let at = 0
  try {
    do at = frameEnd(view, at)
    while (at < data.byteLength)
  } catch {
    // RangeError of the view.
    return false
  }
  return at === data.byteLength
}

/** @returns where the frame ends @throws RangeError where it is cut or none */
function frameEnd(view: DataView, start: number): number {
  const magic = view.getUint32(start, true)
  if ((magic & 0xfffffff0) === skippableMagic) return start + 8 + view.getUint32(start + 4, true)
  if (magic !== frameMagic) throw new RangeError('no Zstandard frame')
  const descriptor = view.getUint8(start + 4)
  const isSingleSegment = (descriptor & 0x20) !== 0
  const sizeFlag = descriptor >> 6
  let at = start + 5 + (isSingleSegment ? 0 : 1) + (dictionaryBytes[descriptor & 3] ?? 0)
  at += sizeFlag === 0 && isSingleSegment ? 1 : (sizeBytes[sizeFlag] ?? 0)
  for (let isLast = false; !isLast;) {
    const head = view.getUint16(at, true) | (view.getUint8(at + 2) << 16)
    isLast = (head & 1) !== 0
    // A run is one byte, whatever its size says (3.1.1.2.2).
    at += 3 + (((head >> 1) & 3) === 1 ? 1 : head >> 3)
  }
  return at + ((descriptor & 4) !== 0 ? 4 : 0)
}
