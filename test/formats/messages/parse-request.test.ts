import { describe, expect, test } from 'bun:test'
import { parseMessagesRequest } from '../../../src/gateway/formats/messages/parse-request'
import { checkMessagesBody } from '../../../src/gateway/formats/messages/schema'
import { checkChatBody } from '../../../src/gateway/formats/chat/schema'

const hello = [{ role: 'user', content: 'Hello' }]

/** As the middle gets it, which must be a chat body by all its rules. */
function chatOf(rest: object): Record<string, unknown> {
  const chat = parseMessagesRequest(
    checkMessagesBody({ model: 'm', max_tokens: 100, messages: hello, ...rest }),
  )
  checkChatBody(chat)
  return chat
}

const messagesOf = (messages: readonly object[]) => chatOf({ messages })['messages']

describe('instructions', () => {
  test('are one system message, without the line that a coding client changes with its version', () => {
    expect(chatOf({ system: 'Be brief.' })['messages']).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ])
    const system = [
      { type: 'text', text: 'x-anthropic-billing-header: cc_version=2.1.329;' },
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Be kind.' },
    ]
    expect(chatOf({ system })['messages']).toEqual([
      { role: 'system', content: 'Be brief.\n\nBe kind.' },
      { role: 'user', content: 'Hello' },
    ])
  })

  test('in the middle of a conversation stay there', () => {
    expect(
      messagesOf([
        ...hello,
        { role: 'system', content: 'It is night.' },
        { role: 'system', content: [{ type: 'text', text: 'It is cold.' }] },
      ]),
    ).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'system', content: 'It is night.' },
      { role: 'system', content: 'It is cold.' },
    ])
  })
})

describe('turns', () => {
  test('of the user hold text, pictures and documents', () => {
    const blocks = [
      { type: 'text', text: 'Look:' },
      { type: 'text', text: '' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'image', source: { type: 'url', url: 'https://a.test/b.png' } },
      {
        type: 'document',
        title: 'plan.pdf',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
      },
      { type: 'document', source: { type: 'url', url: 'https://a.test/c.pdf' } },
      {
        type: 'document',
        context: 'From the archive',
        source: { type: 'text', media_type: 'text/plain', data: 'words' },
      },
      {
        type: 'document',
        title: 'parts',
        source: { type: 'content', content: [{ type: 'text', text: 'first' }] },
      },
      {
        type: 'search_result',
        title: 'Found',
        source: 'https://a.test',
        content: [{ type: 'text', text: 'it says' }],
      },
    ]
    expect(messagesOf([{ role: 'user', content: blocks }])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'image_url', image_url: { url: 'https://a.test/b.png' } },
          {
            type: 'file',
            file: { file_data: 'data:application/pdf;base64,JVBE', filename: 'plan.pdf' },
          },
          {
            type: 'file',
            file: { file_data: 'https://a.test/c.pdf', filename: 'document.pdf' },
          },
          { type: 'text', text: 'From the archive' },
          { type: 'text', text: 'words' },
          { type: 'text', text: 'parts' },
          { type: 'text', text: 'first' },
          { type: 'text', text: 'Found\nhttps://a.test\nit says' },
        ],
      },
    ])
  })

  test('of the assistant hold text, calls and what was thought, but nobody’s seals', () => {
    const content = [
      { type: 'thinking', thinking: 'Hm. ', signature: 'sig' },
      { type: 'redacted_thinking', data: 'sealed' },
      { type: 'text', text: 'Let me ' },
      { type: 'text', text: 'look.' },
      { type: 'tool_use', id: 'toolu_a', name: 'weather', input: { city: 'تهران' } },
      { type: 'tool_use', id: 'toolu_b', name: 'time', input: {} },
    ]
    expect(messagesOf([...hello, { role: 'assistant', content }])).toEqual([
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: 'Let me look.',
        reasoning_content: 'Hm. ',
        tool_calls: [
          {
            id: 'toolu_a',
            type: 'function',
            function: { name: 'weather', arguments: '{"city":"تهران"}' },
          },
          { id: 'toolu_b', type: 'function', function: { name: 'time', arguments: '{}' } },
        ],
      },
    ])
  })

  test('with results: those first, each a message, their pictures shown by the user', () => {
    const content = [
      { type: 'text', text: 'And now?' },
      { type: 'tool_result', tool_use_id: 'a', content: 'sunny' },
      { type: 'tool_result', tool_use_id: 'b', is_error: true, content: 'no such city' },
      {
        type: 'tool_result',
        tool_use_id: 'c',
        content: [
          { type: 'text', text: 'one' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'text', text: 'two' },
        ],
      },
      { type: 'tool_result', tool_use_id: 'd' },
      {
        type: 'tool_result',
        tool_use_id: 'e',
        content: [{ type: 'tool_reference', tool_name: 'WebFetch' }],
      },
    ]
    expect(messagesOf([{ role: 'user', content }])).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'sunny' },
      { role: 'tool', tool_call_id: 'b', content: 'ERROR: no such city' },
      { role: 'tool', tool_call_id: 'c', content: 'one\ntwo' },
      { role: 'tool', tool_call_id: 'd', content: '' },
      { role: 'tool', tool_call_id: 'e', content: 'loaded: WebFetch' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'text', text: 'And now?' },
        ],
      },
    ])
  })
})

const schema = { type: 'object', properties: { url: { type: 'string' } } }
const tool = (name: string, rest: object = {}) => ({ name, input_schema: schema, ...rest })
const namesOf = (chat: Record<string, unknown>): readonly string[] =>
  ((chat['tools'] ?? []) as { function: { name: string } }[]).map((each) => each.function.name)

describe('tools', () => {
  test('are functions; those that run at the vendor are left out', () => {
    const chat = chatOf({
      tools: [
        tool('weather', {
          description: 'Tells it',
          strict: true,
          cache_control: {},
          type: 'custom',
        }),
        { type: 'web_search_20260318', name: 'web_search', max_uses: 3 },
        { type: 'code_execution_20250825', name: 'code_execution' },
      ],
    })
    expect(chat['tools']).toEqual([
      {
        type: 'function',
        function: { name: 'weather', description: 'Tells it', parameters: schema, strict: true },
      },
    ])
  })

  test.each([
    [{ type: 'auto' }, { tool_choice: 'auto' }],
    [{ type: 'any' }, { tool_choice: 'required' }],
    [{ type: 'none' }, { tool_choice: 'none' }],
    [
      { type: 'tool', name: 'weather', disable_parallel_tool_use: true },
      {
        tool_choice: { type: 'function', function: { name: 'weather' } },
        parallel_tool_calls: false,
      },
    ],
    [{ type: 'tool', name: 'gone' }, {}],
  ])('are chosen as %j says', (tool_choice, expected) => {
    const { tools: _, ...chat } = chatOf({ tools: [tool('weather')], tool_choice })
    const { tool_choice: choice, parallel_tool_calls: parallel } = chat
    expect({ choice, parallel }).toEqual({
      choice: (expected as { tool_choice?: unknown }).tool_choice,
      parallel: (expected as { parallel_tool_calls?: boolean }).parallel_tool_calls,
    })
  })

  test('without a tool nothing is chosen', () => {
    const chat = chatOf({
      tools: [{ type: 'web_search_20260318', name: 'web_search' }],
      tool_choice: { type: 'any' },
    })
    expect(chat).not.toHaveProperty('tools')
    expect(chat).not.toHaveProperty('tool_choice')
  })

  test('that wait are offered once they were found', () => {
    const tools = [
      tool('Read'),
      tool('WebFetch', { defer_loading: true }),
      tool('Never', { defer_loading: true }),
      tool('DeferredToolPlaceholder', { defer_loading: true }),
    ]
    expect(namesOf(chatOf({ tools }))).toEqual(['Read'])
    const found = {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'a',
          content: [{ type: 'tool_reference', tool_name: 'WebFetch' }],
        },
      ],
    }
    const chat = chatOf({ tools, messages: [...hello, found] })
    expect(namesOf(chat)).toEqual(['Read', 'WebFetch'])
    expect(JSON.stringify(chat['tools'])).not.toContain('defer')
  })

  test('come and go in the middle of a conversation', () => {
    const change = (type: string, changed: object) => ({
      role: 'system',
      content: [{ type, tool: changed }],
    })
    const chat = chatOf({
      tools: [tool('Read'), tool('Write')],
      messages: [
        ...hello,
        change('tool_removal', { type: 'tool_reference', name: 'Write' }),
        change('tool_addition', { type: 'tool_definition', definition: tool('Search') }),
        change('tool_removal', { type: 'tool_reference', name: 'Read' }),
        change('tool_addition', { type: 'tool_reference', name: 'Read' }),
      ],
    })
    expect(namesOf(chat)).toEqual(['Search', 'Read'])
  })
})

describe('the rest of a request', () => {
  test('keeps its ceiling, stops and sampling', () => {
    const chat = chatOf({
      max_tokens: 0,
      stop_sequences: ['a', 'b', 'c', 'd'],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      stream: true,
      metadata: { user_id: 'x' },
    })
    expect(chat).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Hello' }],
      max_tokens: 1,
      stop: ['a', 'b', 'c', 'd'],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      stream: true,
    })
  })

  test.each([
    [{ thinking: { type: 'enabled', budget_tokens: 1024 } }, 'low'],
    [{ thinking: { type: 'enabled', budget_tokens: 2048 } }, 'medium'],
    [{ thinking: { type: 'enabled', budget_tokens: 16_384 } }, 'high'],
    [{ thinking: { type: 'adaptive', display: 'omitted' } }, undefined],
    [{ thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' } }, 'xhigh'],
    [{ output_config: { effort: 'max' } }, 'max'],
    [{ thinking: { type: 'disabled' }, output_config: { effort: 'high' } }, 'none'],
    [{}, undefined],
  ])('%j asks for the effort %s', (rest, effort) => {
    expect(chatOf(rest)['reasoning_effort']).toBe(effort)
  })

  test('the form of the answer is asked for under either name', () => {
    const format = { type: 'json_schema', schema }
    for (const rest of [{ output_config: { format } }, { output_format: format }])
      expect(chatOf(rest)['response_format']).toEqual({
        type: 'json_schema',
        json_schema: { name: 'answer', schema, strict: false },
      })
  })

  test('strictly only where the schema leaves nothing open', () => {
    const closed = (properties: object, rest: object = {}) => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
      ...rest,
    })
    const strict = (asked: object) => {
      const chat = chatOf({ output_config: { format: { type: 'json_schema', schema: asked } } })
      return (chat['response_format'] as { json_schema: { strict: boolean } }).json_schema.strict
    }
    const text = { type: 'string' }
    expect(strict(closed({ a: text, b: { type: 'array', items: closed({ c: text }) } }))).toBe(true)
    expect(strict(closed({ a: text }, { required: [] }))).toBe(false)
    expect(strict(closed({ a: text }, { additionalProperties: true }))).toBe(false)
    expect(strict(closed({ a: { anyOf: [text, { type: 'object', properties: {} }] } }))).toBe(false)
    expect(strict(closed({ a: { $ref: '#/$defs/x' } }, { $defs: { x: schema } }))).toBe(false)
  })
})

describe('what is refused', () => {
  const user = (block: object) => ({ messages: [{ role: 'user', content: [block] }] })
  test.each([
    [
      'messages[0].content[0].source',
      user({ type: 'image', source: { type: 'file', file_id: 'f' } }),
    ],
    ['messages[0].content[0].source', user({ type: 'document' })],
    [
      'messages[0].content[0].source.data',
      user({ type: 'image', source: { type: 'base64', media_type: 'a/b' } }),
    ],
    [
      'messages[0].content[0].source.url',
      user({ type: 'image', source: { type: 'url', url: 'file:///x' } }),
    ],
    ['messages[0].content[0].type', user({ type: 'container_upload', file_id: 'f' })],
    ['messages[0].content[0].text', user({ type: 'text' })],
    ['messages[0].content[0].input', user({ type: 'tool_use', id: 'a', name: 'b', input: 'c' })],
    ['messages[0].content[0].tool_use_id', user({ type: 'tool_result' })],
    ['messages[0].content', { messages: [{ role: 'user' }] }],
    ['messages[0].role', { messages: [{ role: 'tool', content: 'x' }] }],
    ['tools[0].input_schema', { tools: [{ name: 'a' }] }],
    ['tools[0].name', { tools: [{ input_schema: {} }] }],
    ['stop_sequences', { stop_sequences: 'a' }],
    ['max_tokens', { max_tokens: -1 }],
    ['system', { system: 5 }],
  ])('names its place: %s', (param, rest) => {
    expect(() => chatOf(rest)).toThrow(expect.objectContaining({ param }) as Error)
  })

  test('not a block, a field or a beta that is new', () => {
    const messages = [{ role: 'user', content: [{ type: 'hologram', data: 1 }] }]
    expect(() =>
      checkMessagesBody({ model: 'm', messages, hologram: true, thinking: { type: 'deep' } }),
    ).not.toThrow()
  })
})

test('a place where it must be thought costs more than what is sold, and is refused', () => {
  const body = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'Hi' }] }
  expect(checkMessagesBody({ ...body, inference_geo: 'global' }).model).toBe('m')
  expect(checkMessagesBody({ ...body, inference_geo: null }).model).toBe('m')
  expect(() => checkMessagesBody({ ...body, inference_geo: 'us' })).toThrow('invalid_field')
})
