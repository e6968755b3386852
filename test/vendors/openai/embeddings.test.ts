import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { fieldsOf, listOf } from '../../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../../support/gateway'
import { openStandIn, type Script, type StandIn } from '../../support/stand-in'
import { addTypedVendor } from '../../support/typed-vendor'

const dialects = ['mistral', 'cohere', 'voyage', 'jina', 'google'] as const
type Vendor = (typeof dialects)[number]

const vector = [0.5, -0.25, 1]
const base64 = Buffer.from(new Float32Array(vector).buffer).toString('base64')

/** As each of them answers, shortened: ids, members of their own, and how they count. */
const recorded: Readonly<Record<Exclude<Vendor, 'google'>, object>> = {
  mistral: {
    id: 'b8a9c1d2e3f44a5b',
    object: 'list',
    data: [{ object: 'embedding', embedding: vector, index: 0 }],
    model: 'vectors-1',
    usage: {
      prompt_audio_seconds: null,
      prompt_tokens: 15,
      total_tokens: 15,
      completion_tokens: 0,
      request_count: null,
      prompt_token_details: null,
    },
  },
  cohere: {
    object: 'list',
    data: [{ object: 'embedding', embedding: vector, index: 0 }],
    model: 'vectors-1',
    usage: { prompt_tokens: 15, total_tokens: 15 },
  },
  voyage: {
    object: 'list',
    data: [{ object: 'embedding', embedding: vector, index: 0 }],
    model: 'vectors-1',
    usage: { total_tokens: 15 },
  },
  jina: {
    model: 'vectors-1',
    object: 'list',
    usage: { total_tokens: 15, prompt_tokens: 15 },
    data: [{ object: 'embedding', index: 0, embedding: base64 }],
  },
}

let vendor: StandIn
let chapar: TestGateway
let client: OpenAI
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      for (const name of dialects) {
        await addTypedVendor(storage, {
          name,
          ...(name === 'google' ? { kind: name } : { dialect: name }),
          url: vendor.url,
          model: {
            id: `${name}-vectors`,
            type: 'embedding',
            vendorModel: 'vectors-1',
            lines: [{ meter: 'input', unit: 'million', price: '2' }],
          },
        })
      }
    },
  })
  client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const send = (name: Vendor, body: object): Promise<Response> =>
  fetch(`${chapar.url}/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}` },
    body: JSON.stringify({ model: `${name}-vectors`, input: 'hello', ...body }),
  })

describe.each(Object.entries(recorded))('the reply of %s', (name, reply) => {
  test('reaches the official client as numbers, at what the vendor counted', async () => {
    vendor.play(() => Response.json(reply))
    const { data, response } = await client.embeddings
      .create({ model: `${name}-vectors`, input: 'hello' })
      .withResponse()
    expect([...(data.data[0]?.embedding ?? [])]).toEqual(vector)
    expect(data.usage).toEqual({ prompt_tokens: 15, total_tokens: 15 })
    expect(data).not.toHaveProperty('id')
    expect(response.headers.get('x-cost-usd')).toBe('0.000030')
    expect((await chapar.audit()).differences).toEqual([])
  })
})

describe('a shorter vector in base64 is asked for', () => {
  test.each<[Vendor, object]>([
    ['mistral', { output_dimension: 3, encoding_format: 'base64' }],
    ['voyage', { output_dimension: 3, encoding_format: 'base64', input_type: 'query' }],
    ['jina', { dimensions: 3, embedding_type: 'base64', task: 'retrieval.query' }],
  ])('of %s in its own words', async (name, words) => {
    vendor.play(() => Response.json(recorded.jina))
    const own = { input_type: 'query', task: 'retrieval.query', user: 'me' }
    const answer = await send(name, { dimensions: 3, encoding_format: 'base64', ...own })
    expect(answer.status).toBe(200)
    const data = listOf(fieldsOf(await answer.json())['data'])
    expect(fieldsOf(data[0])['embedding']).toBe(base64)
    expect(vendor.seen.at(-1)?.body).toEqual({ model: 'vectors-1', input: 'hello', ...words })
  })

  test('of Cohere never: a vector of another length is another vector', async () => {
    const count = vendor.seen.length
    const answer = await send('cohere', { dimensions: 3 })
    expect(answer.status).toBe(400)
    expect(fieldsOf(await answer.json())).toMatchObject({
      error: { code: 'endpoint_not_supported', param: 'dimensions' },
    })
    expect(vendor.seen.length).toBe(count)
  })
})

test.each(['mistral', 'cohere', 'voyage', 'jina', 'google'] as const)(
  'tokens of the client’s own counting mean nothing to %s and are refused before it',
  async (name) => {
    const count = vendor.seen.length
    const answer = await send(name, { input: [[1, 2], [3]] })
    expect(answer.status).toBe(400)
    expect(fieldsOf(await answer.json())).toMatchObject({
      error: { code: 'endpoint_not_supported', param: 'input' },
    })
    expect(vendor.seen.length).toBe(count)
  },
)

describe('more inputs than a vendor takes at once', () => {
  const texts = Array.from({ length: 205 }, (_, at) => `text ${at}`)
  /** The number of each text as its vector. */
  const numbered: Script = ({ body, path }) => {
    if (path.endsWith(':batchEmbedContents')) {
      const texts = listOf(body['requests']).map((each) =>
        fieldsOf(listOf(fieldsOf(fieldsOf(each)['content'])['parts'])[0]),
      )
      return Response.json({
        embeddings: texts.map(({ text }) => ({ values: [Number(String(text).slice(5)), 1] })),
        usageMetadata: { promptTokenCount: texts.length },
      })
    }
    const input = listOf(body['input'])
    return Response.json({
      object: 'list',
      data: input.map((text, index) => ({
        object: 'embedding',
        index,
        embedding: [Number(String(text).slice(5)), 1],
      })),
      usage: { prompt_tokens: input.length, total_tokens: input.length },
    })
  }

  test.each<[Vendor, number]>([
    ['cohere', 3],
    ['google', 3],
    ['voyage', 1],
  ])(
    'go to %s in %d requests, and come back as one answer at one price',
    async (name, requests) => {
      vendor.play(numbered)
      const count = vendor.seen.length
      const { data, response } = await client.embeddings
        .create({ model: `${name}-vectors`, input: texts })
        .withResponse()
      expect(vendor.seen.length - count).toBe(requests)
      expect(data.data.map(({ index, embedding }) => [index, embedding[0]])).toEqual(
        texts.map((_, at) => [at, at]),
      )
      expect(data.usage.prompt_tokens).toBe(205)
      expect(response.headers.get('x-cost-usd')).toBe('0.000410')
    },
  )

  test('cost nothing when one part of them fails', async () => {
    const before = (await chapar.rest()).balance
    vendor.play((seen, request) =>
      listOf(seen.body['input'])[0] === 'text 96'
        ? Response.json({ message: 'internal error' }, { status: 500 })
        : numbered(seen, request),
    )
    const answer = await send('cohere', { input: texts })
    expect(answer.status).toBe(502)
    expect((await chapar.rest()).balance).toBe(before)
    expect((await chapar.rest()).held).toBe(0)
  })
})
