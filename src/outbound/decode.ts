import { replyOfResponse } from './fetch-reply'
import type { ByteSource, Reply } from './reply'

/** Codings that can be undone. We ask for none; some servers compress all the same. */
const formats: Readonly<Record<string, Bun.CompressionFormat>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'brotli',
  zstd: 'zstd',
}

/** @throws Error for a coding nobody asked for and nobody knows */
export function decoded(reply: Reply): Reply {
  const coding = reply.headers.get('content-encoding')
  if (coding === null || coding === '' || coding === 'identity') return reply
  const format = formats[coding.toLowerCase()]
  if (format === undefined) throw new Error(`a body coded as ${coding}`)
  const plain = streamOf(reply.source).pipeThrough(new DecompressionStream(format))
  const { source, text, pieces } = replyOfResponse(new Response(plain))
  const { status, ok, headers } = reply
  return { status, ok, headers, source, text, pieces }
}

const streamOf = (source: ByteSource): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new ReadableStream({
    async pull(controller) {
      const piece = await source.read()
      if (piece === null) controller.close()
      else controller.enqueue(new Uint8Array(piece))
    },
  })
