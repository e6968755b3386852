import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { PriceLine } from '../../src/domain/model'
import { fieldsOf } from '../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, type StandIn } from '../support/stand-in'
import { addTypedVendor } from '../support/typed-vendor'

const lines: readonly PriceLine[] = [
  { meter: 'input', unit: 'million', price: '3' },
  { meter: 'output', unit: 'million', price: '15' },
  { meter: 'output', unit: 'million', price: '22.5', when: { inputAbove: 200_000 } },
]

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    async prepare(storage) {
      const add = (dialect: string, id: string, elsewhere: readonly string[] = []) =>
        addTypedVendor(storage, {
          name: dialect,
          dialect,
          url: vendor.url,
          model: { id, type: 'chat', vendorModel: 'm', lines, elsewhere },
        })
      for (const dialect of ['openrouter', 'generic', 'openai']) await add(dialect, `of-${dialect}`)
      await add('generic', 'of-both', ['openrouter'])
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const messages = [{ role: 'user', content: 'hi' }]
const send = (model: string, members: object, path = '/chat/completions') =>
  fetch(`${chapar.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}` },
    body: JSON.stringify({ model, messages, max_tokens: 50, ...members }),
  })
const refusal = async (answer: Response) => {
  const { param, code } = fieldsOf(fieldsOf(await answer.json())['error'])
  return { status: answer.status, code, param }
}
const lastProvider = () => vendor.seen.at(-1)?.body['provider']

describe('conditions on who answers', () => {
  test.each([
    [{ data_collection: 'deny' }],
    [{ zdr: true }],
    [{ only: ['deepinfra'], ignore: ['x'], order: ['deepinfra'] }],
    [{ allow_fallbacks: false, require_parameters: true }],
    [{ sort: 'price', quantizations: ['fp8'] }],
  ])('%j reach a vendor that keeps them, whatever the client speaks', async (provider) => {
    for (const path of ['/chat/completions', '/messages']) {
      const answer = await send('of-openrouter', { provider }, path)
      expect(answer.status).toBe(200)
      // No seller whom the client chooses is dearer than what the model is sold for.
      expect(lastProvider()).toEqual({
        ...provider,
        max_price: { prompt: 3, completion: 22.5 },
      })
    }
  })

  test.each([
    [{ provider: { data_collection: 'deny' } }, 'provider.data_collection'],
    [{ provider: { zdr: true } }, 'provider.zdr'],
    [{ provider: { data_collection: 'allow', only: ['x'] } }, 'provider.only'],
    [{ provider: { allow_fallbacks: false } }, 'provider.allow_fallbacks'],
    [{ providerOptions: { gateway: { order: ['bedrock'] } } }, 'providerOptions.gateway.order'],
    [{ providerOptions: { anthropic: { cache: true } } }, 'providerOptions.anthropic.cache'],
    [{ plugins: [{ id: 'web' }] }, 'plugins'],
  ])('%j are refused where nobody keeps them', async (members, param) => {
    const bodies: Readonly<Record<string, object>> = {
      '/responses': { input: 'hi', messages: undefined },
      '/completions': { prompt: 'hi', messages: undefined },
    }
    const count = vendor.seen.length
    for (const model of ['of-generic', 'of-openai', 'sandbox/echo'])
      for (const path of ['/chat/completions', '/messages', '/responses', '/completions']) {
        const body = bodies[path] ?? {}
        const answer = await send(model, { ...body, ...members }, path)
        expect(await refusal(answer)).toEqual({
          status: 400,
          code: 'endpoint_not_supported',
          param,
        })
      }
    expect(vendor.seen).toHaveLength(count)
  })

  test('however deep and large are looked at once, and told in short', async () => {
    const empty = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`x${at}`, {}]))
    let nested: object = { ...empty, demand: 1 }
    for (let depth = 0; depth < 200; depth++) nested = { a: nested }
    const long = 'x'.repeat(100_000)
    const answer = await send('of-generic', { providerOptions: nested })
    expect(await refusal(answer)).toMatchObject({ param: 'providerOptions.a.a' })
    const other = await send('of-generic', { provider: { [long]: 1 } })
    expect(String((await refusal(other)).param).length).toBeLessThan(100)
  })

  test('of a kind that nobody knows are refused everywhere', async () => {
    const answer = await send('of-openrouter', { provider: { moon_phase: 'full' } })
    expect(await refusal(answer)).toMatchObject({ status: 400, param: 'provider.moon_phase' })
  })

  test('lead to the route that keeps them', async () => {
    const answer = await send('of-both', { provider: { zdr: true } })
    expect(answer.status).toBe(200)
    expect(lastProvider()).toMatchObject({ zdr: true })
    expect((await send('of-both', {})).status).toBe(200)
    expect(lastProvider()).toBeUndefined()
  })

  test('that demand nothing go nowhere', async () => {
    const provider = { allow_fallbacks: true, data_collection: 'allow', order: [], zdr: false }
    const options = { provider, providerOptions: { gateway: {} }, plugins: [] }
    for (const model of ['of-generic', 'of-openrouter', 'of-openai'])
      for (const path of ['/chat/completions', '/messages']) {
        expect((await send(model, options, path)).status).toBe(200)
        const { body } = vendor.seen.at(-1) ?? {}
        for (const name of Object.keys(options)) expect(body).not.toHaveProperty(name)
      }
  })

  test('a price that the client bears is compared with ours', async () => {
    const asked = (model: string, max_price: object) => send(model, { provider: { max_price } })
    for (const model of ['of-generic', 'of-openrouter']) {
      expect((await asked(model, { prompt: 3, completion: '22.5' })).status).toBe(200)
      expect(await refusal(await asked(model, { prompt: 2.99 }))).toMatchObject({
        status: 400,
        param: 'provider.max_price.prompt',
      })
      expect(await refusal(await asked(model, { completion: 20 }))).toMatchObject({
        param: 'provider.max_price.completion',
      })
      expect(await refusal(await asked(model, { image: 1 }))).toMatchObject({
        param: 'provider.max_price.image',
      })
    }
  })

  test('that are no conditions at all are refused', async () => {
    const answer = await send('of-generic', { provider: 'openai' })
    expect(await refusal(answer)).toMatchObject({ status: 400, param: 'provider' })
  })
})
