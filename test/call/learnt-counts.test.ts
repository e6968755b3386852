import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fieldsOf } from '../../src/gateway/json/fields'
import { wholeMessage } from '../support/anthropic-stand-in'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import {
  openaiStream,
  openStandIn,
  streamReply,
  wholeReply,
  type StandIn,
} from '../support/stand-in'

let vendor: StandIn
let claude: StandIn
let chapar: TestGateway
beforeAll(async () => {
  // It puts its own words around each prompt, and breaks off streams before it counts.
  vendor = openStandIn(({ body }) =>
    body['stream'] === true
      ? streamReply(openaiStream('word '.repeat(20)), { delayMs: 2, cutAfter: 10 })
      : wholeReply('Hi', { prompt_tokens: 400, completion_tokens: 1, total_tokens: 401 }),
  )
  const counted = { input_tokens: 40, output_tokens: 2 }
  claude = openStandIn(() => wholeMessage([{ type: 'text', text: 'Hi' }], 'end_turn', counted))
  chapar = await openTestGateway({
    vendorUrl: vendor.url,
    prepare: addHubVendor({ kind: 'anthropic', url: claude.url, models: { claude: {} } }),
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
  await claude.close()
})

/** Prompt tokens that a cut stream of somebody else is charged. */
async function chargedToOther(model: string): Promise<number> {
  const { key } = await chapar.customer()
  const messages = [{ role: 'user', content: 'An ordinary sentence of some words. '.repeat(500) }]
  const body = { ...ask(model, { stream: true }), messages }
  const answer = await chapar.post(body, { authorization: `Bearer ${key}` })
  await answer.text()
  await chapar.rest()
  const id = answer.headers.get('x-request-id') ?? ''
  return (await chapar.storage.reports.call(id, null))?.inputTokens ?? 0
}

test('what a vendor adds to short prompts is not charged for the long ones of others', async () => {
  const before = await chargedToOther('priced')
  expect(before).toBeGreaterThan(3000)
  for (let calls = 0; calls < 100; calls++) await (await chapar.post(ask('priced'))).text()
  expect((await chargedToOther('priced')) / before).toBeLessThan(1.2)
})

test('tools that wait to be found, which a vendor does not count, teach nothing', async () => {
  const post = async (rest: object, headers: Record<string, string> = {}): Promise<unknown> => {
    const answer = await fetch(`${chapar.url}/messages`, {
      method: 'POST',
      headers: { 'x-api-key': chapar.key, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'claude', max_tokens: 16, ...rest }),
    })
    expect(answer.status).toBe(200)
    return fieldsOf(await answer.json())['estimate']
  }
  const content = 'An ordinary sentence of some words. '.repeat(500)
  const estimated = () => post({ messages: [{ role: 'user', content }] }, { 'x-dry-run': '1' })
  const before = await estimated()
  const search = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' }
  const waiting = { name: 'f', description: content, input_schema: {}, defer_loading: true }
  const messages = [{ role: 'user', content: 'Hi' }]
  for (let calls = 0; calls < 20; calls++) await post({ messages, tools: [search, waiting] })
  await chapar.rest()
  expect(await estimated()).toEqual(before)
})
