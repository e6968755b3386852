import { messageEnd, messageEvent, messagesStream, messageStart, ping } from '../anthropic-stand-in'
import { clock, page, says, weather, type Shape } from './shape'

/*
 * Streams of the Messages format.
 * Shapes: https://docs.anthropic.com/en/docs/build-with-claude/streaming and recordings of 2026.
 */

const kind = 'anthropic'

const block = (index: number, start: object, ...deltas: readonly object[]): readonly string[] => [
  messageEvent({ type: 'content_block_start', index, content_block: start }),
  ...deltas.map((delta) => messageEvent({ type: 'content_block_delta', index, delta })),
  messageEvent({ type: 'content_block_stop', index }),
]

const input = (...pieces: readonly string[]): readonly object[] =>
  pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json }))

const text = (index: number, ...deltas: readonly object[]): readonly string[] =>
  block(index, { type: 'text', text: '' }, ...deltas)

const say = (said: string): object => ({ type: 'text_delta', text: said })

const cite = (name: string): object => ({
  type: 'citations_delta',
  citation: {
    type: 'web_search_result_location',
    url: page(name),
    title: `Page ${name}`,
    cited_text: 'It is sunny.',
    encrypted_index: 'sealed',
  },
})

const search = (index: number, query: string, pages: readonly string[] = []): readonly string[] => [
  ...block(
    index,
    { type: 'server_tool_use', id: `srvtoolu_${index}`, name: 'web_search', input: {} },
    ...input('', '{"query": "', `${query}"`, '}'),
  ),
  ...block(index + 1, {
    type: 'web_search_tool_result',
    tool_use_id: `srvtoolu_${index}`,
    content: pages.map((name) => ({
      type: 'web_search_result',
      url: page(name),
      title: `Page ${name}`,
      encrypted_content: 'sealed',
      page_age: null,
    })),
  }),
]

const toolUse = (index: number, id: string, name: string, whole: object = {}) => ({
  index,
  start: { type: 'tool_use', id, name, input: whole },
})

const call = (
  { index, start }: ReturnType<typeof toolUse>,
  ...pieces: readonly string[]
): readonly string[] => block(index, start, ...input(...pieces))

const answered: readonly Shape[] = [
  {
    name: 'Messages: a search at the vendor, its query in pieces, and citations in many blocks',
    kind,
    events: messagesStream([
      ...text(0, say('I search. ')),
      ...search(1, 'weather', ['a', 'b', 'c']),
      ...text(3, say('Sunny'), cite('a'), cite('b')),
      ...text(4, say(' and ')),
      ...text(5, cite('c'), say('warm.')),
    ]),
    says: says('I search. Sunny and warm.', { cites: ['a', 'b', 'c'].map(page) }),
  },
  {
    name: "Messages: two searches at the vendor, then calls of the client's tools",
    kind,
    events: messagesStream(
      [
        ...search(0, 'first'),
        ...search(2, 'second'),
        ...call(toolUse(4, 'toolu_a', 'weather'), '', '{"ci', 'ty":"Shiraz"}'),
        ...call(toolUse(5, 'toolu_b', 'weather'), '{"city":"Yazd"}'),
      ],
      'tool_use',
    ),
    says: says('', { calls: [weather('Shiraz'), weather('Yazd')] }),
  },
  {
    name: 'Messages: a tool of an MCP server and code, both run at the vendor',
    kind,
    events: messagesStream([
      ...block(
        0,
        {
          type: 'mcp_tool_use',
          id: 'mcptoolu_1',
          name: 'echo',
          server_name: 'echoes',
          input: {},
        },
        ...input('', '{"message":', ' "hi"}'),
      ),
      ...block(1, {
        type: 'mcp_tool_result',
        tool_use_id: 'mcptoolu_1',
        is_error: false,
        content: [{ type: 'text', text: 'hi' }],
      }),
      ...block(
        2,
        { type: 'server_tool_use', id: 'srvtoolu_9', name: 'bash_code_execution', input: {} },
        ...input('{"command"', ': "ls"}'),
      ),
      ...block(3, {
        type: 'bash_code_execution_tool_result',
        tool_use_id: 'srvtoolu_9',
        content: {
          type: 'bash_code_execution_result',
          stdout: 'a.txt',
          stderr: '',
          return_code: 0,
          content: [],
        },
      }),
      ...text(4, say('It says hi.')),
    ]),
    says: says('It says hi.'),
  },
  {
    name: 'Messages: calls without input, with an empty piece of it, and with all of it at the start',
    kind,
    events: messagesStream(
      [
        ...call(toolUse(0, 'toolu_a', 'clock')),
        ...call(toolUse(1, 'toolu_b', 'clock'), ''),
        ...call(toolUse(2, 'toolu_c', 'weather', { city: 'Tabriz' })),
      ],
      'tool_use',
    ),
    says: says('', { calls: [clock, clock, weather('Tabriz')] }),
  },
  {
    name: 'Messages: thinking, sealed thinking, pings between all events',
    kind,
    events: [
      messageStart(),
      ...[
        ...block(
          0,
          { type: 'thinking', thinking: '', signature: '' },
          { type: 'thinking_delta', thinking: 'Let me see.' },
          { type: 'signature_delta', signature: 'c2lnbmVk' },
        ),
        ...block(1, { type: 'redacted_thinking', data: 'c2VhbGVk' }),
        ...text(2, say('سلام'), say(' 🌍')),
      ].flatMap((each) => [ping, each]),
      ...messageEnd('end_turn'),
    ],
    says: says('سلام 🌍'),
  },
  {
    name: 'Messages: citations of a document, for which chat has no word',
    kind,
    events: messagesStream([
      ...text(
        0,
        {
          type: 'citations_delta',
          citation: {
            type: 'char_location',
            cited_text: 'x',
            document_index: 0,
            document_title: null,
            start_char_index: 0,
            end_char_index: 1,
            file_id: null,
          },
        },
        say('As written.'),
      ),
    ]),
    says: says('As written.'),
  },
]

const failure = (type: string, message: string): string =>
  messageEvent({ type: 'error', error: { type, message }, request_id: 'req_vendor' })

const failed: readonly Shape[] = [
  {
    name: 'Messages: overloaded after an empty block',
    kind,
    events: [
      messageStart(),
      messageEvent({
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'text', text: '' },
      }),
      ping,
      failure('overloaded_error', 'Overloaded'),
    ],
    says: { status: 429, code: 'upstream_capacity_full' },
  },
  {
    name: 'Messages: a rate limit after the start of the message',
    kind,
    events: [messageStart(), failure('rate_limit_error', 'Slow down')],
    says: { status: 429, code: 'upstream_rate_limited' },
  },
  {
    name: 'Messages: closed after the start of the message',
    kind,
    events: [messageStart(), ping],
    says: { status: 502, code: 'upstream_error' },
  },
]

export const messagesShapes: readonly Shape[] = [...answered, ...failed]
