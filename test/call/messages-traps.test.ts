import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { messagesError } from '../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { answers, call } from '../support/google-stand-in'
import { addHubVendor } from '../support/hub-vendor'
import { failure, openStandIn, type StandIn } from '../support/stand-in'
import { leastCpuMs } from '../support/cpu-time'

/*
 * Where translators of this format have failed before: signatures that others want back, names of
 * tools lost on the way, texts that keep a tokenizer busy, credentials of ours told as the client's.
 */

let vendor: StandIn
let gemini: StandIn
let claude: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  gemini = openStandIn()
  claude = openStandIn()
  chapar = await openTestGateway({
    vendorUrl: vendor.url,
    async prepare(storage) {
      const level = { thinking: 'level', reasoning: true } as const
      await addHubVendor({ kind: 'google', url: gemini.url, models: { gemini: level } })(storage)
      await addHubVendor({ kind: 'anthropic', url: claude.url, models: { claude: {} } })(storage)
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await Promise.all([vendor, gemini, claude].map((each) => each.close()))
})

const send = (body: object, path = '/messages'): Promise<Response> =>
  fetch(chapar.url + path, {
    method: 'POST',
    headers: { 'x-api-key': chapar.key },
    body: JSON.stringify({ max_tokens: 1000, ...body }),
  })

const hello = [{ role: 'user', content: 'Hello' }]
const tools = ['weather', 'time'].map((name) => ({ name, input_schema: { type: 'object' } }))

interface Block {
  readonly type: string
  readonly id: string
}

describe('a model of Google', () => {
  test('gets its signatures back, and the names of the tools whose results come', async () => {
    gemini.play(
      answers([
        [{ text: 'Let me look.' }, call('weather', { city: 'تهران' }, 'sig-a'), call('time', {})],
      ]),
    )
    const asked = { model: 'gemini', tools }
    const { content } = (await (await send({ ...asked, messages: hello })).json()) as {
      content: readonly Block[]
    }
    const calls = content.filter(({ type }) => type === 'tool_use')
    expect(calls).toHaveLength(2)
    gemini.play(answers([[{ text: 'Sunny.' }]]))
    const results = calls.map(({ id }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: '{"temperature":31}',
    }))
    await send({
      ...asked,
      messages: [...hello, { role: 'assistant', content }, { role: 'user', content: results }],
    })
    const sent = gemini.seen.at(-1)?.body['contents'] ?? []
    const [, turn, answer] = sent as { parts: object[] }[]
    expect(turn?.parts).toMatchObject([
      { text: 'Let me look.' },
      { functionCall: { name: 'weather' }, thoughtSignature: 'sig-a' },
      { functionCall: { name: 'time' } },
    ])
    expect(answer?.parts).toMatchObject([
      { functionResponse: { name: 'weather', response: { temperature: 31 } } },
      { functionResponse: { name: 'time', response: { temperature: 31 } } },
    ])
  })
})

describe('a text that would keep a tokenizer busy for minutes', () => {
  test.each([
    ['one letter', 'a'.repeat(300_000)],
    ['pairs', 'a-'.repeat(150_000)],
    ['spaces', ' '.repeat(300_000)],
    ['marks', '<|endoftext|>'.repeat(20_000)],
  ])('is counted at once: %s', async (_, text) => {
    const messages = [{ role: 'user', content: [{ type: 'text', text }] }]
    const count = async () => {
      const response = await send({ model: 'claude', messages }, '/messages/count_tokens')
      expect(response.status).toBe(200)
      const { input_tokens: tokens } = (await response.json()) as { input_tokens: number }
      expect(tokens).toBeGreaterThan(100)
    }
    expect(await leastCpuMs(count, 2)).toBeLessThan(1000)
  })
})

describe('a vendor that refuses us', () => {
  test.each([
    [
      'priced',
      () => vendor,
      failure(401, { message: 'Incorrect API key sk-secret', code: 'invalid_api_key' }),
    ],
    [
      'claude',
      () => claude,
      messagesError(401, 'authentication_error', 'invalid x-api-key sk-secret'),
    ],
    ['claude', () => claude, messagesError(403, 'permission_error', 'not for org-secret')],
  ])(
    'is no fault of the client of %s: 502, and nothing of ours is told',
    async (model, of, script) => {
      of().play(script)
      const response = await send({ model, messages: hello })
      expect(response.status).toBe(502)
      const text = await response.text()
      expect(text).toContain('upstream_error')
      expect(text).not.toContain('secret')
    },
  )

  test.each([
    [messagesError(400, 'invalid_request_error', 'Your credit balance is too low'), 429],
    [messagesError(429, 'rate_limit_error', 'slow down', { 'retry-after': '7' }), 429],
    [messagesError(529, 'overloaded_error', 'Overloaded'), 429],
  ])('for want of room or of our money is busy, not broken', async (script, status) => {
    claude.play(script)
    const response = await send({ model: 'claude', messages: hello })
    expect(response.status).toBe(status)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.json()).toMatchObject({
      type: 'error',
      error: { type: 'rate_limit_error' },
    })
  })
})
