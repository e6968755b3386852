/** A file whose bytes can be read at any place. */
export interface ByteFile {
  /** In bytes. */
  readonly size: number
  /** @returns fewer bytes than asked for at the end of the file, none beyond it */
  read(offset: number, length: number): Buffer
}

/** Bytes in memory as a file. */
export const fileOfBytes = (bytes: Uint8Array): ByteFile => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return {
    size: bytes.byteLength,
    read: (offset, length) => all.subarray(Math.min(offset, all.length), offset + length),
  }
}
