import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { RequestId } from '../../src/domain/ids'
import type { PriceLine } from '../../src/domain/model'
import { showUsd } from '../../src/domain/money'
import type { RecordedCall } from '../../src/domain/reports/report'
import { readExposition } from '../support/exposition'
import { addModel, addVendor, ask, openTestGateway, type TestGateway } from '../support/gateway'
import { failure, hang, openStandIn, replies, usage, type StandIn } from '../support/stand-in'

const perMillion = (input: string, output: string): readonly PriceLine[] => [
  { meter: 'input', unit: 'million', price: input },
  { meter: 'output', unit: 'million', price: output },
]

const token = 'a-token-of-metrics-0123456789'

let first: StandIn
let second: StandIn
let gateway: TestGateway
beforeEach(async () => {
  first = openStandIn()
  second = openStandIn()
  gateway = await openTestGateway({
    env: { CHAPAR_METRICS_TOKEN: token },
    async prepare(storage) {
      await addVendor(storage, 'first', first.url, 400)
      await addVendor(storage, 'second', second.url)
      await addModel(storage, 'both', ['first', 'second'])
      const lines = { first: perMillion('1', '4'), second: perMillion('1.4', '5') }
      await storage.prices.change(() => ({
        costs: (['first', 'second'] as const).map((vendor) => ({
          vendor,
          vendorModel: 'vendor-model',
          source: 'test',
          lines: lines[vendor],
        })),
      }))
    },
  })
})
afterEach(async () => {
  await gateway.close()
  await first.close()
  await second.close()
})

async function recorded(answer: Response): Promise<RecordedCall> {
  await answer.text()
  await gateway.rest()
  const id = answer.headers.get('x-request-id') as RequestId
  const call = await gateway.storage.reports.call(id, null)
  if (call === null) throw new Error('no record')
  return call
}
const billed = ({ vendorCost, vendorCostEstimated, costCard }: RecordedCall) => ({
  usd: vendorCost === null ? null : showUsd(vendorCost),
  estimated: vendorCostEstimated,
  card: costCard,
})
const byVendor = async () =>
  Object.fromEntries(
    (await gateway.storage.profits.profit({ fromDay: 0, toDay: 99_999, group: 'vendor' })).map(
      (sum) => [sum.key, [sum.calls, showUsd(sum.charged), showUsd(sum.vendorCost)]],
    ),
  )

const scraped = async () => {
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(gateway.url.replace('/v1', '/metrics'), { headers })).text()
}

describe('what a call costs us', () => {
  test('is by the card of the route that answered, on what its vendor counted', async () => {
    // 100 tokens in and 50 out.
    const call = await recorded(await gateway.post(ask('both')))
    expect(billed(call)).toEqual({ usd: '0.000300', estimated: false, card: 1 })
    expect(showUsd(call.cost)).toBe('0.000450')
    first.play(failure(500, { message: 'no' }))
    const other = await recorded(await gateway.post(ask('both', { stream: true })))
    expect(billed(other)).toEqual({ usd: '0.000390', estimated: false, card: 2 })
    expect(await byVendor()).toEqual({
      first: [1, '0.000450', '0.000300'],
      second: [1, '0.000450', '0.000390'],
    })
    expect((await gateway.audit()).ok).toBe(true)
  })

  test('is what a vendor says that it bills, and the customer pays the price all the same', async () => {
    const told = { ...usage, cost: 0.000_123_4, cost_details: { upstream_inference_cost: null } }
    first.play(replies('Hello', told))
    for (const stream of [false, true]) {
      const call = await recorded(await gateway.post(ask('both', { stream })))
      expect(billed(call)).toEqual({ usd: '0.0001234', estimated: false, card: null })
      expect(showUsd(call.cost)).toBe('0.000450')
    }
    // Others use the name for other things.
    first.play(replies('Hello', { ...usage, cost: 7 }))
    const call = await recorded(await gateway.post(ask('both')))
    expect(billed(call)).toEqual({ usd: '0.000300', estimated: false, card: 1 })
  })

  test('is what xAI says that it bills, in ticks of a dollar', async () => {
    first.play(replies('Hello', { ...usage, cost_in_usd_ticks: 318_319_001 }))
    for (const stream of [false, true]) {
      const call = await recorded(await gateway.post(ask('both', { stream })))
      expect(billed(call)).toEqual({ usd: '0.031831901', estimated: false, card: null })
      expect(showUsd(call.cost)).toBe('0.000450')
    }
  })

  test('is its fee and what the seller bills, where the operator has a key of his own there', async () => {
    const byok = { ...usage, cost: 0.000_01, is_byok: true }
    const details = { upstream_inference_cost: 0.000_160_1 }
    first.play(replies('Hello', { ...byok, cost_details: details }))
    for (const stream of [false, true]) {
      const call = await recorded(await gateway.post(ask('both', { stream })))
      expect(billed(call)).toEqual({ usd: '0.0001701', estimated: false, card: null })
    }
    // A fee of nothing is no bill of nothing.
    first.play(replies('Hello', { ...byok, cost: 0, cost_details: {} }))
    const call = await recorded(await gateway.post(ask('both')))
    expect(billed(call)).toEqual({ usd: '0.000300', estimated: false, card: 1 })
  })

  test('is nowhere in what its customer sees', async () => {
    const { id } = await recorded(await gateway.post(ask('both')))
    const headers = { authorization: `Bearer ${gateway.key}` }
    const shown = await (await fetch(`${gateway.url}/requests/${id}`, { headers })).text()
    expect(shown).toContain('"charged_usd":"0.000450"')
    expect(shown).not.toMatch(/vendor|0\.000300/)
  })

  test('is estimated where a vendor was asked in vain that may bill it all the same', async () => {
    first.play(hang)
    const call = await recorded(await gateway.post(ask('both')))
    expect(call.vendor).toBe('second')
    const { usd, estimated, card } = billed(call)
    expect({ estimated, card }).toEqual({ estimated: true, card: 2 })
    // What the second bills, and what the first is taken to have counted.
    expect(Number(usd)).toBeGreaterThan(0.00039)
  })

  test('is there for a client that left, who pays nothing', async () => {
    first.play(hang)
    const leaving = new AbortController()
    const answer = gateway.post(ask('both'), {}, leaving.signal)
    while (first.seen.length === 0) await Bun.sleep(1)
    leaving.abort()
    await answer.catch(() => {})
    await gateway.rest()
    const any = { account: null, project: null, key: null, model: null, status: null, most: 1 }
    const [call] = await gateway.storage.reports.calls({
      from: 0 as never,
      to: 9e14 as never,
      ...any,
    })
    expect(call).toMatchObject({ status: 'cancelled', cost: 0, vendor: null, costCard: 1 })
    expect(call?.vendorCostEstimated).toBe(true)
    expect(call?.vendorCost).toBeGreaterThan(0)
    expect(Object.keys(await byVendor())).toEqual(['first'])
    expect((await gateway.audit()).ok).toBe(true)
  })

  test('is not known where no cost card is, and nothing where a vendor refused', async () => {
    await addModel(gateway.storage, 'unknown', ['elsewhere'])
    await addVendor(gateway.storage, 'elsewhere', first.url)
    await gateway.gateway.reloadCatalogue()
    await gateway.storage.prices.change(() => ({
      costs: [{ vendor: 'elsewhere', vendorModel: 'vendor-model', source: 'test', lines: [] }],
    }))
    const call = await recorded(await gateway.post(ask('unknown')))
    expect(billed(call)).toEqual({ usd: null, estimated: false, card: null })
    first.play(failure(500, { message: 'no' }))
    second.play(failure(500, { message: 'no' }))
    const failed = await recorded(await gateway.post(ask('both')))
    expect(billed(failed)).toEqual({ usd: null, estimated: false, card: null })
  })

  test('takes a new cost from the next call on, and counts it as a metric', async () => {
    await recorded(await gateway.post(ask('both')))
    const lines = perMillion('2', '8')
    const cost = { vendor: 'first', vendorModel: 'vendor-model', source: 'typed by me', lines }
    await gateway.storage.prices.change(() => ({ costs: [cost] }))
    await gateway.gateway.reloadCatalogue()
    first.play(replies())
    const call = await recorded(await gateway.post(ask('both')))
    expect(billed(call)).toEqual({ usd: '0.000600', estimated: false, card: 3 })
    const text = await scraped()
    expect(text).toContain('chapar_vendor_cost_dollars_total{')
    expect(() => readExposition(text)).not.toThrow()
  })
})
