import { describe, expect, test } from 'bun:test'
import { isGatewayError } from '../../../src/errors/gateway-error'
import type { ChatBody } from '../../../src/gateway/formats/chat/schema'
import { readWebSearch } from '../../../src/gateway/formats/chat/web-search'
import { parseResponsesRequest } from '../../../src/gateway/formats/responses/parse-request'
import { checkResponsesBody } from '../../../src/gateway/formats/responses/schema'

const chat = (body: object): ChatBody =>
  parseResponsesRequest(checkResponsesBody({ model: 'm', input: 'Hi', ...body }))
const messages = (input: unknown, more: object = {}) => chat({ input, ...more }).messages

const refusal = (body: unknown): [string, string | null] => {
  try {
    checkResponsesBody(body)
  } catch (thrown) {
    if (isGatewayError(thrown)) return [thrown.code, thrown.param]
    throw thrown
  }
  throw new Error('not refused')
}

describe('items of an input', () => {
  test('a text is what a user says, after the instructions', () => {
    expect(messages('Hi', { instructions: 'Be brief.' })).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
    ])
  })

  test('pictures, sounds and files of a user go along', () => {
    const content = [
      { type: 'input_text', text: 'What is it?' },
      { type: 'input_image', image_url: 'https://a.example/x.png', detail: 'low' },
      { type: 'input_file', file_data: 'data:application/pdf;base64,JVBE', filename: 'a.pdf' },
      { type: 'input_file', file_url: 'https://a.example/b.pdf' },
    ]
    expect(messages([{ role: 'user', content }])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url: 'https://a.example/x.png', detail: 'low' } },
          {
            type: 'file',
            file: { file_data: 'data:application/pdf;base64,JVBE', filename: 'a.pdf' },
          },
          { type: 'file', file: { file_data: 'https://a.example/b.pdf' } },
        ],
      },
    ])
  })

  test('what an assistant said before its calls, and thought before, is one message with them', () => {
    const made = messages([
      { role: 'user', content: 'weather?' },
      { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Wait.' }] },
      { type: 'function_call', id: 'fc_9', call_id: 'call_a', name: 'weather', arguments: '{}' },
      { type: 'custom_tool_call', call_id: 'call_b', name: 'patch', input: '*** Begin' },
      { type: 'function_call_output', call_id: 'call_a', output: 'sunny' },
      { type: 'custom_tool_call_output', call_id: 'call_b', output: 'done' },
    ])
    expect(made.slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'Wait.',
        reasoning_content: 'hm',
        tool_calls: [
          { id: 'call_a', type: 'function', function: { name: 'weather', arguments: '{}' } },
          {
            id: 'call_b',
            type: 'function',
            function: { name: 'patch', arguments: '{"input":"*** Begin"}' },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_a', content: 'sunny' },
      { role: 'tool', tool_call_id: 'call_b', content: 'done' },
    ] as ChatBody['messages'])
  })

  test('a picture that a tool gave is shown by the user behind its result', () => {
    const output = [
      { type: 'input_text', text: 'here' },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
    ]
    const made = messages([
      { type: 'function_call', call_id: 'call_a', name: 'shot', arguments: '' },
      { type: 'function_call_output', call_id: 'call_a', output },
    ])
    expect(made).toMatchObject([
      { role: 'assistant', tool_calls: [{ function: { arguments: '{}' } }] },
      { role: 'tool', content: 'here' },
      { role: 'user', content: [{ type: 'image_url' }] },
    ])
  })

  test('a refusal is a text, and what only its vendor knows is left out', () => {
    const made = messages([
      { role: 'user', content: 'Hi' },
      { type: 'web_search_call', id: 'ws_1', status: 'completed' },
      { type: 'compaction', encrypted_content: 'x' },
      { type: 'message', role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    ])
    expect(made).toEqual([
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'No.' },
    ])
  })
})

describe('tools', () => {
  const grammar = { type: 'grammar', syntax: 'lark', definition: 'start: "x"' }
  const tools = [
    { type: 'function', name: 'weather', parameters: { type: 'object' }, strict: true },
    { type: 'namespace', name: 'clock', tools: [{ type: 'function', name: 'time' }] },
    { type: 'custom', name: 'patch', description: 'takes a text', format: grammar },
    { type: 'image_generation' },
    { type: 'mcp', server_label: 's' },
  ]
  const named = (body: ChatBody) => body.tools?.map(({ function: called }) => called)

  test('of the client’s own are functions, however the format calls them', () => {
    expect(named(chat({ tools, parallel_tool_calls: false }))).toMatchObject([
      { name: 'weather', parameters: { type: 'object' }, strict: true },
      { name: 'clock__time' },
      {
        name: 'patch',
        description: 'takes a text\n\nThe input must match this lark grammar:\nstart: "x"',
        parameters: { required: ['input'] },
      },
    ])
    expect(chat({ tools, parallel_tool_calls: false }).parallel_tool_calls).toBe(false)
    expect(chat({ tools: tools.slice(3) })).not.toHaveProperty('tools')
  })

  test.each([
    ['required', 'required'],
    [
      { type: 'function', name: 'weather' },
      { type: 'function', function: { name: 'weather' } },
    ],
    [
      { type: 'function', name: 'time', namespace: 'clock' },
      { type: 'function', function: { name: 'clock__time' } },
    ],
    [
      { type: 'custom', name: 'patch' },
      { type: 'function', function: { name: 'patch' } },
    ],
    [
      { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'weather' }] },
      {
        type: 'allowed_tools',
        allowed_tools: {
          mode: 'required',
          tools: [{ type: 'function', function: { name: 'weather' } }],
        },
      },
    ],
  ])('may be chosen: %j', (choice, expected) => {
    expect(chat({ tools, tool_choice: choice }).tool_choice as unknown).toEqual(expected)
  })

  test('that a client found for the model are offered from then on', () => {
    const search = { type: 'tool_search', execution: 'client', parameters: { type: 'object' } }
    const made = chat({
      tools: [search],
      input: [
        { role: 'user', content: 'Hi' },
        {
          type: 'tool_search_call',
          call_id: 'call_s',
          execution: 'client',
          arguments: { query: 'files' },
        },
        {
          type: 'tool_search_output',
          call_id: 'call_s',
          execution: 'client',
          tools: [
            { type: 'function', name: 'read', parameters: { type: 'object' }, defer_loading: true },
            { type: 'namespace', name: 'disk', tools: [{ type: 'function', name: 'list' }] },
          ],
        },
      ],
    })
    expect(named(made)).toMatchObject([
      { name: 'tool_search' },
      { name: 'read' },
      { name: 'disk__list' },
    ])
    expect(made.messages.slice(1)).toMatchObject([
      { tool_calls: [{ function: { name: 'tool_search', arguments: '{"query":"files"}' } }] },
      { role: 'tool', tool_call_id: 'call_s', content: 'loaded: read, disk__list' },
    ])
  })

  test('that search the web are asked for in the words of chat', () => {
    const tool = {
      type: 'web_search',
      search_context_size: 'low',
      user_location: { type: 'approximate', city: 'Shiraz', country: 'IR' },
      filters: { allowed_domains: ['a.example'] },
    }
    const made = chat({ tools: [tool], max_tool_calls: 2 })
    expect(made).toMatchObject({
      web_search_options: {
        search_context_size: 'low',
        user_location: { type: 'approximate', approximate: { city: 'Shiraz', country: 'IR' } },
      },
    })
    expect(readWebSearch(made)).toEqual({
      contextSize: 'low',
      location: { city: 'Shiraz', country: 'IR' },
      domains: ['a.example'],
      maxSearches: 2,
    })
    expect(readWebSearch(chat({}))).toBeNull()
  })
})

describe('everything else', () => {
  test('has its counterpart', () => {
    const made = chat({
      stream: true,
      max_output_tokens: 40,
      temperature: 0.5,
      top_p: 0.9,
      top_logprobs: 3,
      include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
      reasoning: { effort: 'high', summary: 'auto' },
      text: {
        verbosity: 'low',
        format: { type: 'json_schema', name: 'trip', schema: { type: 'object' } },
      },
      prompt_cache_key: 'key',
      prompt_cache_retention: '24h',
      metadata: { a: 'b' },
      store: true,
    })
    expect(made as object).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
      max_tokens: 40,
      temperature: 0.5,
      top_p: 0.9,
      logprobs: true,
      top_logprobs: 3,
      prompt_cache_key: 'key',
      prompt_cache_retention: '24h',
      metadata: { a: 'b' },
      reasoning_effort: 'high',
      verbosity: 'low',
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'trip', schema: { type: 'object' } },
      },
    })
  })

  test('that is no request is refused with the code of what is wrong', () => {
    expect(refusal([])).toEqual(['invalid_field', null])
    expect(refusal({ input: 'Hi' })).toEqual(['missing_model', 'model'])
    expect(refusal({ model: 3, input: 'Hi' })).toEqual(['invalid_model', 'model'])
    expect(refusal({ model: 'm' })).toEqual(['missing_input', 'input'])
    const many = Array.from({ length: 501 }, () => ({ role: 'user', content: 'x' }))
    expect(refusal({ model: 'm', input: many })).toEqual(['too_many_messages', 'input'])
  })
})
