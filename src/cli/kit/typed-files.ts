import { existsSync, readFileSync, statSync } from 'node:fs'

/** Everything on standard input. */
export const stdinText = (): Promise<string> => Bun.stdin.text()

/** Content of a file that a command names. @throws Error where there is none */
export const namedFile = (path: string): Uint8Array => readFileSync(path)

/** Whether there is one; a pipe too, as of `<(gunzip -c …)`. */
export const isNamedFile = (path: string): boolean =>
  existsSync(path) && !statSync(path).isDirectory()

type Pieces = AsyncIterable<Uint8Array>

/** A file that may be long, piece by piece. @param bytes that it had: it may grow; null for a pipe */
export const filePieces = (path: string, bytes: number | null): Pieces =>
  Bun.file(path)
    .slice(0, bytes ?? undefined)
    .stream() as Pieces

export const stdinPieces = (): Pieces => Bun.stdin.stream() as Pieces
