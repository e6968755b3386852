import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { fieldsOf, listOf, type Fields } from '../../src/gateway/json/fields'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { addHubVendors } from '../support/hub-vendor'
import { chunk, openStandIn, replies, streamReply, usage, type StandIn } from '../support/stand-in'
import { choicesOf } from '../support/sse'

const dialects = ['generic', 'openrouter'] as const
let vendor: StandIn
let chapar: TestGateway
beforeAll(async () => {
  vendor = openStandIn()
  const vendors = dialects.map(
    (dialect) => ({ kind: 'openai', name: dialect, dialect, models: { [dialect]: {} } }) as const,
  )
  chapar = await openTestGateway({ prepare: addHubVendors(vendor.url, vendors) })
})
afterAll(async () => {
  await chapar.close()
  await vendor.close()
})

/** Of Google's imitation of the chat format, of LiteLLM, of new-api. */
const extra = (signature: string) => ({
  extra_content: { google: { thought_signature: signature } },
})
const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })
const schema = { type: 'object', properties: {} }

let turns = 0
/** A client's first request, and its second as it writes the answer anew; each conversation is another. */
interface Conversation {
  readonly path: string
  readonly first: object
  readonly second: object
}
const clients = {
  chat(): Conversation {
    const begun = [{ role: 'user', content: `go ${++turns}` }]
    const tools = [{ type: 'function', function: { name: 'f', parameters: schema } }]
    const answered = { role: 'assistant', content: null, tool_calls: [call('a'), call('b')] }
    const results = ['a', 'b'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'done' }))
    return {
      path: '/chat/completions',
      first: { messages: begun, tools },
      second: { messages: [...begun, answered, ...results], tools },
    }
  },
  messages(): Conversation {
    const begun = [{ role: 'user', content: `go ${++turns}` }]
    const rest = { max_tokens: 100, tools: [{ name: 'f', input_schema: schema }] }
    const blocks = ['a', 'b'].map((id) => ({ type: 'tool_use', id, name: 'f', input: {} }))
    const results = ['a', 'b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'x' }))
    return {
      path: '/messages',
      first: { messages: begun, ...rest },
      second: {
        messages: [
          ...begun,
          { role: 'assistant', content: blocks },
          { role: 'user', content: results },
        ],
        ...rest,
      },
    }
  },
  responses(): Conversation {
    const begun = [{ role: 'user', content: `go ${++turns}` }]
    const tools = [{ type: 'function', name: 'f', parameters: schema }]
    const items = ['a', 'b'].flatMap((id) => [
      { type: 'function_call', call_id: id, name: 'f', arguments: '{}' },
    ])
    const results = ['a', 'b'].map((id) => ({
      type: 'function_call_output',
      call_id: id,
      output: 'done',
    }))
    return {
      path: '/responses',
      first: { input: begun, tools },
      second: { input: [...begun, ...items, ...results], tools },
    }
  },
}

/** Where vendors send the signatures of two calls. */
const places = {
  'on the delta that opens each call': [
    [{ index: 0, ...call('a'), ...extra('for a') }],
    [{ index: 1, ...call('b'), ...extra('for b') }],
  ],
  'on a later delta': [
    [
      { index: 0, ...call('a') },
      { index: 1, ...call('b') },
    ],
    [{ index: 0, function: { arguments: '' }, ...extra('for a') }],
    [{ index: 1, id: 'b', ...extra('for b') }],
  ],
}
const streamed = (deltas: readonly object[]): string[] => [
  chunk({ role: 'assistant', content: '' }),
  ...deltas.map((calls) => chunk({ tool_calls: calls })),
  chunk({}, 'tool_calls'),
  'data: [DONE]\n\n',
]
const whole = (calls: readonly object[]) => {
  const message = { role: 'assistant', content: null, tool_calls: calls }
  return Response.json({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage })
}
const signedWhole = [
  { ...call('a'), ...extra('for a') },
  { ...call('b'), ...extra('for b') },
]

const send = (path: string, body: object, key = chapar.key) =>
  fetch(chapar.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  })
const signaturesIn = (body: Fields | undefined) =>
  listOf(body?.['messages']).flatMap((message) =>
    listOf(fieldsOf(message)['tool_calls']).map(
      (each) => fieldsOf(fieldsOf(fieldsOf(each)['extra_content'])['google'])['thought_signature'],
    ),
  )
const lastSignatures = () => signaturesIn(vendor.seen.at(-1)?.body)

describe.each(Object.entries(clients))('signatures of calls, for a client of %s', (_, begin) => {
  test.each(Object.entries(places))('streamed %s come back with the turn', async (__, deltas) => {
    for (const model of dialects) {
      const { path, first, second } = begin()
      vendor.play(() => streamReply(streamed(deltas)))
      await (await send(path, { model, stream: true, ...first })).text()
      vendor.play(replies())
      expect((await send(path, { model, ...second })).status).toBe(200)
      expect(lastSignatures()).toEqual(['for a', 'for b'])
    }
  })

  test('sent whole come back with the turn, and with no other', async () => {
    const { path, first, second } = begin()
    vendor.play(() => whole(signedWhole))
    await (await send(path, { model: 'generic', ...first })).text()
    vendor.play(replies())
    const other = await chapar.customer()
    await send(path, { model: 'generic', ...second }, other.key)
    expect(lastSignatures()).toEqual([undefined, undefined])
    await send(path, { model: 'openrouter', ...second })
    expect(lastSignatures()).toEqual([undefined, undefined])
    await send(path, { model: 'generic', ...begin().second })
    expect(lastSignatures()).toEqual([undefined, undefined])
    await send(path, { model: 'generic', ...second })
    expect(lastSignatures()).toEqual(['for a', 'for b'])
  })

  test('that the vendor rejects are left out', async () => {
    const { path, first, second } = begin()
    vendor.play(() => whole(signedWhole))
    await (await send(path, { model: 'generic', ...first })).text()
    const rejection = {
      code: 400,
      message: 'Thought signature is not valid',
      status: 'INVALID_ARGUMENT',
    }
    vendor.play((seen, request) =>
      signaturesIn(seen.body).includes('for a')
        ? Response.json({ error: rejection }, { status: 400 })
        : replies()(seen, request),
    )
    expect((await send(path, { model: 'generic', ...second })).status).toBe(200)
    expect(lastSignatures()).toEqual([undefined, undefined])
  })
})

describe('a chat client', () => {
  test.each(Object.entries(places))('gets signatures %s', async (_, deltas) => {
    vendor.play(() => streamReply(streamed(deltas)))
    const { path, first } = clients.chat()
    const answer = await send(path, { model: 'generic', stream: true, ...first })
    const calls = choicesOf(await answer.text()).flatMap(({ delta }) => listOf(delta['tool_calls']))
    const signed = calls.filter((each) => 'extra_content' in fieldsOf(each))
    expect(signed).toMatchObject([
      { index: 0, ...extra('for a') },
      { index: 1, ...extra('for b') },
    ])
  })

  test.each(['in the reference shape', 'in another'])('gets them whole, %s', async (shape) => {
    const calls =
      shape === 'in another' ? signedWhole.map(({ type: _, ...each }) => each) : signedWhole
    vendor.play(() => whole(calls))
    const { path, first } = clients.chat()
    const reply = fieldsOf(await (await send(path, { model: 'generic', ...first })).json())
    expect(reply).toMatchObject({ choices: [{ message: { tool_calls: signedWhole } }] })
  })
})
