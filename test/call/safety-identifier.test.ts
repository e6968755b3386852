import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fieldsOf } from '../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { saysGemini } from '../support/google-stand-in'
import { addHubVendor } from '../support/hub-vendor'
import { openStandIn, type StandIn } from '../support/stand-in'

let plain: StandIn
let gemini: StandIn
let chapar: TestGateway
beforeAll(async () => {
  plain = openStandIn()
  gemini = openStandIn(saysGemini())
  chapar = await openTestGateway({
    // Of the generic dialect, whose body has no field for an identifier.
    vendorUrl: plain.url,
    prepare: addHubVendor({ kind: 'google', url: gemini.url, models: { gemini: {} } }),
  })
})
afterAll(async () => {
  await chapar.close()
  await Promise.all([plain.close(), gemini.close()])
})

const said = { messages: [{ role: 'user', content: 'hi' }], max_tokens: 9, user: 'ali@example.org' }
const bodies = {
  '/chat/completions': said,
  '/completions': { prompt: 'hi', user: 'ali@example.org' },
  '/responses': { input: 'hi', user: 'ali@example.org', safety_identifier: 'ali@example.org' },
  '/messages': { ...said, metadata: { user_id: 'ali@example.org' } },
}

/** Identifiers that the vendor was told on each endpoint, in headers. */
async function told(vendor: StandIn, model: string, key: string): Promise<readonly unknown[]> {
  const before = vendor.seen.length
  for (const [path, body] of Object.entries(bodies)) {
    const response = await fetch(chapar.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, ...body }),
    })
    expect([path, response.status]).toEqual([path, 200])
    await response.text()
  }
  const seen = vendor.seen.slice(before)
  for (const { body, headers } of seen) {
    expect(JSON.stringify([fieldsOf(body), [...headers]])).not.toContain('ali@example.org')
    expect(fieldsOf(body)['user']).toBeUndefined()
  }
  return seen.map(({ headers }) => headers.get('openai-safety-identifier'))
}

test.each([
  ['of the reference format', () => plain, 'priced'],
  ['of Google’s format', () => gemini, 'gemini'],
] as const)(
  'a vendor %s without a field reads our identifier in a header',
  async (_, at, model) => {
    const [ids, again] = [await told(at(), model, chapar.key), await told(at(), model, chapar.key)]
    expect(ids).toHaveLength(4)
    expect(ids[0]).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set([...ids, ...again]).size).toBe(1)

    const others = await told(at(), model, (await chapar.customer()).key)
    expect(new Set([...ids, ...others]).size).toBe(2)
  },
)
