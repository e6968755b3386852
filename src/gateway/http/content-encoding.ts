import { Readable, type Duplex } from 'node:stream'
import * as zlib from 'node:zlib'
import { GatewayError, isGatewayError } from '../../errors/gateway-error'
import { isWholeZstd, ZstdFrames } from './zstd-frames'

type DecodeWhole = (
  data: Uint8Array,
  options: { maxOutputLength: number },
  done: (error: NodeJS.ErrnoException | null, decoded: Uint8Array) => void,
) => void

/** One content coding (RFC 9110, 8.4.1; zstd: RFC 8878, 7.2). */
interface Coding {
  readonly name: string
  readonly whole: DecodeWhole
  readonly open: () => Duplex
  /** Reader of its frames, where the decoder takes data that is cut for whole. */
  readonly frames?: () => ZstdFrames
}

const gzip: Coding = { name: 'gzip', whole: zlib.gunzip, open: zlib.createGunzip }

const codings: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  ['deflate', { name: 'deflate', whole: inflate, open: zlib.createInflate }],
  ['br', { name: 'br', whole: zlib.brotliDecompress, open: zlib.createBrotliDecompress }],
  [
    'zstd',
    {
      name: 'zstd',
      whole: unzstd,
      open: zlib.createZstdDecompress,
      frames: () => new ZstdFrames(),
    },
  ],
])

/** Names as a refusal tells them (RFC 9110, 12.5.3). */
const accepted = 'gzip, deflate, br, zstd'

/**
 * The coding of a body; null where it comes as it is.
 * @throws unsupported_encoding for one that is not known, and for several
 */
export function codingOf(headers: Headers): Coding | null {
  const told = headers.get('content-encoding')
  if (told === null) return null
  const name = told.trim().toLowerCase()
  if (name === '' || name === 'identity') return null
  const coding = codings.get(name)
  if (coding !== undefined) return coding
  const encoding = told.slice(0, 64)
  throw new GatewayError(
    'unsupported_encoding',
    { encoding },
    { headers: { 'accept-encoding': accepted } },
  )
}

/**
 * Decodes a whole body in a thread of the runtime's, which stops at the ceiling.
 * @param tooLarge made where more than the ceiling would come out
 * @throws what `tooLarge` makes | invalid_field for data that is broken or cut
 */
export function decodeWhole(
  coding: Coding,
  data: Uint8Array,
  maxBytes: number,
  tooLarge: () => GatewayError,
): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
  // It takes no ceiling of nothing.
  coding.whole(data, { maxOutputLength: Math.max(1, maxBytes) }, (error, decoded) => {
    if (error === null) resolve(decoded)
    else reject(error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : brokenData(coding, error))
  })
  return promise
}

/** Pieces of a body, decoded as they come; a piece is read when one is wanted. */
export function decodedPieces(
  coding: Coding,
  pieces: AsyncIterable<Uint8Array>,
): AsyncIterableIterator<Uint8Array> {
  const decoder = coding.open()
  const frames = coding.frames?.() ?? null
  const seen = frames === null ? pieces : seenBy(frames, pieces)
  const source = Readable.from(seen, { objectMode: false, highWaterMark: 65_536 })
  source.on('error', (cause) => decoder.destroy(cause))
  decoder.on('close', () => source.destroy())
  return failingAs(source.pipe(decoder), coding, frames)
}

async function* seenBy(frames: ZstdFrames, pieces: AsyncIterable<Uint8Array>) {
  for await (const piece of pieces) {
    frames.push(piece)
    yield piece
  }
}

async function* failingAs(
  decoder: Duplex,
  coding: Coding,
  frames: ZstdFrames | null,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of decoder) yield piece as Uint8Array
  } catch (cause) {
    throw isGatewayError(cause) ? cause : brokenData(coding, cause)
  }
  if (frames?.isWhole === false) throw brokenData(coding, new Error('no whole frame'))
}

const brokenData = ({ name }: Coding, cause: unknown): GatewayError =>
  new GatewayError(
    'invalid_field',
    { field: 'body', expected: `whole ${name} data, as Content-Encoding says` },
    { param: 'body', cause },
  )

/** The zlib format by name; some clients send what it wraps (RFC 9110, 8.4.1.2). */
function inflate(...[data, options, done]: Parameters<DecodeWhole>): void {
  const [first = 0, second = 0] = data
  // The check of its head (RFC 1950, 2.2).
  const isWrapped = (first & 15) === 8 && ((first << 8) | second) % 31 === 0
  if (isWrapped) zlib.inflate(data, options, done)
  else zlib.inflateRaw(data, options, done)
}

function unzstd(...[data, options, done]: Parameters<DecodeWhole>): void {
  if (isWholeZstd(data)) zlib.zstdDecompress(data, options, done)
  else done(new Error('no whole frame'), data)
}
