import { afterAll, beforeAll, expect, test } from 'bun:test'
import OpenAI from 'openai'
import { fieldsOf, listOf } from '../../src/gateway/json/fields'
import type { Storage } from '../../src/business/data/storage'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, type StandIn } from '../support/stand-in'
import { addTypedVendor } from '../support/typed-vendor'

const result = (flagged: boolean) => ({
  flagged,
  categories: { violence: flagged },
  category_scores: { violence: flagged ? 0.91234567890123 : 1.5e-7 },
})

function judgeOf(url: string) {
  return async (storage: Storage): Promise<void> => {
    await addTypedVendor(storage, {
      name: 'judge',
      dialect: 'openai',
      url,
      model: {
        id: 'judging',
        type: 'moderation',
        vendorModel: 'omni',
        lines: [{ meter: 'request', unit: 'each', price: '0.001' }],
      },
    })
  }
}

let vendor: StandIn
let chapar: TestGateway
let client: OpenAI
beforeAll(async () => {
  vendor = openStandIn(({ body }) => {
    const { input } = body
    const count = Array.isArray(input) && typeof input[0] === 'string' ? input.length : 1
    return Response.json({
      id: 'modr-1',
      model: 'omni-2026',
      results: Array.from({ length: count }, (_, at) => result(at % 2 === 0)),
    })
  })
  chapar = await openTestGateway({ prepare: judgeOf(vendor.url) })
  client = new OpenAI({ apiKey: chapar.key, baseURL: chapar.url, maxRetries: 0 })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

test('the official client has a text judged, by the first model on sale unless it names one', async () => {
  const { data, response } = await client.moderations
    .create({ input: ['kill', 'kiss'] })
    .withResponse()
  expect(data.model).toBe('judging')
  expect(data.id).toBe(String(response.headers.get('x-request-id')))
  expect(data.results.map(({ flagged }) => flagged)).toEqual([true, false])
  expect(response.headers.get('x-cost-usd')).toBe('0.001000')
  expect(vendor.seen.at(-1)?.body).toEqual({ input: ['kill', 'kiss'], model: 'omni' })
  const named = await client.moderations.create({ model: 'judge/judging', input: 'kill' })
  expect(named.model).toBe('judge/judging')
  expect((await chapar.audit()).differences).toEqual([])
})

test('scores pass with every digit, and what the vendor need not know does not', async () => {
  const answer = await fetch(`${chapar.url}/moderations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input: [{ type: 'text', text: 'a' }], user: 'me' }),
  })
  expect(await answer.text()).toContain('0.91234567890123')
  expect(vendor.seen.at(-1)?.body).not.toHaveProperty('user')
})

test('the sandbox flags the words for its categories, when it is asked for by name', async () => {
  const { results } = await client.moderations.create({
    model: 'sandbox/moderate',
    input: ['a kind word', 'violence and gore'],
  })
  expect(results.map(({ flagged }) => flagged)).toEqual([false, true])
  expect(results[1]?.categories).toMatchObject({
    violence: true,
    'violence/graphic': true,
    hate: false,
  })
  expect(Object.keys(results[0]?.category_scores ?? {})).toHaveLength(13)
  const pictures = await client.moderations.create({
    model: 'sandbox/moderate',
    input: [
      { type: 'text', text: 'hate' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
    ],
  })
  expect(pictures.results).toHaveLength(1)
  expect(pictures.results[0]?.category_applied_input_types.hate as unknown).toEqual([
    'text',
    'image',
  ])
})

test('is 404 where no model judges: the sandbox is never taken for one', async () => {
  const without = await openTestGateway()
  try {
    const answer = await fetch(`${without.url}/moderations`, {
      method: 'POST',
      headers: { authorization: `Bearer ${without.key}` },
      body: '{"input":"hello"}',
    })
    expect(answer.status).toBe(404)
    expect(fieldsOf(await answer.json())).toMatchObject({ error: { code: 'model_not_found' } })
  } finally {
    await without.close()
  }
})

test.each([
  [{}, 'missing_input', 'input'],
  [{ input: [] }, 'missing_input', 'input'],
  [{ input: [{ type: 'video' }] }, null, 'input'],
  [{ input: 'x', model: 7 }, 'invalid_model', 'model'],
  [{ input: 'x', model: 'sandbox/echo' }, 'model_endpoint_mismatch', 'model'],
])('%j is refused with %s', async (body, code, param) => {
  const count = listOf(vendor.seen).length
  const answer = await fetch(`${chapar.url}/moderations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}` },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(400)
  expect(fieldsOf(await answer.json())).toMatchObject({ error: { code, param } })
  expect(vendor.seen.length).toBe(count)
})
