/** Sample layout in the header of a WAV file (Multimedia Programming Interface 1.0, chapter 3). */
interface WavHead {
  readonly rate: number
  readonly channels: number
  readonly bits: number
  /** Where the samples begin, and how many bytes they are; a file in the making says too many. */
  readonly dataAt: number
  readonly dataBytes: number
}

/** Stands for a length that nobody knows yet; players read to the end. */
const unknown = 0xffffffff
const headBytes = 44

/**
 * The header of a file of 16-bit samples in one channel.
 * @param dataBytes null while it is not known how many follow
 */
export function wavHead(rate: number, dataBytes: number | null): Uint8Array<ArrayBuffer> {
  const head = new Uint8Array(headBytes)
  const view = new DataView(head.buffer)
  const put = (at: number, name: string) => {
    for (let i = 0; i < 4; i++) head[at + i] = name.charCodeAt(i)
  }
  put(0, 'RIFF')
  view.setUint32(4, dataBytes === null ? unknown : dataBytes + headBytes - 8, true)
  put(8, 'WAVE')
  put(12, 'fmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, rate, true)
  view.setUint32(28, rate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  put(36, 'data')
  view.setUint32(40, dataBytes ?? unknown, true)
  return head
}

/** Reads the beginning of a file; null when it is no WAV, or its header is not whole. */
export function readWavHead(bytes: Uint8Array): WavHead | null {
  if (bytes.byteLength < 12) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const name = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))
  if (name(0) !== 'RIFF' || name(8) !== 'WAVE') return null
  let format: Omit<WavHead, 'dataAt' | 'dataBytes'> | null = null
  for (let at = 12; at + 8 <= bytes.byteLength;) {
    const length = view.getUint32(at + 4, true)
    if (name(at) === 'data')
      return format === null ? null : { ...format, dataAt: at + 8, dataBytes: length }
    if (name(at) === 'fmt ') {
      if (at + 24 > bytes.byteLength) return null
      const channels = view.getUint16(at + 10, true)
      const rate = view.getUint32(at + 12, true)
      format = { channels, rate, bits: view.getUint16(at + 22, true) }
    }
    // Parts of odd length are filled up to an even one.
    at += 8 + length + (length % 2)
  }
  return null
}
