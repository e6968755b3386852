import { expect, test } from 'bun:test'
import { decoded } from '../../../src/gateway/outbound/http1/decode'
import { openSource } from '../../../src/gateway/outbound/http1/open-source'
import { SourceReply } from '../../../src/gateway/outbound/http1/reply'

const headers = { get: (name: string) => (name === 'content-encoding' ? 'gzip' : null) }

/** A compressed reply that comes as it is told to, and whether it is wanted. */
function openCoded() {
  const flow = { paused: false }
  const { source, sink } = openSource({
    pause: () => void (flow.paused = true),
    resume: () => void (flow.paused = false),
  })
  return { flow, sink, reply: decoded(new SourceReply({ status: 200, headers }, source)) }
}

/** Noise does not get smaller, so that little is held back by the coder. */
const noise = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))

test('a reply that breaks while its reader is paused tells the reader so', async () => {
  const { flow, sink, reply } = openCoded()
  const failed = Promise.withResolvers<Error>()
  reply.source.flow({
    data: () => reply.source.pause(),
    end: () => failed.reject(new Error('it ended')),
    fail: failed.resolve,
  })
  const coded = Bun.gzipSync(Buffer.concat(Array.from({ length: 64 }, () => noise(65_536))))
  for (let from = 0; from < coded.byteLength && !flow.paused; from += 16_384) {
    sink.data(coded.subarray(from, from + 16_384))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(flow.paused).toBe(true)
  sink.fail(new Error('the client left'))
  expect((await failed.promise).message).toBe('the client left')
})

test('a reply comes whole to a reader that pauses at every piece', async () => {
  const { flow, sink, reply } = openCoded()
  const plain = Buffer.concat(Array.from({ length: 16 }, () => noise(65_536)))
  const coded = Bun.gzipSync(plain)
  const pieces: Uint8Array[] = []
  const whole = Promise.withResolvers<void>()
  reply.source.flow({
    data(bytes) {
      pieces.push(new Uint8Array(bytes))
      reply.source.pause()
      setImmediate(() => reply.source.resume())
    },
    end: whole.resolve,
    fail: whole.reject,
  })
  for (let from = 0; from < coded.byteLength; from += 50_000) {
    while (flow.paused) await new Promise((resolve) => setImmediate(resolve))
    sink.data(coded.subarray(from, from + 50_000))
  }
  sink.end()
  await whole.promise
  expect(Buffer.concat(pieces).equals(plain)).toBe(true)
})
