import { existsSync, readFileSync, statSync } from 'node:fs'
import type { StaffAllowance } from '../../operators/allowance'
import type { RemoteRequester } from '../../operators/requester'

/** A command that somebody sent to the machine of the data. */
interface RemoteSession {
  readonly requester: RemoteRequester
  /** What its changes may give away; null for no bound. */
  readonly allowance: StaffAllowance | null
  readonly folder: string
  readonly stdin: string
  /** Contents of files that its words name, by these words. */
  readonly files: ReadonlyMap<string, Uint8Array>
}

let session: RemoteSession | null = null

/** This process runs one command for somebody elsewhere, from now on. */
export const beginSession = (begun: RemoteSession): void => void (session = begun)

/** Sender of the command; null where it is typed on the machine itself. */
export const remoteSession = (): RemoteSession | null => session

/** Everything on standard input. */
export const stdinText = async (): Promise<string> => session?.stdin ?? (await Bun.stdin.text())

/**
 * A file that whoever types a command named. Of a command from elsewhere it is what was sent with it:
 * nothing on this machine is opened by a name from there.
 * @throws Error where there is none
 */
export function namedFile(path: string): Uint8Array {
  if (session === null) return readFileSync(path)
  const sent = session.files.get(path)
  if (sent === undefined) throw new RangeError(`${path} was not sent with the command`)
  return sent
}

/** Whether there is one; a pipe too, as of `<(gunzip -c …)`. */
export const isNamedFile = (path: string): boolean =>
  session === null ? existsSync(path) && !statSync(path).isDirectory() : session.files.has(path)

type Pieces = AsyncIterable<Uint8Array>

/** A file that may be long, piece by piece. @param bytes that it had: it may grow; null for a pipe */
export const filePieces = (path: string, bytes: number | null): Pieces =>
  session === null
    ? (Bun.file(path)
        .slice(0, bytes ?? undefined)
        .stream() as Pieces)
    : onePiece(namedFile(path))

export const stdinPieces = (): Pieces =>
  session === null
    ? (Bun.stdin.stream() as Pieces)
    : onePiece(new TextEncoder().encode(session.stdin))

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
