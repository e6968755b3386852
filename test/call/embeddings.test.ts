import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import Newest from 'openai'
import Older from 'openai-6'
import { fieldsOf, listOf } from '../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, type Script, type StandIn } from '../support/stand-in'
import { addTypedVendor } from '../support/typed-vendor'

let openai: StandIn
let google: StandIn
let chapar: TestGateway
beforeAll(async () => {
  openai = openStandIn()
  google = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      for (const [name, kind, url] of [
        ['openai', 'openai', openai.url],
        ['google', 'google', google.url.replace('/v1', '/v1beta')],
      ] as const) {
        await addTypedVendor(storage, {
          name,
          kind,
          url,
          ...(kind === 'openai' ? { dialect: kind } : {}),
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
})
afterAll(async () => {
  await chapar.close()
  await openai.close()
  await google.close()
})

const first = [0.5, -0.25, 1]
const second = [0, 0.125, -1]
const base64 = (vector: readonly number[]) =>
  Buffer.from(new Float32Array(vector).buffer).toString('base64')

/** @param encoded what the vendor gives, whatever it was asked for */
const vectors =
  (encoded: boolean, order: readonly number[] = [0, 1]): Script =>
  ({ body }) => {
    const count = Array.isArray(body['input']) ? body['input'].length : 1
    const all = [first, second].slice(0, count)
    return Response.json({
      object: 'list',
      data: order.slice(0, count).map((index) => ({
        object: 'embedding',
        index,
        embedding: encoded ? base64(all[index] ?? []) : all[index],
      })),
      model: 'vectors-1',
      usage: { prompt_tokens: 7, total_tokens: 7 },
    })
  }

const send = (body: object): Promise<Response> =>
  fetch(`${chapar.url}/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'openai-vectors', input: ['a', 'b'], ...body }),
  })
const embeddingsIn = async (answer: Response): Promise<unknown[]> => {
  expect(answer.status).toBe(200)
  return listOf(fieldsOf(await answer.json())['data']).map((each) => fieldsOf(each)['embedding'])
}

const majors: readonly (readonly [string, typeof Newest])[] = [
  ['newest', Newest],
  ['one before', Older as unknown as typeof Newest],
]

describe.each(majors)('the official client, %s major', (_, OpenAI) => {
  test.each([
    ['gives base64', true],
    ['gives numbers all the same', false],
  ])('gets numbers from a vendor that %s', async (_how, encoded) => {
    const client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
    openai.play(vectors(encoded))
    const { data, model, usage } = await client.embeddings.create({
      model: 'openai-vectors',
      input: ['a', 'b'],
    })
    expect(data.map(({ embedding }) => [...embedding])).toEqual([first, second])
    expect(data.map(({ index }) => index)).toEqual([0, 1])
    expect({ model, usage }).toEqual({
      model: 'openai-vectors',
      usage: { prompt_tokens: 7, total_tokens: 7 },
    })
  })

  test('finds like texts near each other in the sandbox', async () => {
    const client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
    const { data } = await client.embeddings.create({
      model: 'sandbox/embed',
      input: ['the red house', 'a red house', 'quarterly tax report'],
      dimensions: 64,
    })
    const dot = (a: number, b: number) =>
      (data[a]?.embedding ?? []).reduce(
        (sum, each, at) => sum + each * (data[b]?.embedding[at] ?? 0),
        0,
      )
    expect(data[0]?.embedding).toHaveLength(64)
    expect(dot(0, 0)).toBeCloseTo(1, 4)
    expect(dot(0, 1)).toBeGreaterThan(dot(0, 2) + 0.2)
  })
})

describe('vectors', () => {
  test.each([
    ['float', false, [first, second]],
    ['float', true, [first, second]],
    ['base64', false, [base64(first), base64(second)]],
    ['base64', true, [base64(first), base64(second)]],
    [undefined, true, [first, second]],
  ])('as %s of a vendor that encodes: %s', async (encoding, encoded, expected) => {
    openai.play(vectors(encoded))
    const asked = encoding === undefined ? {} : { encoding_format: encoding }
    expect(await embeddingsIn(await send(asked))).toEqual(expected)
  })

  test('come in the order of the input, whatever the order of the vendor', async () => {
    openai.play(vectors(false, [1, 0]))
    expect(await embeddingsIn(await send({}))).toEqual([first, second])
  })

  test('cost what went in, by the vendor’s own count', async () => {
    openai.play(vectors(false))
    const answer = await send({ dimensions: 3, user: 'me', extra: 1 })
    expect(answer.headers.get('x-cost-usd')).toBe('0.000014')
    const { body } = openai.seen.at(-1) ?? {}
    expect(body).toMatchObject({ model: 'vectors-1', input: ['a', 'b'], dimensions: 3 })
    expect(body).not.toHaveProperty('extra')
    expect(fieldsOf(body)['user']).not.toBe('me')
  })

  test('of tokens are asked for as they are, and of Google cannot be', async () => {
    openai.play(vectors(false))
    await embeddingsIn(await send({ input: [[1, 2, 3], [4]] }))
    expect(openai.seen.at(-1)?.body).toMatchObject({ input: [[1, 2, 3], [4]] })
    await embeddingsIn(await send({ input: 'one text' }))
    const refused = await send({ model: 'google-vectors', input: [1, 2] })
    expect(refused.status).toBe(400)
    expect(fieldsOf(await refused.json())).toMatchObject({
      error: { code: 'endpoint_not_supported', param: 'input' },
    })
  })

  test('of Google come in one request, of length one when they are shortened, and are counted by us', async () => {
    google.play(() => Response.json({ embeddings: [{ values: [3, 4] }, { values: [0, 2] }] }))
    const answer = await send({ model: 'google-vectors', input: ['سلام', 'hello'], dimensions: 2 })
    expect(Number(answer.headers.get('x-cost-usd'))).toBeGreaterThan(0)
    expect(await embeddingsIn(answer)).toEqual([
      [0.6, 0.8],
      [0, 1],
    ])
    const seen = google.seen.at(-1)
    expect(seen?.path).toEndWith('/models/vectors-1:batchEmbedContents')
    expect(seen?.body).toEqual({
      requests: ['سلام', 'hello'].map((text) => ({
        model: 'models/vectors-1',
        content: { parts: [{ text }] },
        outputDimensionality: 2,
      })),
    })
  })

  test('another number of them than was asked for is no answer, and costs nothing', async () => {
    const before = (await chapar.rest()).balance
    openai.play(() => vectors(false)({ body: { input: ['a'] } } as never, undefined as never))
    const answer = await send({})
    expect(answer.status).toBe(502)
    expect((await chapar.rest()).balance).toBe(before)
    expect((await chapar.audit()).differences).toEqual([])
  })
})

describe('a request', () => {
  test.each([
    [{ input: undefined }, 'missing_input', 'input'],
    [{ input: [] }, 'missing_input', 'input'],
    [{ input: [''] }, null, 'input'],
    [{ input: Array.from({ length: 2049 }, () => 'a') }, null, 'input'],
    [{ dimensions: 0 }, null, 'dimensions'],
    [{ encoding_format: 'hex' }, null, 'encoding_format'],
    [{ model: 'sandbox/echo' }, 'model_endpoint_mismatch', 'model'],
  ])('of %j is refused with %s', async (wrong, code, param) => {
    const answer = await send(wrong)
    expect(answer.status).toBe(400)
    expect(fieldsOf(await answer.json())).toMatchObject({ error: { code, param } })
  })
})

test.each([
  ['of zeros', { prompt_tokens: 0, total_tokens: 0 }, (tokens: number) => tokens > 0],
  ['with more in all', { prompt_tokens: 3, total_tokens: 12 }, (tokens: number) => tokens === 12],
])('a count %s is no free call and no fault', async (_, usage, right) => {
  openai.play(() =>
    Response.json({
      object: 'list',
      data: [{ object: 'embedding', index: 0, embedding: first }],
      model: 'vectors-1',
      usage,
    }),
  )
  const answer = await send({ input: 'a' })
  expect(answer.status).toBe(200)
  const told = fieldsOf(fieldsOf(await answer.json())['usage'])
  expect(right(Number(told['prompt_tokens']))).toBe(true)
  expect(Number(answer.headers.get('x-cost-usd'))).toBeGreaterThan(0)
})
