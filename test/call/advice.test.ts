import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { nanoUsd } from '../../src/domain/money'
import { fieldsOf } from '../../src/gateway/json/fields'
import { openTestGateway, type TestGateway, type TestGatewayOptions } from '../support/gateway'
import { addHubVendors, claudeVendor, plainVendor } from '../support/hub-vendor'
import { openStandIn, type StandIn } from '../support/stand-in'

/* What a refusal advises is what can be done at the endpoint that it comes from. */

let vendor: StandIn
let chapar: TestGateway
let poor: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  const vendors = [claudeVendor, { kind: 'openai', models: { gpt: {} } }, plainVendor] as const
  chapar = await openTestGateway({ prepare: addHubVendors(vendor.url, vendors) })
  poor = await openTestGateway({ key: { spendLimit: nanoUsd(1) } } satisfies TestGatewayOptions)
})
afterAll(async () => {
  await chapar.close()
  await poor.close()
  await vendor.close()
})

async function refusal(to: TestGateway, path: string, body: object, language: 'en' | 'fa' = 'en') {
  const answer = await fetch(to.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${to.key}`,
      'accept-language': language,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  const { code, param, message, details } = fieldsOf(fieldsOf(await answer.json())['error'])
  const own = fieldsOf(details)['error_code'] ?? code ?? null
  return { status: answer.status, code: own, param, message: String(message) }
}

const messages = [{ role: 'user', content: 'hi' }]

describe('a call above what its key may spend', () => {
  test.each([
    ['/chat/completions', { model: 'sandbox/echo-priced', messages }, 'max_tokens'],
    ['/completions', { model: 'sandbox/echo-priced', prompt: 'hi' }, 'max_tokens'],
    ['/messages', { model: 'sandbox/echo-priced', messages, max_tokens: 9999 }, 'max_tokens'],
    ['/responses', { model: 'sandbox/echo-priced', input: 'hi' }, 'max_output_tokens'],
    ['/images/generations', { model: 'sandbox/draw-priced', prompt: 'a cat' }, null],
    ['/audio/speech', { model: 'sandbox/speak-priced', input: 'hi', voice: 'alloy' }, null],
    ['/videos', { model: 'sandbox/video-priced', prompt: 'a cat' }, null],
  ])('at %s is told what makes it cheaper there', async (path, body, ceiling) => {
    for (const language of ['en', 'fa'] as const) {
      const { status, message } = await refusal(poor, path, body, language)
      expect(status).toBe(402)
      expect(/`(\w+)`/.exec(message)?.[1] ?? null).toBe(ceiling)
    }
  })
})

describe('a tool of a type that no vendor has', () => {
  const types = 'function | custom'
  test.each([
    ['/chat/completions', 'plain', { messages }, types],
    ['/chat/completions', 'gpt', { messages }, types],
    ['/chat/completions', 'claude', { messages }, 'function'],
    ['/responses', 'gpt', { input: 'hi' }, types],
    ['/responses', 'claude', { input: 'hi' }, types],
    ['/messages', 'claude', { messages, max_tokens: 9 }, 'custom | '],
    ['/messages', 'plain', { messages, max_tokens: 9 }, 'custom | '],
  ])('at %s of %s is refused by those that there are', async (path, model, body, allowed) => {
    const tools = [{ type: 'gadget', name: 'gadget' }]
    const { status, code, param, message } = await refusal(chapar, path, { model, ...body, tools })
    expect({ status, code, param }).toEqual({ status: 400, code: null, param: 'tools[0].type' })
    expect(message).toContain(`must be ${allowed}`)
  })

  test.each(['mcp', 'openrouter:datetime', 'gadget_20991231'])(
    'is not %p, which another vendor may have',
    async (type) => {
      const tools = [{ type, name: 'x' }]
      expect(
        await refusal(chapar, '/responses', { model: 'gpt', input: 'hi', tools }),
      ).toMatchObject({ code: 'endpoint_not_supported' })
    },
  )
})

test.each([-1, 0, 1.5, 1e30, '3'])('max_tool_calls of %p is refused', async (most) => {
  for (const [path, body] of [
    ['/responses', { model: 'gpt', input: 'hi' }],
    ['/chat/completions', { model: 'plain', messages }],
  ] as const)
    expect(await refusal(chapar, path, { ...body, max_tool_calls: most })).toMatchObject({
      status: 400,
      param: 'max_tool_calls',
    })
})
