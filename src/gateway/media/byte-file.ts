/** A file whose bytes can be read at any place. */
export interface ByteFile {
  /** In bytes. */
  readonly size: number
  /** @returns fewer bytes than asked for at the end of the file, none beyond it */
  read(offset: number, length: number): Buffer
}
