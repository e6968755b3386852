import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { systemClock } from '../../src/domain/clock'
import { parseUsd } from '../../src/domain/money'
import { ask, openTestGateway, type Customer, type TestGateway } from '../support/gateway'
import { openStandIn, replies, usage, type StandIn } from '../support/stand-in'
import { setUpOperator, type OperatorVisitor } from './operator-visitor'

/* `priced` costs everybody $1.5 and $6 a million; the stand-in counts 1,000 and 1,000 tokens. */

interface Group {
  readonly id: number
  readonly name: string
  readonly accounts: number
}
interface Account {
  readonly group: number | null
  readonly group_name: string | null
  readonly concurrency: number
  readonly daily_cap_usd: string | null
  readonly own_limits: readonly string[]
}
interface Call {
  readonly charged_usd: string
  readonly price: { origin: string; rule: string | null; group: string | null } | null
}

const everybody = '0.007500'
let vendor: StandIn
let gateway: TestGateway
let owner: OperatorVisitor
let customer: Customer
let groups = 0

beforeAll(async () => {
  vendor = openStandIn(
    replies('Hi', { ...usage, prompt_tokens: 1000, completion_tokens: 1000, total_tokens: 2000 }),
  )
  gateway = await openTestGateway({ vendorUrl: vendor.url, web: true })
  owner = (await setUpOperator(gateway, systemClock)).visitor
  customer = await gateway.customer()
})
afterAll(async () => {
  await gateway.close()
  await vendor.close()
})

const authorization = () => ({ authorization: `Bearer ${customer.key}` })

const made = async (limits: object = {}): Promise<Group> => {
  const { status, body } = await owner.send<Group>('POST', '/groups', {
    name: `group ${++groups}`,
    ...limits,
  })
  expect(status).toBe(200)
  return body
}

const rule = (group: Group, body: object) =>
  owner.send<{ repriced: string[]; below_cost: string[]; rule: { scope: string } }>(
    'PUT',
    `/groups/${group.id}/price-rules`,
    { kind: 'everything', name: '', ...body },
  )

const setAccount = async (body: object): Promise<Account> =>
  (await owner.send<Account>('PATCH', `/accounts/${customer.account}`, body)).body

async function call(): Promise<Call> {
  const answer = await gateway.post(ask('priced'), authorization())
  expect(answer.status).toBe(200)
  const { id } = (await answer.json()) as { id: string }
  return (await owner.send<Call>('GET', `/requests/${id}`)).body
}

const inputPrice = async (headers: object): Promise<string | undefined> => {
  const answer = await fetch(`${gateway.url}/models`, { headers: { ...headers } })
  const { data } = (await answer.json()) as {
    data: { id: string; pricing: { input_per_million: string } }[]
  }
  return data.find(({ id }) => id === 'priced')?.pricing.input_per_million
}

describe('a group of accounts', () => {
  test('pays by its rules from the next call on, and its receipt names the rule', async () => {
    const group = await made()
    const { status, body } = await rule(group, { markup_percent: '-20' })
    expect([status, body.below_cost]).toEqual([200, []])
    expect(body.repriced).toContain('priced')
    expect((await call()).charged_usd).toBe(everybody)
    expect(await setAccount({ group: group.id })).toMatchObject({ group_name: group.name })
    const cheaper = await call()
    expect(cheaper.charged_usd).toBe('0.006000')
    expect(cheaper.price).toEqual({
      origin: 'rule',
      rule: 'everything: -20% on what everybody pays',
      group: group.name,
    })
    await rule(group, {
      kind: 'model',
      name: 'priced',
      markup_percent: '10',
      fee_per_call_usd: '0.5',
    })
    expect((await call()).charged_usd).toBe('0.508250')
    await setAccount({ group: null })
    const { price, charged_usd: charged } = await call()
    expect([charged, price]).toEqual([everybody, { origin: 'typed', rule: null, group: null }])
  })

  test('sees its prices in the list of models, and nobody else does', async () => {
    const group = await made()
    await rule(group, { markup_percent: '-50' })
    await setAccount({ group: group.id })
    expect(await inputPrice(authorization())).toBe('0.75')
    expect(await inputPrice({ 'x-api-key': customer.key })).toBe('0.75')
    expect(await inputPrice({})).toBe('1.5')
    expect(await inputPrice({ authorization: `Bearer ${gateway.key}` })).toBe('1.5')
    expect(await inputPrice({ authorization: 'Bearer sk-chapar-v1-nobody' })).toBe('1.5')
    const one = await fetch(`${gateway.url}/models/priced`, { headers: authorization() })
    expect(await one.json()).toMatchObject({ pricing: { output_per_million: '3' } })
    expect(one.headers.get('vary')).toContain('authorization')
  })

  test('follows what everybody pays', async () => {
    const group = await made()
    await rule(group, { markup_percent: '-10' })
    await setAccount({ group: group.id })
    const prices = { input_per_million: '100', output_per_million: '200' }
    await owner.send('PATCH', '/models/priced', { prices })
    expect((await call()).charged_usd).toBe('0.270000')
    await owner.send('PATCH', '/models/priced', {
      prices: { input_per_million: '1.5', output_per_million: '6' },
    })
  })

  test('that is removed leaves its accounts in none, and its running call as it began', async () => {
    const group = await made()
    await rule(group, { markup_percent: '-20' })
    await setAccount({ group: group.id })
    const held = Promise.withResolvers<void>()
    const answers = replies('Hi', {
      ...usage,
      prompt_tokens: 1000,
      completion_tokens: 1000,
      total_tokens: 2000,
    })
    const asked = Promise.withResolvers<void>()
    vendor.play(async (seen, request) => {
      asked.resolve()
      await held.promise
      return answers(seen, request)
    })
    const running = gateway.post(ask('priced'), authorization())
    await asked.promise
    vendor.play(answers)
    expect((await owner.send('DELETE', `/groups/${group.id}`)).status).toBe(200)
    expect((await call()).charged_usd).toBe(everybody)
    held.resolve()
    const { id } = (await (await running).json()) as { id: string }
    const { body } = await owner.send<Call>('GET', `/requests/${id}`)
    expect([body.charged_usd, body.price?.group]).toEqual(['0.006000', group.name])
    expect(await setAccount({})).toMatchObject({ group: null, group_name: null })
    expect((await owner.send('GET', `/groups/${group.id}`)).status).toBe(404)
    expect((await gateway.storage.prices.state()).groups.has(group.id as never)).toBe(false)
    expect(
      (await owner.send('PATCH', `/accounts/${customer.account}`, { group: group.id })).status,
    ).toBe(404)
  })

  test('gives its limits to accounts that have none of their own', async () => {
    const group = await made({ concurrency: 3, daily_cap_usd: '5', unverified_ceiling_usd: '1' })
    await setAccount({ group: group.id, inherit: ['concurrency', 'daily_cap_usd', 'rpm'] })
    expect(await setAccount({})).toMatchObject({
      concurrency: 3,
      daily_cap_usd: '5.000000',
      own_limits: [],
    })
    expect(await setAccount({ daily_cap_usd: null })).toMatchObject({
      daily_cap_usd: null,
      own_limits: ['daily_cap_usd'],
    })
    await owner.send('PATCH', `/groups/${group.id}`, { concurrency: null })
    expect(await setAccount({})).toMatchObject({ concurrency: 8 })
    const me = await fetch(`${gateway.url}/me`, { headers: authorization() })
    expect(await me.json()).toMatchObject({ limits: { concurrency: 8 } })
    const both = await owner.send<{ error: { code: string } }>(
      'PATCH',
      `/accounts/${customer.account}`,
      { concurrency: 5, inherit: ['concurrency'] },
    )
    expect([both.status, both.body.error.code]).toEqual([400, 'input_invalid'])
  })

  test('lowers what its accounts may spend before verification', async () => {
    const group = await made({ unverified_ceiling_usd: '0.000001' })
    const stranger = await gateway.customer({
      account: { verified: false, group: group.id as never },
    })
    const headers = { authorization: `Bearer ${stranger.key}` }
    const refused = await gateway.post(ask('priced'), headers)
    expect([refused.status, await refused.json()]).toMatchObject([
      403,
      { error: { code: 'kyc_required' } },
    ])
    await owner.send('PATCH', `/groups/${group.id}`, { unverified_ceiling_usd: '0.01' })
    expect((await gateway.post(ask('priced', { max_tokens: 100 }), headers)).status).toBe(200)
    const caps = await owner.send<{ caps: { name: string; limit_usd: string | null }[] }>(
      'GET',
      `/accounts/${stranger.account}`,
    )
    expect(caps.body.caps.find(({ name }) => name === 'verification_ceiling')?.limit_usd).toBe(
      '0.010000',
    )
  })

  test('has a name of its own, which is no number', async () => {
    const group = await made()
    const codeOf = async (
      reply: Promise<{ status: number; body: { error?: { code: string } } }>,
    ) => {
      const { status, body } = await reply
      return [status, body.error?.code]
    }
    const again = owner.send<{ error?: { code: string } }>('POST', '/groups', { name: group.name })
    expect(await codeOf(again)).toEqual([409, 'group_exists'])
    const number = owner.send<{ error?: { code: string } }>('POST', '/groups', { name: '12' })
    expect(await codeOf(number)).toEqual([400, 'input_invalid'])
    const typed = rule(group, { basis: 'typed' }) as never
    expect(await codeOf(typed)).toEqual([400, 'input_invalid'])
    await owner.send('DELETE', `/groups/${group.id}`)
    const reused = owner.send<{ error?: { code: string } }>('POST', '/groups', { name: group.name })
    expect(await codeOf(reused)).toEqual([200, undefined])
  })

  test('says what it is sold below cost', async () => {
    const group = await made()
    await owner.send('PUT', '/vendor-costs', {
      vendor: 'standin',
      vendor_model: 'vendor-model',
      prices: { input_per_million: '1', output_per_million: '4' },
    })
    const { body } = await rule(group, { markup_percent: '-60' })
    expect(body.below_cost).toEqual(['priced'])
    const { body: margin } = await rule(group, { markup_percent: '5', on: 'cost' })
    expect(margin.below_cost).toEqual([])
    expect(margin.repriced).toContain('priced')
    await setAccount({ group: group.id })
    expect((await call()).charged_usd).toBe('0.005250')
    await setAccount({ group: null })
  })
})

test('an account of before groups keeps the limits that were set for it', async () => {
  const { storage } = gateway
  const { id } = await storage.directory.createAccount({ name: 'old', dailyCap: parseUsd('3') })
  const found = await storage.directory.findAccount(id)
  expect(found?.ownLimits).toEqual(['dailyCap'])
})
