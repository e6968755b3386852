import { describe, expect, test } from 'bun:test'
import type { Traits } from '../../../src/domain/model'
import { isGatewayError } from '../../../src/errors/gateway-error'
import { checkChatBody } from '../../../src/gateway/formats/chat/schema'
import type { Fields } from '../../../src/gateway/json/fields'
import { closedSchema } from '../../../src/gateway/formats/messages/json-schema'
import { renderMessagesRequest } from '../../../src/gateway/formats/messages/render-request'

const adaptive: Traits = {
  thinking: 'adaptive',
  efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'],
  drop: ['temperature', 'top_p'],
}
const budget: Traits = { thinking: 'budget', efforts: ['none', 'minimal', 'low', 'medium', 'high'] }
const unforced: Traits = { ...adaptive, forcedTool: false }

interface Asked {
  readonly traits?: Traits
  readonly maxOutputTokens?: number | null
  readonly recall?: (call: object) => unknown
}

const render = (
  body: object,
  { traits = {}, maxOutputTokens = 64_000, recall }: Asked = {},
): Fields =>
  renderMessagesRequest({
    body: checkChatBody({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...body }),
    model: 'claude',
    traits,
    maxOutputTokens,
    safetyId: 'opaque',
    stream: false,
    search: null,
    recall: recall ?? (() => undefined),
  })

const refusal = (body: object, asked: Asked = {}): string => {
  try {
    render(body, asked)
  } catch (thrown) {
    if (isGatewayError(thrown)) return `${thrown.code} ${thrown.param}`
    throw thrown
  }
  return 'not refused'
}

const user = (content: unknown) => ({ role: 'user', content })
const text = (said: string) => ({ type: 'text', text: said })
const called = (id: string, args = '{}', name = 'f') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
})
const assistant = (content: string | null, ...tool_calls: object[]) => ({
  role: 'assistant',
  content,
  ...(tool_calls.length > 0 ? { tool_calls } : {}),
})
const result = (tool_call_id: string, content: unknown) => ({ role: 'tool', tool_call_id, content })
const use = (id: string, input: object = {}) => ({ type: 'tool_use', id, name: 'f', input })
const f = { type: 'function', function: { name: 'f', parameters: { type: 'object' } } }
const g = { type: 'function', function: { name: 'g', description: 'does g' } }

describe('a whole request', () => {
  test('is to the letter what the format has', () => {
    const body = {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'developer', content: [text('Be kind.')] },
        user('What is the weather?'),
      ],
      max_tokens: 500,
      max_completion_tokens: 400,
      temperature: 1.7,
      top_p: 0.5,
      stop: ['END', ''],
      tools: [f, g],
      tool_choice: 'required',
      parallel_tool_calls: false,
      user: 'ali',
      top_k: 7,
      presence_penalty: 0,
      logit_bias: {},
      store: true,
      service_tier: 'priority',
    }
    expect(render(body)).toEqual({
      model: 'claude',
      max_tokens: 400,
      system: [text('Be brief.'), text('Be kind.')],
      messages: [user([text('What is the weather?')])],
      tools: [
        { name: 'f', input_schema: { type: 'object' } },
        { name: 'g', description: 'does g', input_schema: { type: 'object', properties: {} } },
      ],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      top_k: 7,
      temperature: 1,
      stop_sequences: ['END'],
      metadata: { user_id: 'opaque' },
    })
  })

  test.each([
    [{}, 64_000, 64_000],
    [{ max_tokens: 100_000 }, 64_000, 64_000],
    [{}, null, 8192],
    [{ max_tokens: 100_000 }, null, 100_000],
  ])('of %j to a model of at most %p asks for %p tokens', (body, maxOutputTokens, wanted) => {
    expect(render(body, { maxOutputTokens })['max_tokens']).toBe(wanted)
  })
})

describe('messages', () => {
  const rendered = (...messages: object[]) => render({ messages })['messages']

  test('all results of one turn stand first in the turn behind their calls', () => {
    expect(
      rendered(
        user('go'),
        assistant('', called('a'), called('b', '{"x":1}')),
        result('b', [text('two')]),
        result('a', 'one'),
        user('and?'),
        user('well?'),
      ),
    ).toEqual([
      user([text('go')]),
      { role: 'assistant', content: [use('a'), use('b', { x: 1 })] },
      user([
        { type: 'tool_result', tool_use_id: 'a', content: 'one' },
        { type: 'tool_result', tool_use_id: 'b', content: 'two' },
        text('and?'),
        text('well?'),
      ]),
    ])
  })

  test('a call without a result gets one, a result without a call becomes text', () => {
    expect(
      rendered(user('go'), assistant(null, called('a')), result('zzz', 'lost'), user('so?')),
    ).toEqual([
      user([text('go')]),
      { role: 'assistant', content: [use('a')] },
      user([
        { type: 'tool_result', tool_use_id: 'a', content: 'no result', is_error: true },
        text('[result of the tool call zzz]\n'),
        text('lost'),
        text('so?'),
      ]),
    ])
  })

  test('an instruction between a call and its result waits for it', () => {
    expect(
      rendered(
        user('go'),
        assistant(null, called('a')),
        { role: 'system', content: 'careful' },
        result('a', 'one'),
      ),
    ).toEqual([
      user([text('go')]),
      { role: 'assistant', content: [use('a')] },
      user([
        { type: 'tool_result', tool_use_id: 'a', content: 'one' },
        text('<system>careful</system>'),
      ]),
    ])
  })

  test('text around calls is kept, empty and blank texts are not sent', () => {
    expect(
      rendered(user(['', 'a', ''].map(text)), assistant(' '), assistant('first'), user('b')),
    ).toEqual([
      user([text('a')]),
      { role: 'assistant', content: [text('first')] },
      user([text('b')]),
    ])
  })

  test('an answer to be continued ends without white space', () => {
    expect(rendered(user('go'), assistant('Once upon \n'))).toEqual([
      user([text('go')]),
      { role: 'assistant', content: [text('Once upon')] },
    ])
  })

  test('instructions alone are a question', () => {
    expect(render({ messages: [{ role: 'system', content: 'Say hi' }] })).toMatchObject({
      messages: [user([text('Say hi')])],
    })
  })

  test('ids that the format refuses are replaced, in the call and in its result alike', () => {
    const messages = [user('go'), assistant(null, called('a:b.c')), result('a:b.c', 'one')]
    const { messages: out } = render({ messages })
    const id: unknown = expect.stringMatching(/^a_b_c_[a-z0-9]{13}$/)
    expect(out).toMatchObject([{}, { content: [{ id }] }, { content: [{ tool_use_id: id }] }])
  })

  test('an id that comes again in a later turn is another one, with its result', () => {
    const messages = ['one', 'two'].flatMap((said) => [
      assistant(null, called('a'), called('b')),
      result('a', said),
      result('b', said),
    ])
    const { messages: out } = render({ messages: [user('go'), ...messages] })
    const again: unknown = expect.stringMatching(/^a_2_[a-z0-9]{13}$/)
    expect(out).toMatchObject([
      {},
      { content: [{ id: 'a' }, { id: 'b' }] },
      { content: [{ tool_use_id: 'a', content: 'one' }, { tool_use_id: 'b' }] },
      { content: [{ id: again }, {}] },
      { content: [{ tool_use_id: again, content: 'two' }, {}] },
    ])
  })

  test('the retired form of calls is understood', () => {
    const old = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }
    const answer = { role: 'function', name: 'f', content: 'one' }
    const functions = [{ name: 'f', parameters: { type: 'object' } }]
    const out = render({ messages: [user('go'), old, answer], functions, function_call: 'auto' })
    expect(out).toMatchObject({
      tools: [{ name: 'f' }],
      tool_choice: { type: 'auto' },
      messages: [
        {},
        { content: [{ type: 'tool_use' }] },
        { content: [{ type: 'tool_result', content: 'one' }] },
      ],
    })
  })

  test.each([
    [[user([{ type: 'input_audio', input_audio: { data: 'AA', format: 'wav' } }])], 'messages'],
    [[user([{ type: 'odd' }])], 'messages[0].content[0].type'],
    [
      [user([{ type: 'image_url', image_url: { url: 'data:image/png,abc' } }])],
      'messages[0].content[0].image_url.url',
    ],
  ])('%j is refused, naming %s', (messages, param) => {
    expect(refusal({ messages })).toBe(`invalid_message ${param}`)
  })
})

describe('tools', () => {
  const named = { type: 'function', function: { name: 'g' } }
  const choice = (tool_choice: unknown, traits: Traits = {}, rest: object = {}) =>
    render({ tools: [f, g], tool_choice, ...rest }, { traits })

  test.each([
    ['none', { type: 'none' }],
    ['auto', { type: 'auto' }],
    ['required', { type: 'any' }],
    [named, { type: 'tool', name: 'g' }],
  ])('tool_choice %j is %j', (asked, wanted) => {
    expect(choice(asked)['tool_choice']).toEqual(wanted)
  })

  test.each(['none', 'auto', 'required', named])(
    'parallel_tool_calls false goes with %j, never with none',
    (asked) => {
      const told = choice(asked, {}, { parallel_tool_calls: false })['tool_choice']
      if (asked === 'none') expect(told).toEqual({ type: 'none' })
      else expect(told).toMatchObject({ disable_parallel_tool_use: true })
    },
  )

  test('is refused where a call cannot be forced', () => {
    for (const asked of ['required', named])
      expect(() => choice(asked, unforced)).toThrow(
        expect.objectContaining({ code: 'endpoint_not_supported', param: 'tool_choice' }),
      )
    expect(choice('auto', unforced)).toMatchObject({ tool_choice: { type: 'auto' } })
  })

  test.each([budget, adaptive])('a forced call is firmer than thinking', (traits) => {
    const thinking = { reasoning_effort: 'high' }
    const forced = choice('required', traits, thinking)
    expect(forced).toMatchObject({ tool_choice: { type: 'any' } })
    expect(forced).not.toHaveProperty('thinking')
    expect(choice(named, traits, thinking)).toMatchObject({
      tool_choice: { type: 'tool', name: 'g' },
    })
    expect(choice('auto', traits, thinking)).toHaveProperty('thinking')
  })

  test('of a list of allowed tools only those are offered', () => {
    const allowed_tools = { mode: 'required', tools: [named] }
    expect(choice({ type: 'allowed_tools', allowed_tools })).toMatchObject({
      tools: [{ name: 'g' }],
      tool_choice: { type: 'any' },
    })
  })

  test('a history with calls needs its tools, though none is offered', () => {
    const messages = [user('go'), assistant(null, called('a')), result('a', 'one')]
    expect(render({ messages })).toMatchObject({
      tools: [{ name: 'f', input_schema: { type: 'object', properties: {} } }],
      tool_choice: { type: 'none' },
    })
  })

  test('strict is kept where the schema can be held to', () => {
    const tool = (parameters: object) => ({
      type: 'function',
      function: { name: 'f', strict: true, parameters },
    })
    const open = { type: 'object', additionalProperties: { type: 'string' } }
    const props = { type: 'object', properties: { a: { type: 'string', maxLength: 3 } } }
    expect(render({ tools: [tool(props), tool(open)] })['tools']).toEqual([
      {
        name: 'f',
        strict: true,
        input_schema: {
          type: 'object',
          properties: { a: { type: 'string', description: 'maxLength: 3' } },
          additionalProperties: false,
        },
      },
      { name: 'f', input_schema: open },
    ])
  })

  test('that are no functions are refused', () => {
    expect(refusal({ tools: [f, { type: 'web_search' }] })).toBe('invalid_field tools[1].type')
  })
})

describe('thinking', () => {
  const asks = (reasoning_effort: string, traits: Traits, rest: object = {}, asked: Asked = {}) => {
    const { thinking, output_config } = render({ reasoning_effort, ...rest }, { traits, ...asked })
    return { thinking, output_config }
  }
  const enabled = (budget_tokens: number) => ({ type: 'enabled', budget_tokens })

  test.each([
    ['minimal', 1024],
    ['low', 1024],
    ['medium', 8192],
    ['high', 24_576],
    ['xhigh', 24_576],
  ])('%s is a budget of %d where the model has budgets', (effort, tokens) => {
    expect(asks(effort, budget)).toEqual({ thinking: enabled(tokens), output_config: undefined })
  })

  test('a budget stays below the ceiling, and is none where there is no room', () => {
    expect(asks('high', budget, { max_tokens: 5000 }).thinking).toEqual(enabled(4999))
    expect(asks('high', budget, { max_tokens: 1024 }).thinking).toBeUndefined()
  })

  test.each([
    ['minimal', 'low'],
    ['medium', 'medium'],
    ['xhigh', 'xhigh'],
    ['max', 'max'],
  ])('%s is effort %s where the model weighs it itself', (effort, wanted) => {
    expect(asks(effort, adaptive)).toEqual({
      thinking: { type: 'adaptive' },
      output_config: { effort: wanted },
    })
  })

  test('none is no thinking, or as little as a model can that never stops', () => {
    expect(asks('none', adaptive).thinking).toEqual({ type: 'disabled' })
    expect(asks('none', { ...adaptive, efforts: ['low', 'high'] })).toEqual({
      thinking: { type: 'adaptive' },
      output_config: { effort: 'low' },
    })
    expect(asks('high', { efforts: [] })).toEqual({ thinking: undefined, output_config: undefined })
  })

  test('sampling does not go with it, nor to a model that refuses it', () => {
    const sampling = { temperature: 0.3, top_p: 0.2 }
    expect(render({ ...sampling, reasoning_effort: 'low' }, { traits: budget })).not.toHaveProperty(
      'temperature',
    )
    const out = render(sampling, { traits: adaptive })
    expect(out).not.toHaveProperty('temperature')
    expect(out).not.toHaveProperty('top_p')
    expect(render({ top_p: 0.2 })).toMatchObject({ top_p: 0.2 })
  })

  const loop = [
    user('go'),
    assistant('ok', called('a'), called('b')),
    result('a', '1'),
    result('b', '2'),
  ]
  const kept = (before: number, thinking: string) => ({
    before,
    block: { type: 'thinking', thinking, signature: `sig ${thinking}` },
  })
  const recall = (call: object) =>
    'id' in call && (call.id === 'a' || call.id === 'b') ? [kept(0, 'x'), kept(1, 'y')] : undefined

  test('what was thought comes back where it stood', () => {
    const out = render(
      { messages: loop, reasoning_effort: 'high', tools: [f] },
      { traits: budget, recall },
    )
    expect(out['thinking']).toEqual(enabled(24_576))
    expect(out['messages']).toMatchObject([
      {},
      {
        content: [
          { type: 'thinking', thinking: 'x', signature: 'sig x' },
          text('ok'),
          use('a'),
          { type: 'thinking', thinking: 'y', signature: 'sig y' },
          use('b'),
        ],
      },
      {},
    ])
  })

  test('without it a budget is left off while a loop of calls is open, and only then', () => {
    expect(asks('high', budget, { messages: loop }).thinking).toBeUndefined()
    expect(asks('high', adaptive, { messages: loop }).thinking).toEqual({ type: 'adaptive' })
    // Pictures of results are one message with them.
    expect(asks('high', budget, { messages: [...loop, user('see')] }).thinking).toBeUndefined()
    const later = [...loop, assistant('done'), user('thanks')]
    expect(asks('high', budget, { messages: later }).thinking).toEqual(enabled(24_576))
  })
})

describe('the form of an answer', () => {
  const schema = (inner: object) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'a', schema: inner } },
  })
  const map = { type: 'object', additionalProperties: { type: 'number' } }
  const point = { type: 'object', properties: { x: { type: 'number' } } }

  test('has a field, a forced tool where the field cannot say it, or words', () => {
    expect(render(schema(point))).toMatchObject({
      output_config: { format: { type: 'json_schema' } },
    })
    expect(render(schema(map))).toMatchObject({
      tools: [{ name: 'json', input_schema: map }],
      tool_choice: { type: 'tool', name: 'json' },
    })
    const words = render(schema(map), { traits: unforced })
    expect(words).not.toHaveProperty('tools')
    expect(JSON.stringify(words['system'])).toContain('additionalProperties')
    expect(
      JSON.stringify(render({ response_format: { type: 'json_object' } })['system']),
    ).toContain('one JSON object')
  })

  test('stands beside the client’s tools, of which it may not take the name', () => {
    const own = { type: 'function', function: { name: 'json' } }
    expect(render({ ...schema(map), tools: [own] })).toMatchObject({
      tools: [{ name: 'json' }, { name: 'json_answer' }],
      tool_choice: { type: 'any' },
    })
  })

  test('goes before thinking, which a forced call does not allow', () => {
    const traits: Traits = { ...budget, structured: 'tool' }
    const out = render({ ...schema(point), reasoning_effort: 'high' }, { traits })
    expect(out).toMatchObject({ tool_choice: { type: 'tool' } })
    expect(out).not.toHaveProperty('thinking')
  })

  test('is closed for the vendor, its limits told in words', () => {
    const inner = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        list: { type: 'array', items: { $ref: '#/$defs/item' }, minItems: 2, maxItems: 5 },
        pattern: { type: 'string', pattern: '^a', description: 'named like a keyword' },
      },
      $defs: { item: { type: 'object', properties: { n: { type: 'integer', minimum: 1 } } } },
    }
    expect(closedSchema(inner)).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: {
        list: {
          type: 'array',
          items: { $ref: '#/$defs/item' },
          description: 'maxItems: 5, minItems: 2',
        },
        pattern: { type: 'string', description: 'named like a keyword (pattern: "^a")' },
      },
      $defs: {
        item: {
          type: 'object',
          additionalProperties: false,
          properties: { n: { type: 'integer', description: 'minimum: 1' } },
        },
      },
    })
  })

  const tree = { type: 'object', properties: { next: { $ref: '#/$defs/t' } } }
  test.each([
    { type: 'object' },
    { type: 'object', additionalProperties: true },
    { $ref: '#/$defs/t', $defs: { t: { ...tree } } },
    { $ref: 'https://host.example/schema' },
    { type: 'array', items: [{ type: 'string' }] },
    { type: 'array', items: true },
  ])('%j cannot be said in the field', (inner) => {
    expect(closedSchema(inner)).toBeNull()
  })
})
