import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import {
  openaiStream,
  openStandIn,
  streamReply,
  wholeReply,
  type StandIn,
} from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  // It puts its own words around each prompt, and breaks off streams before it counts.
  vendor = openStandIn(({ body }) =>
    body['stream'] === true
      ? streamReply(openaiStream('word '.repeat(20)), { delayMs: 2, cutAfter: 10 })
      : wholeReply('Hi', { prompt_tokens: 400, completion_tokens: 1, total_tokens: 401 }),
  )
  chapar = await openTestGateway({ vendorUrl: vendor.url })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
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
