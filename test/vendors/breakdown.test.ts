import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ask, openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, streamReply, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({ vendorUrl: vendor.url })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const choice = (rest: object) => ({ choices: [{ index: 0, ...rest }] })
const balance = async () => Number((await chapar.rest()).balance)

test('a whole answer that says the vendor broke down is an error and costs nothing', async () => {
  const before = await balance()
  const message = { role: 'assistant', content: 'Half an' }
  vendor.play(() => Response.json(choice({ message, finish_reason: 'network_error' })))
  const response = await chapar.post(ask('priced'))
  expect(response.status).toBe(502)
  expect(await response.text()).toContain('"upstream_error"')
  expect(await balance()).toBe(before)
})

test('a stream that says so midway is interrupted and charged for what was sent', async () => {
  const before = await balance()
  const events = [
    choice({ delta: { role: 'assistant', content: 'Half an' } }),
    choice({ delta: {}, finish_reason: 'network_error' }),
  ]
  vendor.play(() => streamReply(events.map((each) => `data: ${JSON.stringify(each)}\n\n`)))
  const text = await (await chapar.post(ask('priced', { stream: true }))).text()
  expect(text).toContain('Half an')
  expect(text).toContain('"stream_interrupted"')
  expect(text).toEndWith('data: [DONE]\n\n')
  expect(await balance()).toBeLessThan(before)
})

test.each([
  ['sandbox/error-upstream_rejected', 400, 'upstream_rejected'],
  ['sandbox/error-upstream_rate_limited', 429, 'upstream_rate_limited'],
  ['sandbox/error-upstream_capacity_full', 429, 'upstream_capacity_full'],
  ['sandbox/error-upstream_error', 502, 'upstream_error'],
  ['sandbox/error-upstream_unreachable', 502, 'upstream_unreachable'],
  ['sandbox/error-stream_interrupted', 502, 'upstream_error'],
  ['sandbox/error-model_temporarily_unavailable', 503, 'model_temporarily_unavailable'],
])('%s meets the client as %d %s', async (model, status, code) => {
  const response = await chapar.post(ask(model))
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject({ error: { code } })
})

test('sandbox/error-stream_interrupted-priced sends some words, breaks, and is charged for them', async () => {
  const before = await balance()
  const response = await chapar.post(
    ask('sandbox/error-stream_interrupted-priced', { stream: true }),
  )
  const text = await response.text()
  expect(response.status).toBe(200)
  expect(text).toContain('"stream_interrupted"')
  expect(text).toContain('This')
  expect(await balance()).toBeLessThan(before)
})

test('sandbox/error-timeout lets go at once when the client leaves', async () => {
  const leaving = new AbortController()
  const call = chapar
    .post(ask('sandbox/error-timeout'), {}, leaving.signal)
    .catch((thrown: unknown) => thrown)
  setTimeout(() => leaving.abort(), 20)
  expect(await call).toMatchObject({ name: 'AbortError' })
  expect(await chapar.rest()).toMatchObject({ held: 0, slots: 0 })
})
