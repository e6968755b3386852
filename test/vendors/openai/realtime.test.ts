import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { DialectName } from '../../../src/gateway/vendors/openai/dialects'
import { openConversing, saveVoice, type Conversing } from '../../endpoints/realtime/conversation'
import { settled } from '../../endpoints/realtime/desk'
import { openRealtimeClient } from '../../support/realtime-client'
import { openRealtimeStandIn, type RealtimeStandIn } from '../../support/realtime-stand-in'

/** Where each is asked, below a base address that ends with `/v1`; null: it has no such channel. */
const places: readonly (readonly [DialectName, string | null])[] = [
  ['openai', '/v1/realtime'],
  ['azure', '/v1/realtime'],
  ['xai', '/v1/realtime'],
  ['alibaba', '/api-ws/v1/realtime'],
  ['generic', '/v1/realtime'],
  ['groq', null],
  ['deepseek', null],
]

let vendor: RealtimeStandIn
let it: Conversing
beforeAll(async () => {
  vendor = openRealtimeStandIn()
  it = await openConversing({
    async prepare(storage) {
      for (const [dialect] of places) {
        await storage.catalogue.saveVendor({
          name: `of-${dialect}`,
          kind: 'openai',
          dialect,
          baseUrl: vendor.url,
          credential: `secret-of-${dialect}`,
          timeoutMs: 5000,
          transport: 'own',
          active: true,
          source: 'command',
        })
        await saveVoice(storage, `voice-${dialect}`, [`of-${dialect}`])
      }
    },
  })
})
afterAll(async () => {
  await it.close()
  await vendor.close()
})

const address = (dialect: string) => it.address.replace('=voice', `=voice-${dialect}`)
const headers = () => ({ authorization: `Bearer ${it.chapar.key}` })

describe.each(places.filter(([, place]) => place !== null))('at %s', (dialect, place) => {
  test('the channel is where it has it, with its own credential in its own header', async () => {
    const client = openRealtimeClient(address(dialect), { headers: headers() })
    await client.next('session.created')
    const { path, query, headers: got } = vendor.last()
    expect(path).toBe(place ?? '')
    expect(query.get('model')).toBe(`vendor-voice-${dialect}`)
    const secret = `secret-of-${dialect}`
    expect(got.get('authorization')).toBe(dialect === 'azure' ? null : `Bearer ${secret}`)
    expect(got.get('api-key')).toBe(dialect === 'azure' ? secret : null)
    // Who of ours it was, in a form that says nothing; only where the vendor wants to know.
    const told = got.get('openai-safety-identifier')
    if (dialect === 'openai') expect(told).toMatch(/^[\w-]{16,}$/)
    else expect(told).toBeNull()
    client.close()
    await settled(it)
  })
})

test.each(places.filter(([, place]) => place === null))('%s has none', async (dialect) => {
  const before = vendor.sockets.length
  const client = openRealtimeClient(address(dialect), {
    protocols: ['realtime', `openai-insecure-api-key.${it.chapar.key}`],
  })
  expect((await client.next('error'))['error']).toMatchObject({ code: 'endpoint_not_supported' })
  expect(await client.closed).toMatchObject({ reason: 'endpoint_not_supported' })
  expect(vendor.sockets.length).toBe(before)
  await settled(it)
})
