import { afterAll, beforeAll, expect, test } from 'bun:test'
import { systemClock } from '../../src/domain/clock'
import type { RefusedCalls } from '../../src/domain/refused-calls'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, replies, type StandIn } from '../support/stand-in'
import { operatorKey } from './operator-visitor'

let vendor: StandIn
let gateway: TestGateway
let key: string

beforeAll(async () => {
  vendor = openStandIn(replies('Hi'))
  gateway = await openTestGateway({ vendorUrl: vendor.url })
  key = await operatorKey(gateway, 'viewer')
})
afterAll(async () => {
  await gateway.close()
  await vendor.close()
})

async function read<Body>(path: string): Promise<Body> {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${new URL(gateway.url).origin}/admin/v1${path}`, { headers })
  return (await response.json()) as Body
}

test('calls are counted where that is asked, and are those of the last days', async () => {
  for (let n = 0; n < 3; n++) {
    const response = await fetch(`${gateway.url}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.key}` },
      body: JSON.stringify(ask('priced')),
    })
    expect(response.status).toBe(200)
    await response.text()
  }
  interface Page {
    readonly data: readonly { id: string }[]
    readonly count?: number
  }
  const counted = await read<Page>('/requests?count=true&max=1&days=2')
  expect([counted.data.length, counted.count]).toEqual([1, 3])
  const plain = await read<Page>('/requests?max=1')
  expect([plain.data.length, plain.count]).toEqual([1, undefined])
  const before = await read<Page>('/requests?count=true&days=1&to=2020-01-01T00:00:00Z')
  expect([before.data.length, before.count]).toEqual([0, 0])
  const [call] = counted.data
  expect(await read(`/requests/${call?.id}`)).toMatchObject({
    elapsed_ms: expect.any(Number) as number,
    vendor_counted: null,
    cost_card: null,
  })
})

test('refused calls are read by whom they are of', async () => {
  const now = systemClock.now()
  const line: RefusedCalls = {
    minute: now,
    code: 'insufficient_credit',
    key: 7 as never,
    project: 7 as never,
    account: 7 as never,
    source: '',
    count: 2,
    endpoint: null,
    address: '192.0.2.7',
    request: 'req_refused' as never,
    time: now,
  }
  await gateway.storage.refusals.add([line])
  const { data } = await read<{ data: object[] }>('/requests/refused?account=7')
  expect(data).toMatchObject([{ count: 2, code: 'insufficient_credit', address: '192.0.2.7' }])
  expect(await read('/requests/refused?account=8')).toEqual({ data: [] })
})

test('a video job that is not there is refused', async () => {
  expect(await read('/videos/vid_none')).toMatchObject({ error: { code: 'video_not_found' } })
  expect(await read('/videos?open=true&project=1')).toEqual({ data: [], next: null })
})
