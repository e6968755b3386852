import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendor } from '../support/hub-vendor'
import { message, responseStream } from '../support/responses-stand-in'
import { openStandIn, streamReply, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  // It breaks off before it counts: what was sent is counted here.
  const events = responseStream([message('word '.repeat(50))])
  vendor = openStandIn(() => streamReply(events, { delayMs: 2, cutAfter: 12 }))
  const models = { gpt: {} } as const
  chapar = await openTestGateway({
    prepare: addHubVendor({ kind: 'openai', url: vendor.url, models }),
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

/** A PNG of 1024 × 768, with as much behind its head as such pictures have. */
function png(): string {
  const bytes = Buffer.alloc(200_000, 7)
  bytes.writeUInt32BE(0x89504e47, 0)
  bytes.writeUInt32BE(1024, 16)
  bytes.writeUInt32BE(768, 20)
  return bytes.toString('base64')
}

const user = { role: 'user', content: 'Hello' }
const screen = (image_url: string) => [
  user,
  { type: 'computer_call', id: 'c', call_id: 'x', action: { type: 'screenshot' } },
  {
    type: 'computer_call_output',
    call_id: 'x',
    output: { type: 'computer_screenshot', image_url },
  },
]

test.each([
  ['a screen', screen(`data:image/png;base64,${png()}`)],
  ['a screen at an address', screen('https://example.com/screen.png')],
  ['one that was made', [user, { type: 'image_generation_call', id: 'i', result: png() }, user]],
])('%s is held and charged as a picture', async (_, input) => {
  const { key } = await chapar.customer()
  const answer = await fetch(`${chapar.url}/responses`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({ model: 'gpt', stream: true, input, max_output_tokens: 100 }),
  })
  await answer.text()
  await chapar.rest()
  const call = await chapar.storage.reports.call(answer.headers.get('x-request-id') ?? '', null)
  expect(call?.status).toBe('error')
  expect(call?.inputTokens).toBeGreaterThan(900)
  expect(call?.inputTokens).toBeLessThan(2000)
  expect(call?.held).toBeLessThan(10_000_000)
})
