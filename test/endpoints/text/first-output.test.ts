import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { awaitOutput } from '../../../src/gateway/endpoints/text/first-output'
import { fieldsOf } from '../../../src/gateway/json/fields'
import { openSource } from '../../../src/gateway/outbound/http1/open-source'
import type { ByteSink } from '../../../src/gateway/outbound/http1/reply'
import { saysMessage } from '../../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../../support/gateway'
import { saysGemini } from '../../support/google-stand-in'
import { addHubVendor, type HubVendor } from '../../support/hub-vendor'
import { message, responds } from '../../support/responses-stand-in'
import type { Shape, ShapeFailure } from '../../support/shapes/shape'
import { shapes } from '../../support/shapes/shapes'
import {
  openStandIn,
  replies,
  streamReply,
  type Script,
  type StandIn,
} from '../../support/stand-in'

const said = 'Yes from the second'

/** Answers as the model's route is called: by its shape, or as the vendor that is asked next. */
const second = ({ kind, traits }: Shape): Script => {
  if (kind === 'anthropic') return saysMessage(said)
  if (kind === 'google') return saysGemini(said)
  return traits?.chat === 'responses' ? responds([message(said)]) : replies(said)
}

interface Failing {
  readonly shape: Shape
  readonly says: ShapeFailure
}
const failing = shapes.flatMap((shape): Failing[] =>
  'status' in shape.says ? [{ shape, says: shape.says }] : [],
)
const idOf = ({ shape }: Failing, rest = ''): string => `shape-${shapes.indexOf(shape)}${rest}`
const endpoints = {
  'chat/completions': { messages: [{ role: 'user', content: 'Hello' }] },
  messages: { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 },
  responses: { input: 'Hello' },
  completions: { prompt: 'Hello' },
} as const
type Endpoint = keyof typeof endpoints

let first: StandIn
let other: StandIn
let chapar: TestGateway
let atOnce = false

beforeAll(async () => {
  const shapeOf: (seen: Parameters<Script>[0]) => Shape = ({ body, path }) => {
    const at = Number(/shape-(\d+)/.exec(`${String(body['model'])} ${path}`)?.[1])
    const shape = shapes[at]
    if (shape === undefined) throw new Error('no such shape')
    return shape
  }
  first = openStandIn((seen) => {
    const { events } = shapeOf(seen)
    return streamReply(events, atOnce ? { bytesAtATime: 1_000_000 } : {})
  })
  other = openStandIn((seen, request) => second(shapeOf(seen))(seen, request))
  chapar = await openTestGateway({
    async prepare(storage) {
      const add = async (each: Failing, ids: readonly string[], rest: Partial<HubVendor>) => {
        const { kind, dialect = 'openai', traits = {} } = each.shape
        const models = Object.fromEntries(ids.map((id) => [id, traits]))
        await addHubVendor({ kind, dialect, url: first.url, models, ...rest })(storage)
      }
      for (const each of failing) {
        const backup = idOf(each, '-second')
        await add(each, [], { name: backup, url: other.url })
        // Routes that failed are put off: each call has a model of its own.
        const ids = Object.keys(endpoints).map((endpoint) => idOf(each, `-${endpoint}`))
        await add(each, ids, { name: idOf(each, '-first'), backup })
        await add(each, [idOf(each)], { name: idOf(each, '-alone') })
      }
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await first.close()
  await other.close()
})

const post = (endpoint: Endpoint, model: string): Promise<Response> =>
  fetch(`${chapar.url}/${endpoint}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, ...endpoints[endpoint] }),
  })

describe.each(Object.keys(endpoints) as Endpoint[])('/v1/%s', (endpoint) => {
  test.each(failing.map((each) => [each.shape.name, each] as const))(
    '%s: the next route answers',
    async (_, each) => {
      const response = await post(endpoint, idOf(each, `-${endpoint}`))
      const text = await response.text()
      expect(response.status).toBe(200)
      expect(text).toContain('Yes')
      expect(text).not.toContain('stream_interrupted')
    },
  )

  test.each(failing.map((each) => [each.shape.name, each] as const))(
    '%s: with no other route it is an HTTP error, and free',
    async (_, each) => {
      for (atOnce of [false, true]) {
        const { balance: before } = await chapar.rest()
        const response = await post(endpoint, idOf(each))
        expect(response.status).toBe(each.says.status)
        expect(fieldsOf(fieldsOf(await response.json())['error'])['code']).toBe(each.says.code)
        expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0, balance: before })
      }
    },
  )
})

describe('what only announces an answer', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

  /** A stream that takes small letters for announcements, and `think` for a sign of thinking. */
  const opening = () => {
    let out = ''
    const take = (piece: Uint8Array | null): string => {
      const text = piece === null ? '' : new TextDecoder().decode(piece)
      out += text
      return text
    }
    const stream = {
      started: () => /[A-Z]/.test(out),
      thinks: () => out.includes('think'),
      complete: () => out.endsWith('.'),
      reportedUsage: () => null,
    }
    return [stream, take] as const
  }

  const flow = () => {
    const log: string[] = []
    return { log, pause: () => void log.push('pause'), resume: () => void log.push('resume') }
  }

  const collect = () => {
    const got: string[] = []
    const over = Promise.withResolvers<void>()
    const sink: ByteSink = {
      data: (piece) => void got.push(new TextDecoder().decode(piece)),
      end: () => over.resolve(),
      fail: over.reject,
    }
    return { got, sink, over: over.promise }
  }

  test('is kept back until the first output, and comes with it', async () => {
    const { source, sink } = openSource(flow())
    for (const piece of ['start', 'role', 'Hello', 'more']) sink.data(bytes(piece))
    const { head } = await awaitOutput(source, ...opening())
    expect(head).toBe('startroleHello')
  })

  test('is passed on where the vendor thinks for long, and nothing after it is lost', async () => {
    const { source, sink } = openSource(flow())
    sink.data(bytes('think'))
    const { head, source: rest } = await awaitOutput(source, ...opening(), 1)
    expect(head).toBe('think')
    const { got, sink: client, over } = collect()
    rest.flow(client)
    for (const piece of ['one', 'two', 'three']) sink.data(bytes(piece))
    sink.end()
    await over
    expect(got).toEqual(['one', 'two', 'three'])
  })

  test('is passed on, and a break after it reaches the client', async () => {
    const { source, sink } = openSource(flow())
    sink.data(bytes('think'))
    const { source: rest } = await awaitOutput(source, ...opening(), 1)
    sink.fail(new Error('cut'))
    const { sink: client, over } = collect()
    rest.flow(client)
    expect(await over.catch((thrown: unknown) => thrown)).toHaveProperty('message', 'cut')
  })

  test('is passed on to a client that takes nothing: the vendor has to wait', async () => {
    const vendor = flow()
    const { source, sink } = openSource(vendor)
    sink.data(bytes('think'))
    const { source: rest } = await awaitOutput(source, ...opening(), 1)
    const { got, sink: client, over } = collect()
    rest.flow(client)
    rest.pause()
    sink.data(bytes('one'))
    await Promise.resolve()
    expect(vendor.log.at(-1)).toBe('pause')
    rest.resume()
    sink.end()
    await over
    expect(got).toEqual(['one'])
    expect(vendor.log.at(-1)).toBe('resume')
  })

  test('is kept back for as long as nothing follows', async () => {
    const { source, sink } = openSource(flow())
    sink.data(bytes('start'))
    let isOver = false
    const waiting = awaitOutput(source, ...opening(), 1).finally(() => (isOver = true))
    await Bun.sleep(20)
    expect(isOver).toBe(false)
    sink.data(bytes('Hello'))
    expect((await waiting).head).toBe('startHello')
  })

  test('and then an end without output is no answer', async () => {
    const { source, sink } = openSource(flow())
    sink.data(bytes('start.'))
    const thrown = await awaitOutput(source, ...opening()).catch((each: unknown) => each)
    expect(thrown).toHaveProperty('message', 'an answer without output')
  })

  test('and then nothing is no answer', async () => {
    const { source, sink } = openSource(flow())
    sink.data(bytes('start'))
    sink.end()
    const thrown = await awaitOutput(source, ...opening()).catch((each: unknown) => each)
    expect(thrown).toHaveProperty('message', 'a stream without an answer')
  })
})
