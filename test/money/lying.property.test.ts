import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { endpoints } from '../../src/gateway/catalogue/endpoints'
import { nanoUsd, showUsd } from '../../src/domain/money'
import type { EndpointName } from '../../src/domain/model'
import { openTestGateway, type Customer, type TestGateway } from '../support/gateway'
import { mp3 } from '../support/audio-gateway'
import { openRealtimeClient } from '../support/realtime-client'
import { spentIn } from '../storage/folder'
import { openLyingVendors, type Lie, type LyingVendors } from './lying-vendors'

let vendors: LyingVendors
let chapar: TestGateway

beforeAll(async () => {
  vendors = openLyingVendors()
  chapar = await openTestGateway({ prepare: vendors.prepare })
})
afterAll(async () => {
  await chapar.close()
  await vendors.close()
})

interface Call {
  readonly endpoint: EndpointName
  readonly stream: boolean
  readonly ceiling: number | null
  readonly isSearching: boolean
}

const path = (endpoint: EndpointName) => chapar.url + endpoints[endpoint].path.slice('/v1'.length)

/** A body of each endpoint; null for those that are asked in another way. */
function bodyOf({ endpoint, stream, ceiling, isSearching }: Call): object | null {
  const messages = [{ role: 'user', content: 'Hello' }]
  const most = ceiling === null ? {} : { max_tokens: ceiling }
  switch (endpoint) {
    case 'chat': {
      const search = isSearching ? { web_search_options: {} } : {}
      return { model: 'gpt', messages, stream, ...most, ...search }
    }
    case 'completions':
      return { model: 'gpt', prompt: 'Hello', stream, ...most }
    case 'messages': {
      const tools = isSearching ? [{ type: 'web_search_20250305', name: 'web_search' }] : []
      return { model: 'claude', messages, stream, tools, max_tokens: ceiling ?? 16_000 }
    }
    case 'responses': {
      const tools = isSearching ? [{ type: 'web_search' }] : []
      const told = ceiling === null ? {} : { max_output_tokens: Math.max(16, ceiling) }
      return { model: 'gpt', input: 'Hello', stream, tools, ...told }
    }
    case 'compact':
      return { model: 'claude', input: 'Hello' }
    case 'embeddings':
      return { model: 'embed', input: 'Hello' }
    case 'moderations':
      return { model: 'judge', input: 'Hello' }
    case 'images':
      return { model: 'paint', prompt: 'a horse', n: ceiling === null ? 1 : 2 }
    case 'speech':
      return { model: 'speak', input: 'Hello there', voice: 'alloy' }
    case 'music':
      return { model: 'compose', prompt: 'a calm piece' }
    case 'videos':
      return { model: 'film', prompt: 'the sea', seconds: '4', size: '720x1280' }
  }
  return null
}

async function converse(key: string): Promise<void> {
  const address = `${path('realtime').replace('http', 'ws')}?model=voice`
  const client = openRealtimeClient(address, { headers: { authorization: `Bearer ${key}` } })
  try {
    await client.opened
    for (let turn = 0; turn < 2; turn++) {
      client.send({ type: 'response.create' })
      await client.next('response.done')
    }
    client.close()
  } catch {
    // Ended by us, or refused.
  }
  await client.closed
}

/** @returns the status; null of what has none */
async function send(call: Call, key: string): Promise<number | null> {
  const { endpoint } = call
  if (endpoint === 'realtime') {
    await converse(key)
    return null
  }
  const headers = { authorization: `Bearer ${key}` }
  let body: string | FormData
  if (endpoint === 'transcriptions' || endpoint === 'translations') {
    body = new FormData()
    body.append('model', 'listen')
    body.append('file', new Blob([new Uint8Array(mp3)]), 'a.mp3')
  } else body = JSON.stringify(bodyOf(call))
  const response = await fetch(path(endpoint), { method: 'POST', headers, body })
  // A file that ends at the money ends with its connection.
  const text = await response.text().catch(() => '')
  expect(text).not.toContain('internal_error')
  return response.status
}

const call: fc.Arbitrary<Call> = fc.record({
  endpoint: fc.constantFrom(...(Object.keys(endpoints) as EndpointName[])),
  stream: fc.boolean(),
  ceiling: fc.option(fc.integer({ min: 1, max: 4000 })),
  isSearching: fc.boolean(),
})
const lie: fc.Arbitrary<Lie> = fc.record({
  words: fc.integer({ min: 1, max: 600 }),
  input: fc.constantFrom(0, 10, 5000, 1_000_000, 900_000_000),
  output: fc.constantFrom(0, 3, 4000, 100_000, 900_000_000),
})

const caps = ['none', 'key', 'project', 'day', 'verification'] as const
type Cap = (typeof caps)[number]

/** A customer with so much money, or so much room under a cap. */
async function customerWith(cap: Cap, amount: number): Promise<Customer> {
  const limit = nanoUsd(amount)
  const usd = cap === 'none' ? showUsd(limit) : '1000'
  return chapar.customer({
    usd,
    account: { verified: cap !== 'verification', dailyCap: cap === 'day' ? limit : null },
    project: { monthlyBudget: cap === 'project' ? limit : null },
    key: { spendLimit: cap === 'key' ? limit : null },
  })
}

const balanceOf = async ({ account }: Customer): Promise<number> =>
  (await chapar.storage.directory.findAccount(account))?.balance ?? -1

test('no vendor’s count takes a balance below zero, or a sum above its cap', async () => {
  const codes = new Set<number | null>()
  const scene = fc.record({
    calls: fc.array(call, { minLength: 1, maxLength: 12 }),
    lie,
    cap: fc.constantFrom(...caps),
    amount: fc.integer({ min: 1_000_000, max: 1_500_000_000 }),
  })
  await fc.assert(
    fc.asyncProperty(scene, async ({ calls, lie: told, cap, amount: chosen }) => {
      // What may be spent before verification is the same for all.
      const amount = cap === 'verification' ? 2_000_000_000 : chosen
      vendors.lie(told)
      const customer = await customerWith(cap, amount)
      const before = await balanceOf(customer)
      const statuses = await Promise.all(calls.map((each) => send(each, customer.key)))
      for (const status of statuses) codes.add(status)
      expect((await chapar.rest()).held).toBe(0)
      const after = await balanceOf(customer)
      expect(after).toBeGreaterThanOrEqual(0)
      // It paid all that was charged: the service bore nothing of it.
      const charged = { kind: 'account', id: customer.account, period: '' } as const
      expect(Number(await spentIn(chapar.storage, charged))).toBe(before - after)
      expect(before - after).toBeLessThanOrEqual(amount)
    }),
    { numRuns: 60, endOnFailure: true },
  )
  expect((await chapar.audit()).differences).toEqual([])
  // Some were answered, and some had no money.
  expect(codes.has(200)).toBe(true)
  expect(codes.has(402)).toBe(true)
})

test('every endpoint answers, whatever is counted', async () => {
  vendors.lie({ words: 20, input: 900_000_000, output: 900_000_000 })
  const statuses = await Promise.all(
    (Object.keys(endpoints) as EndpointName[]).flatMap((endpoint) =>
      [false, true].map(async (stream) => {
        const customer = await chapar.customer({ usd: '2' })
        const asked = { endpoint, stream, ceiling: 100, isSearching: true }
        const status = await send(asked, customer.key)
        return [endpoint, status, (await balanceOf(customer)) >= 0]
      }),
    ),
  )
  const failed = statuses.filter(
    ([, status, isPaid]) => ![200, null].includes(status as never) || isPaid === false,
  )
  expect(failed).toEqual([])
})
