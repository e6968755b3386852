import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { openStandIn, wholeReply, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  const models = { bound: {}, thinks: { thinkingBeyond: 5000 } } as const
  chapar = await openTestGateway({
    prepare: addHubVendor({ kind: 'openai', url: vendor.url, models }),
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

/** A vendor that thinks as long as it likes, and ends its answer at the ceiling. */
async function charged(model: string, thought: number) {
  const completion = 100 + thought
  vendor.play(() =>
    wholeReply('Hello', {
      prompt_tokens: 10,
      completion_tokens: completion,
      total_tokens: 10 + completion,
    }),
  )
  const { key } = await chapar.customer({ usd: '100' })
  const body = ask(model, { max_tokens: 100 })
  const response = await chapar.post(body, { authorization: `Bearer ${key}` })
  await response.text()
  await chapar.rest()
  return chapar.storage.reports.call(response.headers.get('x-request-id') ?? '', null)
}

test('thinking that no ceiling binds is paid where the model is known for it', async () => {
  expect(await charged('thinks', 5000)).toMatchObject({ outputTokens: 5100, unpaid: null })
  expect((await charged('thinks', 6000))?.outputTokens).toBe(5100)
  const cut = await charged('bound', 5000)
  expect(cut?.outputTokens).toBe(100)
  expect(cut?.unpaid).not.toBeNull()
})
