import type { Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib'
import { openSource } from './open-source'
import { SourceReply, type ByteSource, type KeptSource, type Reply } from './reply'

/** Bytes of a piece: each is made on another thread, and only once the last one was taken. */
const step = { chunkSize: 65_536 }

/**
 * Codings that can be undone (RFC 9110, 8.4.1; RFC 7932; RFC 8878). We ask for none; some servers compress
 * all the same. Not by DecompressionStream: Bun's makes all that one piece expands to in one turn of the
 * loop.
 */
const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(step),
  'x-gzip': () => createGunzip(step),
  deflate: () => createInflate(step),
  br: () => createBrotliDecompress(step),
  zstd: () => createZstdDecompress(step),
}

/** Maximum compression ratio, which no text or sound comes near: a few hundred bytes of brotli are 200 MB of zeros. */
const maxRatio = 250
/** The beginning of a stream may be a line of blanks that keeps it alive. */
const freeRatioBytes = 1_048_576

/** The reply without its content coding. @throws Error for a coding nobody asked for and nobody knows */
export function decoded(reply: Reply): Reply {
  const coding = reply.headers.get('content-encoding')
  if (coding === null || coding === '' || coding === 'identity') return reply
  const open = decompressors[coding.toLowerCase()]
  if (open === undefined) throw new Error('unknown content coding')
  return new SourceReply(reply, decompressed(reply.source, open()))
}

function decompressed(coded: ByteSource, decompressor: Transform): KeptSource {
  const { source, sink } = openSource({
    pause: () => void decompressor.pause(),
    resume: () => void decompressor.resume(),
  })
  let bytesIn = 0
  let bytesOut = 0
  decompressor.on('data', (bytes: Uint8Array) => {
    bytesOut += bytes.byteLength
    if (bytesOut > freeRatioBytes && bytesOut > bytesIn * maxRatio)
      decompressor.destroy(new Error('compression ratio above the limit'))
    else sink.data(bytes)
  })
  decompressor.on('end', () => sink.end())
  decompressor.on('error', (cause: Error) => sink.fail(cause))

  coded.flow({
    data(bytes) {
      if (decompressor.destroyed) return
      bytesIn += bytes.byteLength
      if (decompressor.write(new Uint8Array(bytes))) return
      coded.pause()
      decompressor.once('drain', () => coded.resume())
    },
    end: () => void decompressor.end(),
    // Also while nobody takes what it made: whoever waits must hear of it.
    fail: (cause) => void decompressor.destroy(cause),
  })
  return source
}
