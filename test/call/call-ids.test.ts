import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { callIdForms, fittingCallId } from '../../src/gateway/formats/call-ids'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { wholeMessage } from '../support/anthropic-stand-in'
import { addHubVendors } from '../support/hub-vendor'
import { openStandIn, replies, type StandIn } from '../support/stand-in'
import { message, responds } from '../support/responses-stand-in'

describe('an id of a call', () => {
  const forms = Object.entries(callIdForms)
  const id = fc.oneof(
    fc.string({ minLength: 1, maxLength: 100 }),
    fc.constantFrom('a.b', 'a:b', 'a_b', 'functions.get_weather:0', 'x'.repeat(41), 'y'.repeat(65)),
  )

  test.each(forms)(
    'fits %s, is left alone where it does, and is never that of another',
    (_, form) => {
      fc.assert(
        fc.property(id, id, (one, other) => {
          const fit = fittingCallId(one, form)
          expect(fit).toMatch(form.fits)
          expect(fittingCallId(fit, form)).toBe(fit)
          if (form.fits.test(one)) expect(fit).toBe(one)
          if (one !== other) expect(fittingCallId(other, form)).not.toBe(fit)
        }),
      )
    },
  )

  test('stays readable', () => {
    expect(fittingCallId('functions.get_weather:0', callIdForms.anthropic)).toMatch(
      /^functions_get_weather_0_[a-z0-9]{13}$/,
    )
  })
})

const vendors = [
  { kind: 'anthropic', name: 'claude', models: { claude: {} } },
  { kind: 'openai', name: 'gpt', models: { gpt: { chat: 'responses' } } },
  { kind: 'openai', name: 'plain', dialect: 'azure', models: { plain: {} } },
] as const
type Name = (typeof vendors)[number]['name']
const names = vendors.map(({ name }): Name => name)

let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({ prepare: addHubVendors(vendor.url, vendors) })
})
beforeEach(() =>
  vendor.play((seen, request) => {
    if (seen.path.endsWith('/messages')) return wholeMessage([{ type: 'text', text: 'ok' }])
    return (seen.path.endsWith('/responses') ? responds([message('ok')]) : replies())(seen, request)
  }),
)
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

/** Ids that clients keep of other vendors: some refuse the signs, some the length. */
const ids = ['functions.f:0', 'functions:f.0', 'call_1', `call_${'x'.repeat(70)}`]

const schema = { type: 'object', properties: {} }
const clients: Readonly<Record<string, { readonly path: string; readonly body: object }>> = {
  chat: {
    path: '/chat/completions',
    body: {
      tools: [{ type: 'function', function: { name: 'f', parameters: schema } }],
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: null,
          tool_calls: ids.map((id) => ({
            id,
            type: 'function',
            function: { name: 'f', arguments: '{}' },
          })),
        },
        ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: 'done' })),
      ],
    },
  },
  messages: {
    path: '/messages',
    body: {
      max_tokens: 100,
      tools: [{ name: 'f', input_schema: schema }],
      messages: [
        { role: 'user', content: 'go' },
        {
          role: 'assistant',
          content: ids.map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })),
        },
        {
          role: 'user',
          content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'done' })),
        },
      ],
    },
  },
  responses: {
    path: '/responses',
    body: {
      tools: [{ type: 'function', name: 'f', parameters: schema }],
      input: [
        { role: 'user', content: 'go' },
        ...ids.map((id) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' })),
        ...ids.map((id) => ({ type: 'function_call_output', call_id: id, output: 'done' })),
      ],
    },
  },
}

/** Ids of calls and of results, as the vendor reads them, in whatever format. */
function idsIn({ messages, input }: Fields): { calls: unknown[]; results: unknown[] } {
  const pieces = [
    ...listOf(messages).flatMap((each) => {
      const { content, tool_calls: calls } = fieldsOf(each)
      return [each, ...listOf(content), ...listOf(calls)]
    }),
    ...listOf(input),
  ].map(fieldsOf)
  const isCall = ({ type }: Fields) =>
    type === 'tool_use' || type === 'function' || type === 'function_call'
  const resultOf = ({ tool_call_id: chat, tool_use_id: messagesId, type, call_id: own }: Fields) =>
    chat ?? messagesId ?? (type === 'function_call_output' ? own : undefined)
  return {
    calls: pieces.filter(isCall).map(({ id, call_id: own }) => own ?? id),
    results: pieces.map(resultOf).filter((each) => each !== undefined),
  }
}

const forms = { claude: 'anthropic', gpt: 'responses', plain: 'openaiChat' } as const

describe.each(Object.entries(clients))(
  'calls of other vendors, from a client of %s',
  (_, client) => {
    test.each(names)('have ids that %s takes, the same on both sides', async (model) => {
      const response = await fetch(chapar.url + client.path, {
        method: 'POST',
        headers: { authorization: `Bearer ${chapar.key}` },
        body: JSON.stringify({ model, ...client.body }),
      })
      expect(response.status).toBe(200)
      const { calls, results } = idsIn(vendor.seen.at(-1)?.body ?? {})
      expect(calls).toEqual(ids.map((id) => fittingCallId(id, callIdForms[forms[model]])))
      expect(results).toEqual(calls)
      expect(new Set(calls).size).toBe(ids.length)
    })
  },
)

test('calls that fit reach Anthropic to the letter, also beside results with blocks', async () => {
  const messages = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'x' }] },
      ],
    },
  ]
  const body = JSON.stringify({ model: 'claude', max_tokens: 100, messages })
  const headers = { authorization: `Bearer ${chapar.key}` }
  await fetch(`${chapar.url}/messages`, { method: 'POST', headers, body })
  expect(vendor.seen.at(-1)?.body['messages']).toEqual(messages)
})
