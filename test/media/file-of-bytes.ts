import type { ByteFile } from '../../src/gateway/media/byte-file'

/** Bytes in memory as a file. */
export const fileOfBytes = (bytes: Uint8Array): ByteFile => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    size: bytes.byteLength,
    read: (offset, length) => all.subarray(Math.min(offset, all.length), offset + length),
  }
}
