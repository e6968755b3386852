import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import { messagesError, saysMessage } from '../support/anthropic-stand-in'
import { addModel, openTestGateway, type TestGateway } from '../support/gateway'
import {
  message,
  responds,
  response,
  responseStream,
  functionCall,
  reasoningItem,
} from '../support/responses-stand-in'
import {
  openStandIn,
  replies,
  streamReply,
  type Script,
  type SeenRequest,
  type StandIn,
} from '../support/stand-in'

let vendor: StandIn
let chapar: TestGateway
const kinds = {
  gpt: { kind: 'openai', dialect: 'openai', traits: { chat: 'responses' } },
  claude: { kind: 'anthropic', dialect: 'generic', traits: { thinking: 'adaptive' } },
  budgeted: { kind: 'anthropic', dialect: 'generic', traits: { thinking: 'budget' } },
  gemini: { kind: 'google', dialect: 'generic', traits: { thinking: 'level' } },
  router: { kind: 'openai', dialect: 'openrouter', traits: {} },
  imitation: { kind: 'openai', dialect: 'generic', traits: {} },
} as const
type Name = keyof typeof kinds

const configOf = (name: Name, secret = `sk-${name}`) => ({
  name,
  kind: kinds[name].kind,
  dialect: kinds[name].dialect,
  baseUrl: vendor.url,
  credential: secret,
  moreCredentials: [{ name: 'second', secret: `${secret}-second`, active: true }],
  timeoutMs: 10_000,
  transport: 'own' as const,
  active: true,
  source: 'command' as const,
})

beforeAll(async () => {
  vendor = openStandIn()
  chapar = await openTestGateway({
    usd: '100',
    async prepare(storage) {
      for (const name of Object.keys(kinds) as Name[]) {
        await storage.catalogue.saveVendor(configOf(name))
        await addModel(storage, name, [name], kinds[name].traits)
      }
    },
  })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

const post = (path: string, body: object) =>
  fetch(chapar.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${chapar.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }]
const keyOf = ({ headers }: SeenRequest): string | undefined =>
  headers.get('authorization')?.replace('Bearer ', '')
/** @throws Error where the vendor was not asked so often */
function there<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('request missing')
  return value
}
const lastSeen = () => there(vendor.seen.at(-1))
const sealsIn = ({ body }: SeenRequest) =>
  listOf(body['input']).flatMap((item) => {
    const { encrypted_content: sealed } = fieldsOf(item)
    return typeof sealed === 'string' ? [sealed] : []
  })

describe('sealed reasoning that the gateway keeps', () => {
  const begun = [{ role: 'user', content: 'go' }]
  const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }
  const history = [
    ...begun,
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call_1', content: 'done' },
  ]
  const chat = (messages: readonly object[]) =>
    post('/chat/completions', { model: 'gpt', messages, tools })
  const think: Script = (seen, request) =>
    responds([reasoningItem(`sealed for ${keyOf(seen)}`), functionCall('call_1', 'f', '{}')])(
      seen,
      request,
    )

  const cases = {
    'goes back to the credential that sealed it': { limited: [], expected: 1 },
    'does not go to another credential of the vendor': { limited: ['sealer'], expected: 0 },
  }
  test.each(Object.entries(cases))('%s', async (_, { limited, expected }) => {
    vendor.play(think)
    await (await chat(begun)).text()
    const sealer = keyOf(lastSeen())
    vendor.play((seen, request) =>
      limited.length > 0 && keyOf(seen) === sealer
        ? Response.json({ error: { message: 'slow down' } }, { status: 429 })
        : responds([message('ok')])(seen, request),
    )
    const from = vendor.seen.length
    expect((await chat(history)).status).toBe(200)
    const [first, ...rest] = vendor.seen.slice(from)
    expect(sealsIn(there(first))).toEqual([`sealed for ${sealer}`])
    const last = rest.at(-1) ?? there(first)
    expect(keyOf(last) === sealer).toBe(expected === 1)
    expect(sealsIn(last)).toHaveLength(expected)
  })

  test('does not go to a new secret of the same name', async () => {
    vendor.play(think)
    await (await chat(begun)).text()
    await chapar.storage.catalogue.saveVendor(configOf('gpt', 'sk-other'))
    await chapar.gateway.reloadCatalogue()
    vendor.play(responds([message('ok')]))
    expect((await chat(history)).status).toBe(200)
    expect(keyOf(lastSeen())).toStartWith('sk-other')
    expect(sealsIn(lastSeen())).toEqual([])
  })
})

/** A request with sealed reasoning that its client kept, and how its vendor rejects it. */
interface Case {
  readonly model: Name
  readonly path: string
  readonly body: object
  readonly rejection: object
  /** Sealed reasoning in what a vendor was sent. */
  sealed(body: Fields): readonly unknown[]
  readonly answer: Script
  /** What the vendor is sent the second time. */
  readonly again: object
}

const anthropicError = (text: string) => ({
  type: 'error',
  error: { type: 'invalid_request_error', message: text },
})
const openaiError = {
  error: {
    message:
      'The encrypted content gAAA could not be verified. Reason: Encrypted content could not be decrypted or parsed.',
    type: 'invalid_request_error',
    param: null,
    code: 'invalid_encrypted_content',
  },
}
const claudeSays: Script = () =>
  Response.json({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'ok' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 9, output_tokens: 9 },
  })
const geminiSays: Script = () =>
  Response.json({
    candidates: [
      { index: 0, finishReason: 'STOP', content: { role: 'model', parts: [{ text: 'ok' }] } },
    ],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9, totalTokenCount: 18 },
  })
const messagesBody = {
  model: 'claude',
  max_tokens: 100,
  messages: [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'of another account' },
        { type: 'redacted_thinking', data: 'of another account' },
        { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'done' }] },
  ],
}
const claude = (rejection: string): Case => ({
  model: 'claude',
  path: '/messages',
  body: messagesBody,
  rejection: anthropicError(rejection),
  sealed: ({ messages }) =>
    listOf(messages).flatMap((each) =>
      listOf(fieldsOf(each)['content']).filter((block) =>
        /thinking/.test(String(fieldsOf(block)['type'])),
      ),
    ),
  answer: claudeSays,
  again: { messages: [{}, { content: [{ type: 'tool_use', id: 'toolu_1' }] }, {}] },
})
const chatWith = (model: Name, assistant: object, call: object = {}) => ({
  model,
  tools,
  messages: [
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: 'I call.',
      ...assistant,
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' }, ...call },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'done' },
  ],
})
const signed = { extra_content: { google: { thought_signature: 'of another account' } } }

const cases: Readonly<Record<string, Case>> = {
  'Responses, of OpenAI': {
    model: 'gpt',
    path: '/responses',
    body: {
      model: 'gpt',
      input: [
        { role: 'user', content: 'go' },
        { ...reasoningItem('of another account') },
        { ...message('I call.') },
        functionCall('call_1', 'f', '{}'),
        { type: 'function_call_output', call_id: 'call_1', output: 'done' },
      ],
    },
    rejection: openaiError,
    sealed: ({ input }) => listOf(input).filter((item) => fieldsOf(item)['type'] === 'reasoning'),
    answer: responds([message('ok')]),
    again: {
      input: [
        { role: 'user', content: 'go' },
        {
          type: 'message',
          role: 'assistant',
          status: 'completed',
          content: message('I call.').content,
        },
        {
          type: 'function_call',
          call_id: 'call_1',
          name: 'f',
          arguments: '{}',
          status: 'completed',
        },
        { type: 'function_call_output', call_id: 'call_1', output: 'done' },
      ],
    },
  },
  'Messages, of Anthropic: a signature': claude(
    'messages.1.content.0: Invalid `signature` in `thinking` block',
  ),
  'Messages, of Anthropic: data': claude(
    'messages.1.content.1: Invalid `data` in `redacted_thinking` block',
  ),
  'Messages, of Anthropic: changed blocks': claude(
    'messages.1.content.0: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.',
  ),
  'chat, of Google': {
    model: 'gemini',
    path: '/chat/completions',
    body: chatWith('gemini', {}, signed),
    rejection: {
      error: { code: 400, message: 'Corrupted thought signature.', status: 'INVALID_ARGUMENT' },
    },
    sealed: ({ contents }) =>
      listOf(contents).flatMap((each) =>
        listOf(fieldsOf(each)['parts']).filter(
          (part) => fieldsOf(part)['thoughtSignature'] === 'of another account',
        ),
      ),
    answer: geminiSays,
    again: {
      contents: [
        {},
        { parts: [{ text: 'I call.' }, { thoughtSignature: 'skip_thought_signature_validator' }] },
        {},
      ],
    },
  },
  'chat, of OpenRouter': {
    model: 'router',
    path: '/chat/completions',
    body: chatWith('router', { reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] }),
    rejection: {
      error: {
        message: 'Provider returned error',
        code: 400,
        metadata: {
          raw: JSON.stringify(
            anthropicError('messages.1.content.0: Invalid `signature` in `thinking` block'),
          ),
        },
      },
    },
    sealed: ({ messages }) =>
      listOf(messages).flatMap((each) => listOf(fieldsOf(each)['reasoning_details'])),
    answer: replies(),
    again: { messages: [{}, { content: 'I call.', tool_calls: [{ id: 'call_1' }] }, {}] },
  },
  "chat, of Google's imitation of it": {
    model: 'imitation',
    path: '/chat/completions',
    body: chatWith('imitation', {}, signed),
    rejection: {
      error: { code: 400, message: 'Thought signature is not valid', status: 'INVALID_ARGUMENT' },
    },
    sealed: ({ messages }) =>
      listOf(messages).flatMap((each) =>
        listOf(fieldsOf(each)['tool_calls']).filter(
          (call) => fieldsOf(call)['extra_content'] !== undefined,
        ),
      ),
    answer: replies(),
    again: { messages: [{}, { tool_calls: [{ id: 'call_1' }] }, {}] },
  },
}

describe.each(Object.entries(cases))('sealed reasoning that a client sends in %s', (_, one) => {
  let from = 0
  beforeEach(() => (from = vendor.seen.length))
  const asked = () => vendor.seen.slice(from)
  const rejecting: Script = (seen, request) =>
    one.sealed(seen.body).length > 0
      ? Response.json(one.rejection, { status: 400 })
      : one.answer(seen, request)

  test('is left out once its vendor rejects it, and costs nothing', async () => {
    vendor.play(one.answer)
    const plain = await post(one.path, one.body)
    await plain.text()
    const cost = plain.headers.get('x-cost-usd')
    const before = Number((await chapar.rest()).balance)
    from = vendor.seen.length
    vendor.play(rejecting)
    const answer = await post(one.path, one.body)
    expect(answer.status).toBe(200)
    await answer.text()
    expect(answer.headers.get('x-cost-usd')).toBe(cost)
    expect(asked()).toHaveLength(2)
    const [first, second] = asked()
    expect(keyOf(there(second))).toBe(keyOf(there(first)))
    expect(one.sealed(there(first).body).length).toBeGreaterThan(0)
    expect(there(second).body).toMatchObject(one.again)
    expect(before - Number((await chapar.rest()).balance)).toBe(Number(cost) * 1e9)
  })

  test('is rejected as its vendor did where it takes the request no better without', async () => {
    vendor.play(() => Response.json(one.rejection, { status: 400 }))
    const answer = await post(one.path, one.body)
    expect(answer.status).toBe(400)
    expect(asked()).toHaveLength(2)
    // Nothing counts as a failure of the route: the next call goes there.
    vendor.play(one.answer)
    expect((await post(one.path, one.body)).status).toBe(200)
    expect(asked()).toHaveLength(3)
  })

  test('stays where the vendor refuses for another cause', async () => {
    vendor.play(() => Response.json({ error: { message: 'messages: too few' } }, { status: 400 }))
    expect((await post(one.path, one.body)).status).toBe(400)
    expect(asked()).toHaveLength(1)
  })
})

test('a turn that another model began goes on without thinking where its vendor wants some first', async () => {
  const from = vendor.seen.length
  vendor.play((seen, request) =>
    seen.body['thinking'] === undefined
      ? saysMessage('Done.')(seen, request)
      : messagesError(400, 'invalid_request_error', missing)(seen, request),
  )
  const missing =
    'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`.'
  const use = { type: 'tool_use', id: 'call_1', name: 'f', input: {} }
  const unsigned = { type: 'thinking', thinking: 'Hm.', signature: '' }
  const body = {
    model: 'budgeted',
    max_tokens: 9000,
    thinking: { type: 'enabled', budget_tokens: 2000 },
    tools: [{ name: 'f', input_schema: { type: 'object' } }],
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: [unsigned, { type: 'text', text: 'I call.' }, use] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call_1', content: '1' }] },
    ],
  }
  const answer = await post('/messages', body)
  expect([answer.status, vendor.seen.length - from]).toEqual([200, 2])
  await answer.text()
  expect(vendor.seen.at(-1)?.body['messages']).toMatchObject([
    {},
    { content: [{ type: 'text' }, use] },
    {},
  ])
})

test('a request without any is sent once, whatever its vendor says', async () => {
  const from = vendor.seen.length
  vendor.play(() => Response.json(openaiError, { status: 400 }))
  expect((await post('/responses', { model: 'gpt', input: 'go' })).status).toBe(400)
  expect(vendor.seen.length - from).toBe(1)
})

test('a rejection inside a stream that has said nothing is one too', async () => {
  const failed = response([], { status: 'failed', error: { ...openaiError.error }, usage: null })
  const rejects = [
    `event: response.failed\ndata: ${JSON.stringify({ type: 'response.failed', response: failed })}\n\n`,
  ]
  vendor.play((seen) =>
    streamReply(sealsIn(seen).length > 0 ? rejects : responseStream([message('all is well')])),
  )
  const body = { ...cases['Responses, of OpenAI']?.body, stream: true }
  const from = vendor.seen.length
  const answer = await post('/responses', body)
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('all is well')
  expect(vendor.seen.length - from).toBe(2)
})
