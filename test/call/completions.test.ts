import { afterAll, beforeAll, expect, test } from 'bun:test'
import { fieldsOf } from '../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { openStandIn, replies, type StandIn } from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn(replies())
  chapar = await openTestGateway({ vendorUrl: vendor.url })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const send = (body: object): Promise<Response> =>
  fetch(`${chapar.url}/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'priced', prompt: 'Once', ...body }),
  })

test('the vendor is asked for chat, without a ceiling of its own making', async () => {
  const answer = await send({ stop: ['.'], seed: 3, logit_bias: { 1: 2 }, best_of: 1, user: 'me' })
  expect(answer.status).toBe(200)
  const { body = {} } = vendor.seen.at(-1) ?? {}
  expect(body).toMatchObject({
    messages: [{ role: 'user', content: 'Once' }],
    stop: ['.'],
    seed: 3,
    logit_bias: { 1: 2 },
  })
  for (const name of ['max_tokens', 'prompt', 'best_of', 'user'])
    expect(body).not.toHaveProperty(name)
  const { id, choices } = fieldsOf(await answer.json())
  expect(id).toBe(answer.headers.get('x-request-id'))
  expect(choices).toEqual([
    { text: 'Hello from the vendor', index: 0, logprobs: null, finish_reason: 'stop' },
  ])
})

test.each([
  [{ suffix: 'end' }, 'suffix'],
  [{ best_of: 2 }, 'best_of'],
  [{ logprobs: 2 }, 'logprobs'],
  [{ n: 9 }, 'n'],
  [{ echo: 'yes' }, 'echo'],
  [{ made_up: 1 }, 'made_up'],
])('%j would change the answer, and is refused', async (wrong, param) => {
  const count = vendor.seen.length
  const answer = await send(wrong)
  expect(answer.status).toBe(400)
  expect(fieldsOf(fieldsOf(await answer.json())['error'])['param']).toBe(param)
  expect(vendor.seen.length).toBe(count)
})
