import { stat } from 'node:fs/promises'
import { errorCode } from '../../domain/error-code'

/** @throws FileRefused saying why */
export type ReadFile = (path: string, maxBytes: number) => Promise<Uint8Array>

export class FileRefused extends Error {
  constructor(
    why: string,
    /** Whether there is no such file. */
    readonly isMissing = false,
  ) {
    super(why)
    this.name = 'FileRefused'
  }
}

/** A file whole, unless it is too large. */
export const readFile: ReadFile = async (path, maxBytes) => {
  const found = await stat(path).catch((thrown: unknown) => {
    const isMissing = errorCode(thrown) === 'ENOENT'
    throw new FileRefused(isMissing ? 'there is no such file' : 'it cannot be read', isMissing)
  })
  if (!found.isFile()) throw new FileRefused('it is no file')
  const tooLarge = () => new FileRefused(`it is larger than ${maxBytes / 1_000_000} MB`)
  if (found.size > maxBytes) throw tooLarge()
  // It may grow while it is read.
  const bytes = await Bun.file(path)
    .slice(0, maxBytes + 1)
    .bytes()
    .catch(() => {
      throw new FileRefused('it cannot be read')
    })
  if (bytes.byteLength > maxBytes) throw tooLarge()
  return bytes
}
