import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { parseUsd, showUsd, type NanoUsd } from '../../src/domain/money'
import { addModel, ask, openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, wholeReply, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn(() => wholeReply('ok'))
  chapar = await openTestGateway({
    vendorUrl: vendor.url,
    prepare: (storage) =>
      addModel(storage, 'looks', ['standin'], {
        sight: { by: 'tiles', base: 2833, each: 5667 },
      }),
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})
/** Nobody was asked, nothing is charged, held or recorded, whatever a test here did. */
afterEach(async () => {
  const { held, slots } = await chapar.rest()
  expect({ held, slots, asked: vendor.seen.length }).toEqual({ held: 0, slots: 0, asked: 0 })
  expect(await chapar.audit()).toMatchObject({ ok: true, requests: 0, pending: 0 })
})

interface Guess {
  readonly units: Record<string, number>
  readonly usd: string
}

interface DryRun {
  readonly object: string
  readonly model: string
  readonly endpoint: string
  readonly stream: boolean
  readonly estimate: { readonly low: Guess; readonly high: Guess }
  readonly hold_usd: string
  readonly available_usd: string
  readonly balance_usd: string
  readonly card_version: string
}

const dry = (body: unknown, headers: Record<string, string> = {}) =>
  chapar.post(body, { 'x-dry-run': '1', ...headers })
const told = async (answer: Response): Promise<DryRun> => {
  expect(answer.status).toBe(200)
  return (await answer.json()) as DryRun
}
const codeOf = async (answer: Response): Promise<string> =>
  ((await answer.json()) as { error: { code: string } }).error.code

describe('a dry run', () => {
  test('tells the estimate in units and dollars, the hold, and the balance', async () => {
    const answer = await dry(ask('standin/priced', { max_tokens: 1000 }))
    expect(answer.headers.get('content-type')).toContain('application/json')
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
    expect(answer.headers.get('x-cost-usd')).toBeNull()
    const { estimate, ...rest } = await told(answer)
    const { low, high } = estimate
    expect(rest).toEqual({
      object: 'dry_run',
      model: 'priced',
      endpoint: 'chat',
      stream: false,
      hold_usd: high.usd,
      available_usd: '100.000000',
      balance_usd: '100.000000',
      card_version: '1',
    })
    expect(high.units['output']).toBe(1000)
    // $1.5 and $6 a million tokens, in nano-dollars.
    for (const { units, usd } of [low, high])
      expect(usd).toBe(
        showUsd(((units['input'] ?? 0) * 1500 + (units['output'] ?? 0) * 6000) as NanoUsd),
      )
    expect(low.units['input']).toBeGreaterThan(0)
    expect(low.units['input']).toBeLessThan(high.units['input'] ?? 0)
  })

  test('counts a picture as the vendor of the model does', async () => {
    const input = async (model: string, content: unknown) => {
      const { estimate } = await told(
        await dry(ask(model, { messages: [{ role: 'user', content }] })),
      )
      return { low: estimate.low.units['input'] ?? 0, high: estimate.high.units['input'] ?? 0 }
    }
    const shown = (url: string) => [
      { type: 'text', text: 'Look' },
      { type: 'image_url', image_url: { url } },
    ]
    const plain = await input('looks', 'Look')
    const looks = await input('looks', shown('https://example.com/picture.png'))
    expect(looks.low - plain.low).toBe(2833 + 4 * 5667)
    expect(looks.high - plain.high).toBeGreaterThan(looks.low - plain.low)
    const untold = await input('priced', shown('https://example.com/picture.png'))
    expect(untold.low - plain.low).toBe(1000)
  })

  test('of a stream is no stream', async () => {
    const run = await told(await dry(ask('priced', { stream: true })))
    expect(run).toMatchObject({ object: 'dry_run', stream: true })
  })

  test('of a free model holds nothing, and needs no money', async () => {
    const { key } = await chapar.customer({ usd: '0' })
    const answer = await dry(ask('sandbox/echo'), { authorization: `Bearer ${key}` })
    expect(await told(answer)).toMatchObject({ hold_usd: '0.000000', available_usd: '0.000000' })
  })

  test.each(['true', 'yes', ' 1 ', 'please'])('is one when asked with %p', async (word) => {
    expect(await told(await dry(ask('priced'), { 'x-dry-run': word }))).toMatchObject({
      object: 'dry_run',
    })
  })

  test('costs one of the key’s requests per minute, and says so', async () => {
    const { key } = await chapar.customer({ key: { requestsPerMinute: 2 } })
    const headers = { authorization: `Bearer ${key}` }
    const answers = []
    for (let count = 0; count < 3; count++) answers.push(await dry(ask('priced'), headers))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers.map((each) => each.headers.get('x-ratelimit-remaining'))).toEqual([
      '1',
      '0',
      '0',
    ])
  })
})

test.each(['0', 'false', 'off', ''])('a call that says %p of a dry run is a call', async (word) => {
  const other = await openTestGateway({})
  try {
    const answer = await other.post(ask('sandbox/echo-priced'), { 'x-dry-run': word })
    expect(await answer.json()).toMatchObject({ object: 'chat.completion' })
    expect(Number(answer.headers.get('x-cost-usd'))).toBeGreaterThan(0)
  } finally {
    await other.close()
  }
})

describe('a dry run is refused as the call would be', () => {
  const cap = parseUsd('0.000001')
  test.each([
    ['no money', { usd: '0.000001' }, 'insufficient_credit'],
    ['a spend limit', { key: { spendLimit: cap } }, 'key_spend_limit_reached'],
    ['a project’s month', { project: { monthlyBudget: cap } }, 'project_budget_exceeded'],
    ['an account’s day', { account: { dailyCap: cap } }, 'daily_cap_reached'],
    ['a model the key does not allow', { key: { allowedModels: ['x'] } }, 'model_not_allowed'],
    ['a key that is off', { key: { state: 'disabled' as const } }, 'api_key_disabled'],
    ['a suspended account', { account: { status: 'suspended' as const } }, 'account_suspended'],
  ])('by %s', async (_, options, code) => {
    const { key } = await chapar.customer(options)
    const headers = { authorization: `Bearer ${key}` }
    const [real, tried] = [
      await chapar.post(ask('priced'), headers),
      await dry(ask('priced'), headers),
    ]
    expect(tried.status).toBe(real.status)
    expect(await real.json()).toEqual(await tried.json())
    expect(await codeOf(await dry(ask('priced'), headers))).toBe(code)
  })

  test('by a body, a model, and the switches of the service', async () => {
    expect(await codeOf(await dry('{'))).toBe('invalid_json')
    expect(await codeOf(await dry(ask('nothing')))).toBe('model_not_found')
    const { settings } = chapar.storage
    await settings.set('gateway', 'off')
    await chapar.gateway.reloadSettings()
    expect(await codeOf(await dry(ask('priced')))).toBe('gateway_disabled')
    await settings.unset('gateway')
    await settings.set('streaming', 'off')
    await chapar.gateway.reloadSettings()
    expect(await codeOf(await dry(ask('priced', { stream: true })))).toBe('streaming_disabled')
    await settings.unset('streaming')
    await chapar.gateway.reloadSettings()
  })

  test('by vendors that are off', async () => {
    const { catalogue } = chapar.storage
    await addModel(chapar.storage, 'lost', ['nobody'])
    await chapar.gateway.reloadCatalogue()
    expect(await codeOf(await dry(ask('lost')))).toBe('model_temporarily_unavailable')
    await catalogue.removeModel('lost')
    await chapar.gateway.reloadCatalogue()
  })
})
