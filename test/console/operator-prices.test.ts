import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { systemClock } from '../../src/domain/clock'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { setUpOperator, type OperatorVisitor } from './operator-visitor'

interface Preview {
  readonly before_usd: string
  readonly after_usd: string
  readonly since: string | null
  readonly models: readonly { model: string; calls_30d: number; counted: number }[]
}
interface ModelDetail {
  readonly on_sale: boolean
  readonly why_not: string | null
  readonly pricing: Readonly<Record<string, string>>
  readonly priced_by: string | null
}
interface VendorDetail {
  readonly state: string
  readonly credentials: readonly { name: string; api_key: string; active: boolean }[]
}

const model = 'sandbox/echo-priced'
const path = `/models/${encodeURIComponent(model)}`
let gateway: TestGateway
let owner: OperatorVisitor

beforeAll(async () => {
  gateway = await openTestGateway({ web: true })
  owner = (await setUpOperator(gateway, systemClock)).visitor
})
afterAll(() => gateway.close())

/** @returns what it was charged, in dollars */
async function call(content: string): Promise<string> {
  const answer = await gateway.post({ model, messages: [{ role: 'user', content }] })
  expect(answer.status).toBe(200)
  await answer.text()
  return answer.headers.get('x-cost-usd') ?? ''
}

const codeOf = async (reply: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await reply
  return [status, (body as { error?: { code: string } }).error?.code ?? null]
}

describe('a preview of prices', () => {
  test('charges recorded calls once more: as they were charged, and by the other prices', async () => {
    let charged = 0
    for (const words of ['one', 'two and three', 'four '.repeat(400)])
      charged += Math.round(Number(await call(words)) * 1e9)
    const { body: held } = await owner.send<ModelDetail>('GET', path)
    const prices = Object.fromEntries(
      Object.entries(held.pricing).map(([key, usd]) => [key, String(Number(usd) * 3)]),
    )
    const { status, body } = await owner.send<Preview>('POST', '/prices/preview', { model, prices })
    expect(status).toBe(200)
    expect(Math.round(Number(body.before_usd) * 1e9)).toBe(charged)
    expect(Math.round(Number(body.after_usd) * 1e9)).toBe(3 * charged)
    expect(body.models).toMatchObject([{ model, calls_30d: 3, counted: 3 }])
    expect(body.since).toBeNull()
    const { body: after } = await owner.send<ModelDetail>('GET', path)
    expect(after.pricing).toEqual(held.pricing)
  })

  test('is of one change', async () => {
    const refused = [400, 'input_invalid']
    expect(await codeOf(owner.send('POST', '/prices/preview', {}))).toEqual(refused)
    expect(
      await codeOf(
        owner.send('POST', '/prices/preview', {
          model,
          prices: {},
          proposals: { all: true },
        }),
      ),
    ).toEqual(refused)
    expect(
      await codeOf(
        owner.send('POST', '/prices/preview', { model, prices: { no_such_price: '1' } }),
      ),
    ).toEqual(refused)
    expect(
      await codeOf(
        owner.send('POST', '/prices/preview', { removed_rule: { kind: 'everything', name: '' } }),
      ),
    ).toEqual([400, 'rule_is_last'])
  })
})

describe('a model', () => {
  test('is sold for what was typed from the next call on, and by its own prices again', async () => {
    const before = await call('same')
    const { body } = await owner.send<ModelDetail>('PATCH', path, {
      prices: { per_request: '0.5' },
    })
    expect(body.priced_by).toBe('typed')
    expect(Number(await call('same')) - Number(before)).toBeCloseTo(0.5, 9)
    await owner.send('PATCH', path, { default_prices: true })
    expect(await call('same')).toBe(before)
  })

  test('that is off says why it is not on sale, and is found so', async () => {
    await owner.send('PATCH', path, { status: 'off' })
    const { body } = await owner.send<{ data: { id: string; why_not: string }[] }>(
      'GET',
      `/models?state=not_on_sale&text=${encodeURIComponent(model)}`,
    )
    expect(body.data).toMatchObject([{ id: model, why_not: 'off' }])
    expect((await gateway.post({ model, messages: [] })).status).not.toBe(200)
    const { body: on } = await owner.send<ModelDetail>('PATCH', path, { status: 'active' })
    expect([on.on_sale, on.why_not]).toEqual([true, null])
  })

  test('needs a route to a vendor that there is', async () => {
    const routed = (vendor: string) =>
      owner.send('POST', '/models', {
        id: 'new',
        type: 'chat',
        routes: [{ vendor, vendor_model: 'new', priority: 0, weight: 1 }],
        prices: { input_per_million: '1', output_per_million: '2' },
      })
    expect(await codeOf(routed('nobody'))).toEqual([400, 'route_vendor_unknown'])
    expect((await routed('sandbox')).status).toBe(200)
    expect(await codeOf(routed('sandbox'))).toEqual([409, 'model_exists'])
  })
})

describe('models that a vendor lists', () => {
  let vendor: ReturnType<typeof Bun.serve>
  beforeAll(async () => {
    const names = ['gpt-4o', 'house-model', 'claude-sonnet-4-5', 'a b']
    vendor = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => Response.json({ data: names.map((id) => ({ id })) }),
    })
    const made = await owner.send('POST', '/vendors', {
      name: 'lister',
      kind: 'openai',
      dialect: 'generic',
      base_url: `http://127.0.0.1:${vendor.port}/v1`,
      margin_percent: '50',
    })
    expect(made.status).toBe(200)
  })
  afterAll(() => vendor.stop(true))

  interface Importable {
    readonly vendor_model: string
    readonly state: string
    readonly cost: Readonly<Record<string, string>> | null
    readonly pricing: Readonly<Record<string, string>> | null
  }

  test('are told with their costs and what the rule makes of them, and nothing is sold', async () => {
    const { status, body } = await owner.send<{ data: readonly Importable[] }>(
      'POST',
      '/model-imports/preview',
      { vendor: 'lister' },
    )
    expect(status).toBe(200)
    const stateOf = (name: string) => body.data.find((each) => each.vendor_model === name)
    expect(stateOf('house-model')).toMatchObject({ state: 'uncosted', cost: null, pricing: null })
    const { cost, pricing, state } = stateOf('gpt-4o') ?? {}
    expect(state).toBe('new')
    expect(Number(pricing?.['input_per_million'])).toBe(Number(cost?.['input_per_million']) * 1.5)
    expect((await owner.send('GET', '/models/gpt-4o')).status).toBe(404)
  })

  test('come on sale for just that, only those that were chosen', async () => {
    const { body: listed } = await owner.send<{ data: readonly Importable[] }>(
      'POST',
      '/model-imports/preview',
      { vendor: 'lister' },
    )
    const told = listed.data.find((each) => each.vendor_model === 'gpt-4o')
    const { body } = await owner.send<{ imported: readonly string[] }>('POST', '/model-imports', {
      vendor: 'lister',
      patterns: ['gpt-4o'],
    })
    expect(body.imported).toEqual(['gpt-4o'])
    const { body: sold } = await owner.send<ModelDetail>('GET', '/models/gpt-4o')
    expect(sold.on_sale).toBe(true)
    expect(sold.pricing).toEqual(told?.pricing ?? {})
    const { body: again } = await owner.send<{ data: readonly Importable[] }>(
      'POST',
      '/model-imports/preview',
      { vendor: 'lister' },
    )
    expect(again.data.map((each) => [each.vendor_model, each.state])).toEqual([
      ['gpt-4o', 'known'],
      ['house-model', 'uncosted'],
      ['claude-sonnet-4-5', 'new'],
      ['a b', 'uncosted'],
    ])
    expect(
      await codeOf(owner.send('POST', '/model-imports/preview', { vendor: 'nobody' })),
    ).toEqual([404, 'vendor_not_found'])
  })

  test('keep versions of their prices, and are found when they are off', async () => {
    const gpt = '/models/gpt-4o'
    await owner.send('PATCH', gpt, { prices: { input_per_million: '9' } })
    const { body } = await owner.send<{
      history: readonly { priced_by: string; pricing: Readonly<Record<string, string>> }[]
    }>('GET', gpt)
    expect(body.history.map((each) => each.priced_by)).toEqual(['typed', 'rule'])
    expect(body.history[0]?.pricing['input_per_million']).toBe('9')
    await owner.send('PATCH', gpt, { status: 'off' })
    const { body: found } = await owner.send<{ data: readonly { kind: string; id: string }[] }>(
      'GET',
      '/search?text=gpt-4o',
    )
    expect(found.data.map(({ kind, id }) => `${kind} ${id}`)).toContain('model gpt-4o')
  })
})

test('public prices are not checked of a service that keeps all in memory', async () => {
  expect(await codeOf(owner.send('POST', '/price-checks'))).toEqual([409, 'kept_in_memory'])
  const { body } = await owner.send('GET', '/price-checks')
  expect(body as unknown).toEqual({ last: null })
})

describe('a vendor', () => {
  const secret = 'sk-0123456789-abcdefgh'

  test('that does not answer is saved once that is confirmed, and shows no key', async () => {
    const sent = {
      name: 'silent',
      kind: 'openai',
      dialect: 'generic',
      base_url: 'http://127.0.0.1:9/v1',
      api_key: secret,
    }
    const refused = await owner.send<{ error: object }>('POST', '/vendors', sent)
    expect([refused.status, refused.body.error]).toMatchObject([
      409,
      { code: 'vendor_trial_failed', problem: 'no_answer' },
    ])
    expect((await owner.send('GET', '/vendors/silent')).status).toBe(404)
    expect((await owner.send('POST', '/vendors', { ...sent, force: true })).status).toBe(200)
    const { body } = await owner.send<VendorDetail>('POST', '/vendors/silent/credentials', {
      api_key: `${secret}-2`,
      test: false,
    })
    expect(body).toMatchObject({ name: 'silent', credential: 'key-2' })
    expect(body.credentials.map(({ name }) => name)).toEqual(['default', 'key-2'])
    const listed = await owner.send<{ data: object[] }>('GET', '/vendors/silent/credentials')
    expect(listed.body.data).toEqual([...body.credentials])
    const all = await owner.send('GET', '/vendors')
    expect(JSON.stringify(all.body)).not.toContain(secret)
    const trail = await owner.send('GET', '/trail')
    expect(JSON.stringify(trail.body)).not.toContain(secret)
  })

  test('has a key replaced under its name, which no other one of its keys may be', async () => {
    const one = '/vendors/silent/credentials'
    const replace = (name: string, key: string) =>
      owner.send<VendorDetail>('PATCH', `${one}/${name}`, { api_key: key, test: false })
    const { body } = await replace('key-2', `${secret}-wxyz`)
    expect(body.credentials.map(({ name, api_key: key }) => [name, key])).toEqual([
      ['default', '…efgh'],
      ['key-2', '…wxyz'],
    ])
    expect(await codeOf(replace('key-2', secret))).toEqual([409, 'credential_known'])
    expect(await codeOf(replace('key-9', 'sk-new'))).toEqual([404, 'credential_not_found'])
    expect(await codeOf(owner.send('PATCH', `${one}/key-2`, { api_key: 'sk-untested' }))).toEqual([
      409,
      'vendor_trial_failed',
    ])
    expect((await replace('key-2', `${secret}-2`)).status).toBe(200)
  })

  test('says what it asked when it is tested, and what it heard', async () => {
    const { body } = await owner.send<{ ok: boolean; data: readonly object[] }>(
      'POST',
      '/vendors/silent/test',
    )
    const asked = [{ url: 'http://127.0.0.1:9/v1/models', status: null }]
    expect(body.ok).toBe(false)
    expect(body.data).toMatchObject([{ asked }, { asked }])
  })

  test('tells which models nobody else serves, and those leave the sale with it', async () => {
    const routes = async () =>
      (
        await owner.send<{ data: readonly { model: string; only: boolean }[] }>(
          'GET',
          '/vendors/silent/routes',
        )
      ).body.data
    const prices = { input_per_million: '1', output_per_million: '2' }
    const route = (vendor: string) => ({ vendor, vendor_model: 'm', priority: 0, weight: 1 })
    const add = async (id: string, vendors: readonly string[]) =>
      expect(
        (
          await owner.send('POST', '/models', {
            id,
            type: 'chat',
            routes: vendors.map(route),
            prices,
          })
        ).status,
      ).toBe(200)
    await add('alone', ['silent'])
    await add('shared', ['silent', 'sandbox'])
    expect(await routes()).toMatchObject([
      { model: 'alone', only: true, priority: 0, weight: 1, on_sale: true },
      { model: 'shared', only: false, on_sale: true },
    ])
    const isSold = async (id: string) =>
      (await owner.send<ModelDetail>('GET', `/models/${id}`)).body.on_sale
    await owner.send('PATCH', '/vendors/silent', { active: false })
    expect([await isSold('alone'), await isSold('shared')]).toEqual([false, true])
    expect((await routes()).some(({ only }) => only)).toBe(false)
    await owner.send('PATCH', '/vendors/silent', { active: true })
    expect(await isSold('alone')).toBe(true)
  })

  test('is found by a part of its name', async () => {
    const { body } = await owner.send<{ data: readonly { kind: string; id: string }[] }>(
      'GET',
      '/search?text=SILE',
    )
    expect(body.data.filter(({ kind }) => kind === 'vendor')).toMatchObject([{ id: 'silent' }])
  })

  test('keeps its last key, and is not the gateway itself', async () => {
    const one = '/vendors/silent/credentials'
    await owner.send('PATCH', `${one}/default`, { active: false })
    expect(await codeOf(owner.send('DELETE', `${one}/key-2`))).toEqual([409, 'last_credential'])
    expect(
      await codeOf(owner.send('PATCH', '/vendors/silent', { base_url: gateway.url, test: false })),
    ).toEqual([400, 'vendor_address_own'])
    expect((await owner.send('DELETE', '/vendors/silent')).status).toBe(200)
    expect((await owner.send('GET', '/vendors/silent')).status).toBe(404)
  })
})

describe('a bill', () => {
  const head = 'day,model,calls,amount\n'
  const upload = async (query: string, body: string) => {
    const { origin } = new URL(gateway.url)
    const response = await fetch(`${origin}/app/api/operator/bills/check?${query}`, {
      method: 'POST',
      headers: { origin, 'sec-fetch-site': 'same-origin', cookie: owner.cookie() },
      body,
    })
    return {
      status: response.status,
      body: (await response.json()) as { sources?: string[]; csv?: string },
    }
  }

  test('is read from several files in one upload, each to its length', async () => {
    const files = [`${head}2026-08-01,echo,1,0.5\n`, `${head}2026-08-02,echo,2,1.5\n`]
    const named = files.map((text, at) => `file=part${at}.csv:${text.length}`).join('&')
    const { status, body } = await upload(`vendor=sandbox&month=2026-08&${named}`, files.join(''))
    expect(status).toBe(200)
    expect(body).toMatchObject({
      sources: ['CSV part0.csv', 'CSV part1.csv'],
      total: { billed_usd: '2.000000', billed_calls: 3 },
      within_tolerance: false,
    })
    expect(body.csv).toMatch(/^day,model,calls,.*\r\n2026-08-01,echo,.*\r\n/)
  })

  test('that is none says why', async () => {
    expect(await codeOf(upload('vendor=sandbox&month=2026-08', '\u0000'))).toEqual([
      400,
      'bill_unusable',
    ])
    expect(
      await codeOf(upload('vendor=nobody&month=2026-08', `${head}2026-08-01,m,1,1\n`)),
    ).toEqual([404, 'vendor_not_found'])
    expect(await codeOf(upload('vendor=sandbox&month=2026-13', head))).toEqual([
      400,
      'input_invalid',
    ])
  })
})
