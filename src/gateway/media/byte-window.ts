import type { ByteFile } from './byte-file'

/** Numbers at any place of a file; -1 where the file ends before. */
export interface ByteWindow {
  readonly size: number
  u8(offset: number): number
  u16be(offset: number): number
  u32be(offset: number): number
  u32le(offset: number): number
  /** Beyond 2^53 it is not exact, and no length is so long. */
  u64be(offset: number): number
  u64le(offset: number): number
  /** So many bytes from there, fewer at the end of the file; at most a window. */
  slice(offset: number, length: number): Buffer
  /** Whether these letters stand there. */
  says(offset: number, letters: string): boolean
  /** Where these bytes come next, not later than `before`; -1 for nowhere. */
  find(bytes: Buffer, from: number, before: number): number
}

const windowBytes = 65_536

/** Reads a file in few large pieces, for who goes through it in small steps. */
export function openByteWindow(file: ByteFile): ByteWindow {
  const { size } = file
  let start = 0
  let bytes: Buffer = Buffer.alloc(0)

  /** The place in `bytes`; -1 when the file is too short. */
  const locate = (offset: number, length: number): number => {
    const at = offset - start
    if (at >= 0 && at + length <= bytes.length) return at
    if (!(offset >= 0) || offset + length > size) return -1
    bytes = file.read(offset, windowBytes)
    start = offset
    return bytes.length < length ? -1 : 0
  }

  const u32be = (offset: number): number => {
    const at = locate(offset, 4)
    return at < 0 ? -1 : bytes.readUInt32BE(at)
  }
  const u32le = (offset: number): number => {
    const at = locate(offset, 4)
    return at < 0 ? -1 : bytes.readUInt32LE(at)
  }

  return {
    size,
    u8(offset) {
      const at = locate(offset, 1)
      return at < 0 ? -1 : (bytes[at] ?? -1)
    },
    u16be(offset) {
      const at = locate(offset, 2)
      return at < 0 ? -1 : bytes.readUInt16BE(at)
    },
    u32be,
    u32le,
    u64be: (offset) => (locate(offset, 8) < 0 ? -1 : u32be(offset) * 2 ** 32 + u32be(offset + 4)),
    u64le: (offset) => (locate(offset, 8) < 0 ? -1 : u32le(offset + 4) * 2 ** 32 + u32le(offset)),
    slice(offset, length) {
      const most = Math.max(0, Math.min(length, size - offset, windowBytes))
      const at = locate(offset, most)
      return at < 0 ? Buffer.alloc(0) : bytes.subarray(at, at + most)
    },
    says(offset, letters) {
      const at = locate(offset, letters.length)
      return at >= 0 && bytes.toString('latin1', at, at + letters.length) === letters
    },
    find(wanted, from, before) {
      for (let offset = from; offset + wanted.length <= before;) {
        const at = locate(offset, wanted.length)
        if (at < 0) return -1
        const found = bytes.indexOf(wanted, at)
        if (found >= 0) return start + found < before ? start + found : -1
        // The bytes may lie across two windows.
        offset = start + bytes.length - wanted.length + 1
      }
      return -1
    },
  }
}
