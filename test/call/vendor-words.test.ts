import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fieldsOf, type Fields } from '../../src/gateway/json/fields'
import { messageEvent, messageStart, textBlock } from '../support/anthropic-stand-in'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { geminiEvent, geminiStream } from '../support/google-stand-in'
import { addHubVendors, vendorsOfFormats } from '../support/hub-vendor'
import { greet } from '../support/paid-calls'
import { message, responseStream } from '../support/responses-stand-in'
import { chunk, event, openStandIn, streamReply, type StandIn } from '../support/stand-in'

/*
 * A vendor that fails in the middle of an answer says why: its client gets those words, in whichever format it
 * speaks, and pays for what was sent.
 */

let vendor: StandIn
let chapar: TestGateway

beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({ prepare: addHubVendors(vendor.url, vendorsOfFormats) })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

interface Failure {
  readonly model: string
  readonly events: readonly string[]
  readonly code: string
  readonly type: string
  /** The vendor's words; null where they are not for clients. */
  readonly said: string | null
}

const half = chunk({ role: 'assistant', content: 'Half an' })
const refused = { type: 'invalid_request_error', code: 'upstream_rejected' }
const interrupted = { type: 'upstream_error', code: 'stream_interrupted' }
const flooded = { type: 'rate_limit_error', code: 'upstream_capacity_full' }
const messagesBegun = [messageStart(), ...textBlock(0, 'Half an')]
const messagesFailure = (type: string, words: string) =>
  messageEvent({ type: 'error', error: { type, message: words } })
const responsesFailure = (code: string, words: string) =>
  responseStream([message('Half an')], { status: 'failed', error: { code, message: words } })

const failures: Readonly<Record<string, Failure>> = {
  'Groq, of a broken call': {
    model: 'chat',
    events: [
      half,
      `event: error\n${event({
        error: {
          message: 'Failed to call a function. Adjust your prompt.',
          type: 'invalid_request_error',
          code: 'tool_use_failed',
          failed_generation: '<function=f>{"a":',
          status_code: 400,
        },
      })}`,
    ],
    ...refused,
    said: 'Failed to call a function',
  },
  'OpenRouter, in a chunk': {
    model: 'chat',
    events: [
      half,
      event({
        error: { code: 400, message: 'Token limit reached' },
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      }),
    ],
    ...refused,
    said: 'Token limit reached',
  },
  'llama.cpp, in a field of its own': {
    model: 'chat',
    events: [half, 'error: {"code":500,"message":"failed to decode","type":"server_error"}\n\n'],
    ...interrupted,
    said: 'failed to decode',
  },
  'a vendor of chat whose capacity is full': {
    model: 'chat',
    events: [half, event({ error: { code: 503, message: 'no room left for sk-abcdef123456' } })],
    ...flooded,
    said: 'no room left for …',
  },
  'a vendor of chat that does not know our key': {
    model: 'chat',
    events: [half, event({ error: { code: 401, message: 'who are you' } })],
    ...interrupted,
    said: null,
  },
  'a vendor of chat whose account is empty': {
    model: 'chat',
    events: [half, event({ error: { code: 402, message: 'pay up' } })],
    ...flooded,
    said: null,
  },
  'Anthropic, refusing': {
    model: 'claude',
    events: [...messagesBegun, messagesFailure('invalid_request_error', 'a bad image')],
    ...refused,
    said: 'a bad image',
  },
  'Anthropic, overloaded': {
    model: 'claude',
    events: [...messagesBegun, messagesFailure('overloaded_error', 'Overloaded')],
    ...flooded,
    said: 'Overloaded',
  },
  'Responses, that fail': {
    model: 'responses',
    events: responsesFailure('server_error', 'it broke'),
    ...interrupted,
    said: 'it broke',
  },
  'Responses, that are refused': {
    model: 'responses',
    events: responsesFailure('invalid_prompt', 'against the rules'),
    ...refused,
    said: 'against the rules',
  },
  Google: {
    model: 'gemini',
    events: [
      ...geminiStream([[{ text: 'Half an' }]], null),
      geminiEvent({ error: { code: 503, message: 'overloaded', status: 'UNAVAILABLE' } }),
    ],
    ...flooded,
    said: 'overloaded',
  },
}

/** The error that ends a stream, by the endpoint's format. */
const errorIn: Readonly<Record<string, (events: readonly Fields[]) => Fields>> = {
  '/chat/completions': (all) => fieldsOf(all.find((each) => 'error' in each)?.['error']),
  '/messages': (all) => fieldsOf(all.find(({ type }) => type === 'error')?.['error']),
  '/responses': (all) =>
    fieldsOf(fieldsOf(all.find(({ type }) => type === 'response.failed')?.['response'])['error']),
}

async function asked(path: string, model: string): Promise<readonly Fields[]> {
  const response = await greet(chapar, path, { model, stream: true })
  expect(response.status).toBe(200)
  const text = await response.text()
  expect(text).toContain('Half')
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => fieldsOf(JSON.parse(line.slice(6))))
}

describe.each(Object.entries(failures))('%s', (_, { model, events, code, type, said }) => {
  test.each(Object.keys(errorIn))('is passed on by %s', async (path) => {
    vendor.play(() => streamReply([...events]))
    const before = Number((await chapar.rest()).balance)
    const all = await asked(path, model)
    const error = errorIn[path]?.(all) ?? {}
    const words = String(error['message'])
    expect(error['code']).toBe(code)
    if (path !== '/responses') expect(error['type']).toBe(type)
    expect(words).toContain('hat was sent is charged')
    if (said === null) expect(words).not.toContain('It said')
    else expect(words).toContain(`It said: ${said}`)
    const { held, slots, balance } = await chapar.rest()
    expect({ held, slots }).toEqual({ held: 0, slots: 0 })
    expect(Number(balance)).toBeLessThan(before)
    expect((await chapar.audit()).differences).toEqual([])
  })
})

test('in Persian too, each word in its direction', async () => {
  const { events } = failures['OpenRouter, in a chunk'] ?? { events: [] }
  vendor.play(() => streamReply([...events]))
  const body = { model: 'chat', messages: [{ role: 'user', content: 'Hi' }], stream: true }
  const response = await chapar.post(body, { 'accept-language': 'fa' })
  const text = await response.text()
  expect(text).toContain('فقط هزینهٔ بخشی که فرستاده شد حساب می‌شود')
  expect(text).toContain('Token limit reached')
  expect(text).not.toContain('هزینه‌ای کم نشد')
})
