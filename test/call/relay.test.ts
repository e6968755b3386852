import { describe, expect, test } from 'bun:test'
import type { Budget } from '../../src/gateway/call/budget'
import type { StreamAnswer, StreamEnd } from '../../src/gateway/call/endpoint'
import { openCoalescing } from '../../src/gateway/call/coalescing'
import type { Ended, MeteredCall } from '../../src/gateway/call/settlement'
import { relay } from '../../src/gateway/call/relay'
import { openRunningStreams, type RunningStream } from '../../src/gateway/call/running'
import { zeroUsd } from '../../src/domain/money'
import { noUsage, type Usage } from '../../src/domain/usage'
import { GatewayError } from '../../src/errors/gateway-error'
import type { Inbound } from '../../src/gateway/http/inbound'
import { openSource } from '../../src/gateway/outbound/http1/open-source'

const inbound = { signal: new AbortController().signal } as unknown as Inbound
const coalescing = openCoalescing(() => 0)
const ledger = { spooled: () => Promise.resolve() }
const route = { vendor: 'v', vendorModel: 'm', priority: 0, weight: 1 }
const silent = {
  kind: 'stream',
  head: 'data: 1\n\n',
  pass: () => null,
  broken: () => null,
  sent: () => false,
  ended: () => null,
  complete: () => false,
  usage: () => noUsage,
  close: () => '',
} as const

/** An answer of which something was sent, and what its last events were told. */
function begun(parts: Partial<StreamAnswer>) {
  const { source, sink } = openSource({ pause() {}, resume() {} })
  const told: StreamEnd[] = []
  const answer: StreamAnswer = {
    ...silent,
    source,
    sent: () => true,
    close(end) {
      told.push(end)
      return '!'
    },
    ...parts,
  }
  return { answer, sink, told }
}

test('a fault at the end does not leave the client waiting', async () => {
  let complete = false
  const { answer, sink } = begun({
    complete: () => complete,
    close() {
      throw new Error('no end')
    },
  })
  const call = { charge: () => zeroUsd, giveBack: () => {} } as unknown as MeteredCall
  let aborted = 0
  const abort = () => void aborted++
  const budget: Budget = { cover: () => Number.POSITIVE_INFINITY }
  const streams = openRunningStreams()
  const parts = { answer, route, call, budget, inbound, abort, learn: () => {} }
  const reader = relay({ streams, coalescing, ledger }, parts).getReader()
  complete = true
  sink.data(new Uint8Array(1))
  const outcome = await reader
    .read()
    .then(() => reader.read())
    .then(
      () => 'more',
      () => 'broken off',
    )
  expect(outcome).toBe('broken off')
  expect([aborted > 0, streams.count()]).toEqual([true, 0])
  streams.close()
})

test('a vendor that only murmurs does not keep the client waiting without a sign', async () => {
  const { source, sink } = openSource({ pause() {}, resume() {} })
  const answer: StreamAnswer = { ...silent, source }
  let running: RunningStream | null = null
  const streams = {
    add: (stream: RunningStream) => void (running = stream),
    remove: () => {},
    count: () => 1,
    finishAll: () => {},
    cutAll: () => {},
    has: () => false,
    stop: () => false,
    close: () => {},
  }
  let ended = 0
  const giveBack = () => void ended++
  const call = { charge: () => zeroUsd, giveBack } as unknown as MeteredCall
  const budget: Budget = { cover: () => Number.POSITIVE_INFINITY }
  const parts = { answer, route, call, budget, inbound, abort: () => {}, learn: () => {} }
  const reader = relay({ streams, coalescing, ledger }, parts).getReader()
  const textOf = async (reading: ReturnType<typeof reader.read>) =>
    Buffer.from((await reading).value ?? '').toString()
  expect(await textOf(reader.read())).toBe('data: 1\n\n')
  const next = reader.read()
  // Fifteen seconds in three ticks; in between the vendor says what the client need not know.
  for (let ticks = 0; ticks < 3; ticks++) {
    sink.data(new Uint8Array(1))
    ;(running as RunningStream | null)?.tick()
  }
  expect(await textOf(next)).toBe(': keep-alive\n\n')
  // An hour of it is no answer any more.
  expect(ended).toBe(0)
  for (let ticks = 0; ticks < 720; ticks++) {
    sink.data(new Uint8Array(1))
    ;(running as RunningStream | null)?.tick()
  }
  expect(ended).toBe(1)
  await reader.cancel()
})

test.each(['at the end', 'on the way'])(
  'a count that no sum can hold ends the call %s, and costs nothing',
  async (when) => {
    const { answer, sink, told } = begun({
      pass: (chunk) => 'x'.repeat(chunk.byteLength),
      complete: () => when === 'at the end',
    })
    const beyond = () => {
      throw new RangeError('not a whole number of nano-dollars')
    }
    const given: Ended[] = []
    const call = {
      charge: beyond,
      giveBack: (ended: Ended) => void given.push(ended),
    } as unknown as MeteredCall
    const budget: Budget = { cover: beyond }
    let open = 0
    const streams = {
      add: () => void open++,
      remove: () => void open--,
      count: () => open,
      finishAll: () => {},
      cutAll: () => {},
      has: () => false,
      stop: () => false,
      close: () => {},
    }
    const parts = { answer, route, call, budget, inbound, abort: () => {}, learn: () => {} }
    const text = new Response(relay({ streams, coalescing, ledger }, parts)).text()
    sink.data(new Uint8Array(20_000))
    expect(await text).toEndWith('!')
    expect(open).toBe(0)
    expect(given.map(({ status, error }) => [status, error?.code])).toEqual([
      ['error', 'internal_error'],
    ])
    expect(told.map(({ error, costUsd }) => [error?.code, costUsd])).toEqual([
      [when === 'at the end' ? 'internal_error' : 'stream_interrupted', '0.000000'],
    ])
  },
)

test.each([
  ['as it comes', 0],
  ['after it has waited', 10],
])('a piece that cannot be read %s ends the call, and what was sent is charged', async (_, ms) => {
  const { answer, sink, told } = begun({
    pass(chunk) {
      const text = Buffer.from(chunk).toString()
      if (text.includes('?')) throw new Error('an event of the vendor never ends')
      return text
    },
  })
  const charged: Ended[] = []
  const charge = (ended: Ended) => (charged.push(ended), zeroUsd)
  const call = { charge, giveBack() {} } as unknown as MeteredCall
  const budget: Budget = { cover: () => Number.POSITIVE_INFINITY }
  let aborted = 0
  const abort = () => void aborted++
  const streams = openRunningStreams()
  const parts = { answer, route, call, budget, inbound, abort, learn: () => {} }
  const text = new Response(
    relay({ streams, coalescing: openCoalescing(() => ms), ledger }, parts),
  ).text()
  for (const each of ['a', 'b', '?', 'c']) sink.data(Buffer.from(each))
  expect(await text).toEndWith('!')
  expect(told.map(({ error }) => error?.code)).toEqual(['stream_interrupted'])
  expect(charged.map(({ status }) => status)).toEqual(['error'])
  expect([aborted, streams.count()]).toEqual([1, 0])
  streams.close()
})

describe('a stream whose process has no money left', () => {
  const none = { available: zeroUsd, held: zeroUsd, needed: zeroUsd }
  const refusal = new GatewayError('insufficient_credit', none)

  /** A stream of pieces that each need money, and the process that is asked for it. */
  function short() {
    const others = Promise.withResolvers<number>()
    let covered = 1
    let passed = 0
    let marked = 0
    const { answer, sink } = begun({
      pass: (bytes) => {
        passed++
        return Buffer.from(bytes).toString()
      },
      usage: () => ({ units: { output: passed }, reasoning: 0, estimated: true }),
      progress: {
        chars: () => passed,
        mark: () => void (marked = passed),
        rewind: () => void (passed = marked),
      },
    })
    const budget: Budget = {
      cover({ units }) {
        if ((units['output'] ?? 0) > covered) throw refusal
        return 0
      },
      async coverFromAll() {
        covered += await others.promise
        return 0
      },
    }
    const charged: number[] = []
    const charge = (_ended: Ended, usage: Usage) => {
      charged.push(usage.units['output'] ?? 0)
      return { cost: zeroUsd, usage, isCut: false }
    }
    const call = { charge, giveBack: () => {} } as unknown as MeteredCall
    const streams = openRunningStreams()
    const parts = { answer, route, call, budget, inbound, abort: () => {}, learn: () => {} }
    const reader = relay({ streams, coalescing, ledger }, parts).getReader()
    const read = async () => {
      let text = ''
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return text
        text += Buffer.from(value).toString()
      }
    }
    return { sink, others, charged, read, reader, close: () => streams.close() }
  }
  const feed = (sink: ReturnType<typeof begun>['sink'], text: string) => {
    const bytes = Buffer.from(text)
    sink.data(bytes)
    // As a socket does with its buffer.
    bytes.fill(0x3f)
  }

  test('goes on with what others have, every piece in its order', async () => {
    const { sink, others, read, charged, close } = short()
    const text = read()
    feed(sink, 'a')
    for (const piece of ['b', 'c', 'd']) feed(sink, piece)
    sink.end()
    others.resolve(10)
    expect(await text).toBe('data: 1\n\nabcd!')
    expect(charged).toEqual([4])
    close()
  })

  test('ends where nobody has any, without the piece that waited', async () => {
    const { sink, others, read, charged, close } = short()
    const text = read()
    for (const piece of ['a', 'b', 'c']) feed(sink, piece)
    others.reject(refusal)
    expect(await text).toBe('data: 1\n\na!')
    expect(charged).toEqual([1])
    close()
  })

  test('costs what was sent when its client leaves meanwhile', async () => {
    const { sink, others, reader, charged, close } = short()
    await reader.read()
    for (const piece of ['a', 'b', 'c']) feed(sink, piece)
    await reader.cancel()
    expect(charged).toEqual([1])
    others.resolve(10)
    await others.promise
    close()
  })
})
