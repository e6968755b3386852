import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { RequestId } from '../../src/domain/ids'
import type { ModelEntry, PriceLine } from '../../src/domain/model'
import { minus, nanoUsd, parseUsd, showUsd, zeroUsd } from '../../src/domain/money'
import type { RecordedCall } from '../../src/domain/reports/report'
import type { Storage } from '../../src/business/data/storage'
import {
  addVendor,
  ask,
  openTestGateway,
  type CustomerOptions,
  type TestGateway,
} from '../support/gateway'
import {
  failure,
  hang,
  openaiStream,
  openStandIn,
  refusingUrl,
  streamReply,
  type Script,
  type StandIn,
} from '../support/stand-in'

let first: StandIn
let second: StandIn
let gateway: TestGateway

/** Dollars per million in and out: each model's own, so that a charge tells whose it is. */
const prices = { a: ['1', '4'], b: ['2', '8'], c: ['3', '12'] } as const

const lines = (input: string, output: string): readonly PriceLine[] => [
  { meter: 'input', unit: 'million', price: input },
  { meter: 'output', unit: 'million', price: output },
]

/** What every answer of the stand-ins costs: 100 tokens in, 50 out. */
const costOf = (model: keyof typeof prices) => {
  const [input, output] = prices[model]
  return showUsd(parseUsd(String((100 * Number(input) + 50 * Number(output)) / 1e6)))
}

async function addModel(
  storage: Storage,
  id: string,
  vendor: string,
  change: Partial<ModelEntry> = {},
  cost: readonly PriceLine[] = lines(...prices[id as 'a']),
): Promise<void> {
  await storage.catalogue.saveModel(
    {
      id,
      type: 'chat',
      name: id,
      ownedBy: 'acme',
      description: null,
      contextLength: 128_000,
      maxOutputTokens: 1000,
      capabilities: { streaming: true, tools: true },
      traits: {},
      isFree: false,
      status: 'active',
      routes: [{ vendor, vendorModel: `${id}-of-${vendor}`, priority: 0, weight: 1 }],
      ...change,
    },
    cost,
  )
}

/** A name of several models. */
const addName = (storage: Storage, id: string, aliasOf: readonly string[]) =>
  addModel(storage, id, '', { aliasOf, routes: [], contextLength: null, capabilities: {} }, [])

interface Opening extends CustomerOptions {
  readonly env?: Record<string, string>
  readonly fallbacks?: readonly string[]
  readonly firstUrl?: string
  readonly more?: (storage: Storage) => Promise<void>
}

async function open({
  fallbacks = ['b'],
  firstUrl,
  more,
  ...customer
}: Opening = {}): Promise<TestGateway> {
  return openTestGateway({
    ...customer,
    async prepare(storage) {
      await addVendor(storage, 'first', firstUrl ?? first.url, 400)
      await addVendor(storage, 'second', second.url)
      await addModel(storage, 'a', 'first', { fallbacks })
      await addModel(storage, 'b', 'second')
      await addModel(storage, 'c', 'second')
      await more?.(storage)
    },
  })
}

beforeEach(() => {
  first = openStandIn()
  second = openStandIn()
})
afterEach(async () => {
  await gateway.close()
  await first.close()
  await second.close()
})

interface Told {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: {
    readonly model?: string
    readonly error?: { code: string | null; param: string | null; message: string }
  }
  readonly record: RecordedCall | null
}

async function call(body: object, headers: Record<string, string> = {}): Promise<Told> {
  const answer = await gateway.post(body, headers)
  const text = await answer.text()
  await gateway.rest()
  const id = answer.headers.get('x-request-id') as RequestId
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true
  const json = isJson ? (JSON.parse(text) as Told['json']) : {}
  const { status } = answer
  const record = await gateway.storage.reports.call(id, null)
  return { status, headers: answer.headers, text, json, record }
}

/** That this model answered, was charged at its own price to the nano-dollar, and everything says so. */
async function expectAnswerOf(
  model: keyof typeof prices,
  told: Told,
  vendor: string,
): Promise<void> {
  expect(told.status).toBe(200)
  expect(told.headers.get('x-model')).toBe(model)
  expect(told.json.model ?? model).toBe(model)
  const { record } = told
  expect(record).toMatchObject({ model, vendor, status: 'success' })
  expect(showUsd(record?.cost ?? zeroUsd)).toBe(costOf(model))
  const left = (await gateway.storage.directory.findAccount(gateway.account))?.balance ?? -1
  expect(left).toBe(parseUsd('100') - (record?.cost ?? 0))
  expect(await gateway.audit()).toMatchObject({ ok: true })
}

const tooLong = failure(400, {
  message: "This model's maximum context length is 8192 tokens.",
  type: 'invalid_request_error',
  code: 'context_length_exceeded',
})

describe('a fallback answers, and is charged at its own price, where the first', () => {
  const failures: Readonly<Record<string, Script>> = {
    'is rate limited': failure(429, { message: 'slow down' }),
    'is out of our money': failure(402, { message: 'insufficient balance' }),
    'refuses our key': failure(401, { message: 'bad key' }),
    'fails with 500': failure(500, { message: 'oops' }),
    'is overloaded': failure(503, { message: 'full' }),
    'says nothing': hang,
    'has too little context': tooLong,
    'fails inside of a success': () => Response.json({ error: { message: 'no', code: 500 } }),
  }
  for (const [name, script] of Object.entries(failures))
    for (const stream of [false, true])
      test(`${name}, ${stream ? 'streamed' : 'whole'}`, async () => {
        gateway = await open()
        first.play(script)
        const told = await call(ask('a', { stream }))
        await expectAnswerOf('b', told, 'second')
        if (stream) expect(told.text).toContain('"model":"b"')
        expect(told.text).not.toContain('"error"')
        expect(first.seen).toHaveLength(1)
      })

  test('cannot be reached', async () => {
    gateway = await open({ firstUrl: await refusingUrl() })
    await expectAnswerOf('b', await call(ask('a')), 'second')
  })

  test('has lost its vendor', async () => {
    gateway = await open({ more: (storage) => storage.catalogue.removeVendor('first') })
    await expectAnswerOf('b', await call(ask('a')), 'second')
  })

  test('gives no embeddings', async () => {
    const embeds = { type: 'embedding', capabilities: {} } as const
    gateway = await open({
      async more(storage) {
        const perMillion = (price: string) => [{ meter: 'input', unit: 'million', price }] as const
        await addModel(storage, 'e', 'first', { ...embeds, fallbacks: ['f'] }, perMillion('1'))
        await addModel(storage, 'f', 'second', embeds, perMillion('2'))
      },
    })
    first.play(failure(500, {}))
    second.play(() =>
      Response.json({
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
        model: 'f',
        usage: { prompt_tokens: 3, total_tokens: 3 },
      }),
    )
    const answer = await fetch(`${gateway.url}/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'e', input: 'three small words' }),
    })
    expect(await answer.json()).toMatchObject({ model: 'f' })
    expect([answer.headers.get('x-model'), answer.headers.get('x-cost-usd')]).toEqual([
      'f',
      '0.000006',
    ])
  })

  test('fails: the receipt and the usage are of the one that answered', async () => {
    gateway = await open()
    first.play(failure(500, {}))
    const { headers } = await call(ask('a'))
    const get = async (path: string): Promise<unknown> => {
      const { url, key } = gateway
      return (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })).json()
    }
    expect(await get(`/requests/${headers.get('x-request-id')}`)).toMatchObject({
      model: 'b',
      status: 'success',
      usd: costOf('b'),
    })
    expect(await get('/usage?group=model')).toMatchObject({
      total_usd: costOf('b'),
      data: [{ key: 'b', requests: 1, errors: 0, usd: costOf('b') }],
    })
  })

  test('is switched off, or its vendor is', async () => {
    gateway = await open({
      more: (storage) => addModel(storage, 'a', 'first', { status: 'off', fallbacks: ['b'] }),
    })
    await expectAnswerOf('b', await call(ask('a')), 'second')
    await gateway.close()
    gateway = await open({
      async more(storage) {
        const vendor = (await storage.catalogue.vendors()).find(({ name }) => name === 'first')
        if (vendor !== undefined) await storage.catalogue.saveVendor({ ...vendor, active: false })
      },
    })
    await expectAnswerOf('b', await call(ask('a')), 'second')
    expect(first.seen).toEqual([])
  })

  test('fails before the answer begins in a stream', async () => {
    gateway = await open()
    first.play(() => streamReply(openaiStream('never seen'), { cutAfter: 0 }))
    await expectAnswerOf('b', await call(ask('a', { stream: true })), 'second')
  })
})

describe('no fallback is asked', () => {
  test('where the first answers; its own name is told', async () => {
    gateway = await open()
    await expectAnswerOf('a', await call(ask('a')), 'first')
    expect(second.seen).toHaveLength(0)
  })

  test('where the first refuses what it was asked', async () => {
    gateway = await open()
    first.play(failure(400, { message: 'temperature must be 1', param: 'temperature' }))
    const told = await call(ask('a'))
    expect([told.status, told.json.error?.code]).toEqual([400, 'upstream_rejected'])
    expect(told.record).toMatchObject({ model: 'a', cost: 0 })
    expect(second.seen).toHaveLength(0)
  })

  test('once a part of the answer was sent: that is charged, by the card of the first', async () => {
    gateway = await open()
    first.play(() =>
      streamReply(openaiStream('one two three four', null), { cutAfter: 3, delayMs: 5 }),
    )
    const told = await call(ask('a', { stream: true }))
    expect(told.text).toContain('stream_interrupted')
    expect(told.record).toMatchObject({ model: 'a', vendor: 'first', status: 'error' })
    expect(told.record?.cost).toBeGreaterThan(0)
    expect(second.seen).toHaveLength(0)
  })

  test('of a fallback: only those of the model that was asked', async () => {
    gateway = await open({
      more: (storage) => addModel(storage, 'b', 'second', { fallbacks: ['c'] }),
    })
    first.play(failure(500, {}))
    second.play(failure(503, { message: 'full' }))
    const told = await call(ask('a'))
    expect(told.json.error?.code).toBe('upstream_capacity_full')
    expect(second.seen.map(({ body }) => body['model'])).toEqual(['b-of-second'])
    expect(told.record).toMatchObject({ model: 'a', cost: 0, status: 'error' })
  })
})

describe('two that stand in for each other', () => {
  test('are each asked once', async () => {
    gateway = await open({
      more: (storage) => addModel(storage, 'b', 'second', { fallbacks: ['a'] }),
    })
    first.play(failure(500, {}))
    second.play(failure(500, {}))
    expect((await call(ask('a'))).status).toBe(502)
    expect([first.seen.length, second.seen.length]).toEqual([1, 1])
  })

  test('are asked the other way round while the first cools down', async () => {
    gateway = await open()
    first.play(failure(429, { message: 'later' }, { 'retry-after': '30' }))
    await call(ask('a'))
    await call(ask('a'))
    expect([first.seen.length, second.seen.length]).toEqual([1, 2])
  })
})

describe('a list of the client', () => {
  test('is tried in its order, in place of the operator’s, and no vendor is told of it', async () => {
    gateway = await open({ fallbacks: ['b'] })
    first.play(failure(500, {}))
    await expectAnswerOf(
      'c',
      await call(ask('a', { models: ['a', 'c'], route: 'fallback' })),
      'second',
    )
    const sent = [...first.seen, ...second.seen].map(({ body }) => Object.keys(body))
    expect(sent).toHaveLength(2)
    for (const names of sent) {
      expect(names).not.toContain('models')
      expect(names).not.toContain('route')
    }
  })

  test('names the model too, where nothing else does', async () => {
    gateway = await open()
    const { model: _, ...rest } = ask('a')
    await expectAnswerOf('c', await call({ ...rest, models: ['c', 'a'] }), 'second')
  })

  test('of one model or none is none, and the operator’s holds', async () => {
    gateway = await open()
    first.play(failure(500, {}))
    for (const models of [['a'], [], null]) {
      const told = await call(ask('a', { models }))
      expect([told.status, told.json.model]).toEqual([200, 'b'])
    }
  })

  test('is refused by the place of what is wrong in it', async () => {
    gateway = await open({
      key: { allowedModels: ['a', 'c'] },
      more: async (storage) => {
        await addModel(storage, 'e', 'second', { type: 'embedding' }, [
          { meter: 'input', unit: 'million', price: '1' },
        ])
      },
    })
    const refused = async (models: unknown) => {
      const { status, json } = await call(ask('a', { models }))
      return [status, json.error?.code, json.error?.param]
    }
    expect(await refused(['c', 'nothing'])).toEqual([404, 'model_not_found', 'models[1]'])
    expect(await refused(['e'])).toEqual([400, 'model_endpoint_mismatch', 'models[0]'])
    expect(await refused(['c', 'b'])).toEqual([403, 'model_not_allowed', 'models[1]'])
    expect(await refused(['c', 7])).toEqual([400, null, 'models[1]'])
    expect(await refused('c')).toEqual([400, null, 'models'])
    expect(await refused(Array(9).fill('c'))).toEqual([400, null, 'models'])
    expect([...first.seen, ...second.seen]).toEqual([])
  })

  test('leaves out what is off or no longer sold', async () => {
    gateway = await open({
      async more(storage) {
        await addModel(storage, 'b', 'second', { status: 'off' })
        await addModel(storage, 'a', 'first', { status: 'discontinued' })
      },
    })
    await expectAnswerOf('c', await call(ask('a', { models: ['b', 'c'] })), 'second')
  })

  for (const [path, body] of [
    ['messages', { max_tokens: 50, messages: [{ role: 'user', content: 'Hi' }] }],
    ['responses', { input: 'Hi' }],
  ] as const)
    test(`is taken by /${path}`, async () => {
      gateway = await open({ fallbacks: [] })
      first.play(failure(500, {}))
      const answer = await fetch(`${gateway.url}/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...body, models: ['a', 'b'] }),
      })
      expect([answer.status, answer.headers.get('x-model')]).toEqual([200, 'b'])
      expect(await answer.json()).toMatchObject({ model: 'b' })
      expect(JSON.stringify(second.seen[0]?.body)).not.toContain('models')
    })
})

describe('an operator’s fallback is left out in silence', () => {
  const failing = async (opening: Opening, body: object = ask('a')) => {
    gateway = await open(opening)
    first.play(failure(503, { message: 'full' }))
    const { status, json, record } = await call(body)
    expect([json.error?.code, record?.model]).toEqual(['upstream_capacity_full', 'a'])
    expect([status, second.seen.length]).toEqual([429, 0])
  }
  test('where the key may not use it', () => failing({ key: { allowedModels: ['a'] } }))
  test('where the project may not', () => failing({ project: { allowedModels: ['a'] } }))
  test('where it is off', () =>
    failing({ more: (storage) => addModel(storage, 'b', 'second', { status: 'off' }) }))
  test('where it costs, and the first is free', () =>
    failing({
      more: (storage) =>
        addModel(storage, 'a', 'first', { isFree: true, fallbacks: ['b'] }, lines('0', '0')),
    }))
  test('where it is not there any more, or of another family', () =>
    failing({
      fallbacks: ['gone', 'e'],
      more: (storage) =>
        addModel(storage, 'e', 'second', { type: 'embedding' }, [
          { meter: 'input', unit: 'million', price: '1' },
        ]),
    }))
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }
  test('where it sees no pictures', () =>
    failing({}, ask('a', { messages: [{ role: 'user', content: [picture] }] })))
  const sound = { type: 'input_audio', input_audio: { data: 'SUQzBAAAAAAAAA==', format: 'mp3' } }
  test('where it does not listen', () =>
    failing({}, ask('a', { messages: [{ role: 'user', content: [sound] }] })))
  test('where it has no tools', () =>
    failing(
      {
        more: (storage) => addModel(storage, 'b', 'second', { capabilities: { streaming: true } }),
      },
      ask('a', { tools: [{ type: 'function', function: { name: 'f' } }] }),
    ))
})

describe('money', () => {
  const usd = (text: string) => parseUsd(text)
  const heldWhile = async (body: object, key: string): Promise<number> => {
    const answer = gateway.post(body, { authorization: `Bearer ${key}` })
    while (first.seen.length === 0) await Bun.sleep(1)
    const held = gateway.gateway.parts.ledger.heldInAll()
    await (await answer).text()
    await gateway.rest()
    return held
  }
  const slowFailure: Script = async () => {
    await Bun.sleep(30)
    return await failure(500, {})({} as never, {} as never)
  }

  test('is held for the dearest that may answer, and given back but for what answered', async () => {
    gateway = await open()
    first.play(slowFailure)
    const held = await heldWhile(ask('a', { max_tokens: 100 }), gateway.key)
    // The price of b: a hundred tokens out, and some prompt.
    expect(held).toBeGreaterThan(usd('0.0008'))
    expect(await gateway.rest()).toMatchObject({ held: 0 })
    await expectAnswerOfTotal('b')
  })
  const expectAnswerOfTotal = async (model: 'a' | 'b') => {
    const left = (await gateway.storage.directory.findAccount(gateway.account))?.balance ?? zeroUsd
    expect(showUsd(minus(parseUsd('100'), left))).toBe(costOf(model))
  }

  test('for the first alone: nobody is refused for a dearer fallback, and none is asked', async () => {
    gateway = await open()
    // Enough for a hundred tokens of a, and not for b.
    const { key, account } = await gateway.customer({ usd: '0.0006' })
    const told = await call(ask('a', { max_tokens: 100 }), { authorization: `Bearer ${key}` })
    expect([told.status, told.headers.get('x-model')]).toEqual([200, 'a'])
    first.play(failure(503, { message: 'full' }))
    const poor = await gateway.customer({ usd: '0.0006' })
    const failed = await call(ask('a', { max_tokens: 100 }), {
      authorization: `Bearer ${poor.key}`,
    })
    expect([failed.status, failed.json.error?.code]).toEqual([429, 'upstream_capacity_full'])
    expect(second.seen).toHaveLength(0)
    expect((await gateway.storage.directory.findAccount(account))?.balance).toBe(
      minus(usd('0.0006'), usd(costOf('a'))),
    )
    expect((await gateway.storage.directory.findAccount(poor.account))?.balance).toBe(usd('0.0006'))
  })

  test('for a fallback’s guess, and not for what is counted of it: it is not asked either', async () => {
    gateway = await open()
    first.play(failure(503, { message: 'full' }))
    const letters = Array.from({ length: 6000 }, (_, at) =>
      String.fromCodePoint(0x61 + ((Math.imul(at + 1, 2_654_435_761) >>> 7) % 26)),
    )
    const body = ask('a', {
      messages: [{ role: 'user', content: letters.join('') }],
      max_tokens: 9,
    })
    const { key, account } = await gateway.customer({ usd: '0.005' })
    const headers = { authorization: `Bearer ${key}` }
    const dry = await call(body, { ...headers, 'x-dry-run': '1' })
    expect(dry.json).toMatchObject({ fallbacks: ['b'] })
    const told = await call(body, headers)
    expect([told.status, told.json.error?.code]).toEqual([429, 'upstream_capacity_full'])
    expect([first.seen.length, second.seen.length]).toEqual([1, 0])
    expect((await gateway.storage.directory.findAccount(account))?.balance).toBe(usd('0.005'))
  })

  test('that does not pay for the first is refused as without fallbacks', async () => {
    gateway = await open()
    const { key } = await gateway.customer({ usd: '0.0001' })
    const told = await call(ask('b', { models: ['b', 'a'], max_tokens: 100 }), {
      authorization: `Bearer ${key}`,
    })
    expect([told.status, told.json.error?.code]).toEqual([402, 'insufficient_credit'])
  })

  test('little of it, and many at once: none is spent that is not there', async () => {
    gateway = await open()
    first.play(failure(500, {}))
    // For three of b at once.
    const { key, account } = await gateway.customer({ usd: '0.003' })
    const headers = { authorization: `Bearer ${key}` }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => gateway.post(ask('a', { max_tokens: 100 }), headers)),
    )
    const statuses = await Promise.all(
      answers.map(async (each) => (await each.text(), each.status)),
    )
    await gateway.rest()
    const ok = statuses.filter((status) => status === 200).length
    expect(ok).toBeGreaterThan(0)
    const left = (await gateway.storage.directory.findAccount(account))?.balance ?? -1
    expect(left).toBe(usd('0.003') - ok * usd(costOf('b')))
    expect(left).toBeGreaterThanOrEqual(0)
    expect(await gateway.audit()).toMatchObject({ ok: true })
  })

  for (const stream of [true, false])
    test(`ends a fallback’s answer where it ends, ${stream ? 'streamed' : 'whole'}`, async () => {
      gateway = await open({
        more: async (storage) => {
          await addModel(storage, 'a', 'first', { fallbacks: ['b'], maxOutputTokens: null })
          await addModel(storage, 'b', 'second', { maxOutputTokens: null })
        },
      })
      first.play(failure(500, {}))
      const long = 'word '.repeat(20_000)
      second.play(() =>
        streamReply(
          openaiStream(long, {
            prompt_tokens: 100,
            completion_tokens: 20_000,
            total_tokens: 20_100,
          }),
        ),
      )
      // For some four thousand tokens of b beside the hold's allowance.
      const { key, account } = await gateway.customer({ usd: '0.04' })
      const told = await call(ask('a', { stream }), { authorization: `Bearer ${key}` })
      expect(told.status).toBe(200)
      if (stream) expect(told.text).toContain('insufficient_credit')
      else expect(told.headers.get('x-stopped-by')).toBe('insufficient_credit')
      expect(told.record?.model).toBe('b')
      const left = (await gateway.storage.directory.findAccount(account))?.balance ?? -1
      expect(left).toBeGreaterThanOrEqual(0)
      expect(left).toBe(parseUsd('0.04') - (told.record?.cost ?? 0))
      const { inputTokens = 0, outputTokens = 0 } = told.record ?? {}
      expect(told.record?.cost).toBe(nanoUsd(inputTokens * 2000 + outputTokens * 8000))
    })

  test('of a dry run is what a call would hold, and it names who may answer', async () => {
    gateway = await open()
    const { json } = await call(ask('a', { max_tokens: 100 }), { 'x-dry-run': '1' })
    const { hold_usd, estimate, ...told } = json as unknown as {
      hold_usd: string
      estimate: { high: { usd: string } }
    }
    expect(told).toMatchObject({ object: 'dry_run', model: 'a', fallbacks: ['b'] })
    expect(parseUsd(hold_usd)).toBe((parseUsd(estimate.high.usd) * 2) as never)
    expect([...first.seen, ...second.seen]).toEqual([])
  })
})

describe('a name of several models', () => {
  const named = async (opening: Opening = {}) =>
    (gateway = await open({
      fallbacks: [],
      ...opening,
      async more(storage) {
        await addName(storage, 'smart', ['a', 'b'])
        await opening.more?.(storage)
      },
    }))

  test('is answered by the first of them, under its own name', async () => {
    await named()
    await expectAnswerOf('a', await call(ask('smart')), 'first')
    first.play(failure(500, {}))
  })

  test('is answered by the next where that fails, may not be used, is off, or cannot', async () => {
    await named()
    first.play(failure(500, {}))
    await expectAnswerOf('b', await call(ask('smart')), 'second')
    await gateway.close()
    await named({ key: { allowedModels: ['b'] } })
    await expectAnswerOf('b', await call(ask('smart')), 'second')
    await gateway.close()
    await named({ more: (storage) => addModel(storage, 'a', 'first', { status: 'off' }) })
    await expectAnswerOf('b', await call(ask('smart')), 'second')
    await gateway.close()
    await named({
      more: (storage) => addModel(storage, 'a', 'first', { capabilities: { streaming: true } }),
    })
    const tools = [{ type: 'function', function: { name: 'f' } }]
    await expectAnswerOf('b', await call(ask('smart', { tools })), 'second')
    expect(first.seen).toHaveLength(1)
  })

  test('is refused where the key may use none of them', async () => {
    await named({ key: { allowedModels: ['c'] } })
    const { status, json } = await call(ask('smart'))
    expect([status, json.error?.code]).toEqual([403, 'model_not_allowed'])
  })

  test('has a row of its own, at the dearest price', async () => {
    await named({
      more: (storage) =>
        addModel(storage, 'b', 'second', {
          contextLength: 9000,
          maxOutputTokens: 300,
          capabilities: { streaming: true, vision: true },
        }),
    })
    const get = async (path: string) =>
      (await (await fetch(`${gateway.url}${path}`)).json()) as Record<string, unknown>
    const row = {
      id: 'smart',
      type: 'chat',
      alias_of: ['a', 'b'],
      context_length: 128_000,
      max_output_tokens: 300,
      is_free: false,
      capabilities: { streaming: true, tools: true, vision: true, json: false },
      pricing: { input_per_million: '2', output_per_million: '8' },
    }
    expect(await get('/models/smart')).toMatchObject(row)
    const { data } = (await get('/models')) as unknown as { data: Record<string, unknown>[] }
    expect(data.find(({ id }) => id === 'smart')).toMatchObject(row)
    expect(await get('/models/a')).not.toHaveProperty('alias_of')
  })

  test('says that it will be there again while all of them are off', async () => {
    await named({
      async more(storage) {
        await addModel(storage, 'a', 'first', { status: 'off' })
        await addModel(storage, 'b', 'second', { status: 'off' })
      },
    })
    const { status, json } = await call(ask('smart'))
    expect([status, json.error?.code]).toEqual([503, 'model_temporarily_unavailable'])
  })
})

test('tokens are counted for a name, and for the first of a list', async () => {
  gateway = await open({
    key: { allowedModels: ['b'] },
    more: (storage) => addName(storage, 'smart', ['a', 'b']),
  })
  const count = async (body: object) => {
    const answer = await fetch(`${gateway.url}/messages/count_tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: ask('').messages, ...body }),
    })
    return [answer.status, Object.keys((await answer.json()) as object)]
  }
  expect(await count({ model: 'smart' })).toEqual([200, ['input_tokens']])
  expect(await count({ models: ['b', 'a'] })).toEqual([200, ['input_tokens']])
  expect((await count({ model: 'a' }))[0]).toBe(403)
})

test('a fallback is a change of routes for whoever watches', async () => {
  const token = 'a-token-of-metrics-0123456789'
  gateway = await open({ env: { CHAPAR_METRICS_TOKEN: token } })
  first.play(failure(500, { message: 'no' }))
  await call(ask('a'))
  const headers = { authorization: `Bearer ${token}` }
  const scraped = await (await fetch(gateway.url.replace('/v1', '/metrics'), { headers })).text()
  expect(scraped).toContain('chapar_route_changes_total{vendor="first"} 1')
})

test('a model tells of its fallbacks in its row', async () => {
  gateway = await open()
  const row = await (await fetch(`${gateway.url}/models/a`)).json()
  expect(row).toMatchObject({ id: 'a', fallbacks: ['b'] })
})

test('what a vendor may bill for a failure is a cost of the call, beside the one that answered', async () => {
  gateway = await open({
    async more(storage) {
      await storage.prices.change(() => ({
        costs: [
          { vendor: 'first', vendorModel: 'a-of-first', source: 'test', lines: lines('1', '1') },
          { vendor: 'second', vendorModel: 'b-of-second', source: 'test', lines: lines('1', '1') },
        ],
      }))
    },
  })
  // The fate of what breaks off is not known: it may be billed.
  first.play(() => streamReply(openaiStream('never seen'), { cutAfter: 0 }))
  const { record } = await call(ask('a', { stream: true, max_tokens: 60 }))
  expect(record).toMatchObject({ model: 'b', vendorCostEstimated: true })
  expect(record?.vendorCost ?? 0).toBeGreaterThan(150_000)
  expect(showUsd(record?.cost ?? zeroUsd)).toBe(costOf('b'))
})
