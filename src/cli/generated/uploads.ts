import { existsSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { Command } from 'commander'
import { printProgress } from '../kit/output'

type Pieces = AsyncIterable<Uint8Array>

/** A file as it is sent. */
interface OpenedFile {
  readonly name: string
  /** Null for a pipe, which ends when it ends. */
  readonly bytes: number | null
  pieces(): Pieces
}

/** Files of a command, one behind the other. */
interface Upload {
  /** `NAME:BYTES`; without a length for a pipe at the end. */
  readonly names: readonly string[]
  readonly pieces: Pieces
}

/**
 * Opens files that are sent in the place of a body. Ends with exit code 2 for one that is not there.
 * @param paths `-` for standard input
 */
export async function openUpload(command: Command, paths: readonly string[]): Promise<Upload> {
  const missing = paths.find((path) => path !== '-' && !isFile(path))
  if (missing !== undefined) command.error(`error: there is no file ${missing}`)
  if (paths.filter((path) => path === '-').length > 1)
    command.error('error: standard input is read once')
  const files: OpenedFile[] = []
  for (const [at, path] of paths.entries()) {
    const file = openFile(path)
    // Only what comes last may end where the upload ends.
    files.push(file.bytes === null && at < paths.length - 1 ? await readWhole(file) : file)
  }
  return {
    names: files.map(({ name, bytes }) => (bytes === null ? name : `${name}:${bytes}`)),
    pieces: piecesOf(files),
  }
}

function openFile(path: string): OpenedFile {
  if (path === '-')
    return { name: 'standard input', bytes: null, pieces: () => Bun.stdin.stream() as Pieces }
  const bytes = sizeOf(path)
  // As long as it was: it may grow meanwhile.
  const file = Bun.file(path).slice(0, bytes ?? undefined)
  return { name: basename(path), bytes, pieces: () => file.stream() as Pieces }
}

/** Whether there is one; a pipe too, as of `<(gunzip -c …)`. */
const isFile = (path: string): boolean => existsSync(path) && !statSync(path).isDirectory()

/** Null for a pipe. */
function sizeOf(path: string): number | null {
  const stat = statSync(path)
  return stat.isFile() ? stat.size : null
}

async function readWhole({ name, pieces }: OpenedFile): Promise<OpenedFile> {
  const whole = Buffer.concat(await Array.fromAsync(pieces()))
  return {
    name,
    bytes: whole.byteLength,
    async *pieces() {
      yield whole
    },
  }
}

async function* piecesOf(files: readonly OpenedFile[]): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for (const { pieces } of files)
    for await (const piece of pieces()) {
      bytes += piece.byteLength
      printProgress(`reading files: ${Math.floor(bytes / 1e6)} MB`)
      yield piece
    }
}
