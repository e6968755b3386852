import {
  functionCall,
  message,
  reasoningItem,
  response,
  responseStream,
} from '../responses-stand-in'
import { clock, page, says, weather, type Shape } from './shape'

/*
 * Streams of the Responses format, from models that speak nothing else: clients of the same format get
 * the vendor's events, others a translation.
 */

const kind = 'openai'
const traits = { chat: 'responses', reasoning: true } as const

type Event = { readonly type: string; readonly [name: string]: unknown }

const numbered = (events: readonly Event[]): string[] =>
  events.map(
    (event, sequence_number) =>
      `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`,
  )

const started = response([], { status: 'in_progress', usage: null })
const begin: readonly Event[] = [
  { type: 'response.created', response: started },
  { type: 'response.in_progress', response: started },
]

/** A stream of items, each with the events between its beginning and its end. */
const itemStream = (
  items: readonly { readonly item: object; readonly between: readonly Event[] }[],
  output: readonly object[] = items.map(({ item }) => item),
): string[] =>
  numbered([
    ...begin,
    ...items.flatMap(({ item, between }, output_index): Event[] => [
      { type: 'response.output_item.added', output_index, item: { ...item, ...unwritten(item) } },
      ...between.map((event) => ({ ...event, output_index })),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: 'response.completed', response: { ...response([]), output } },
  ])

const unwritten = (item: object) => ({
  ...('status' in item ? { status: 'in_progress' } : {}),
  ...('content' in item ? { content: [] } : {}),
  ...('input' in item ? { input: '' } : {}),
})

/** A message in one piece, and the annotations that are added to it. */
const written = (id: string, text: string, annotations: readonly object[] = []) => {
  const part = { type: 'output_text', text, annotations, logprobs: [] }
  const at = { item_id: id, content_index: 0 }
  return {
    item: { id, type: 'message', role: 'assistant', status: 'completed', content: [part] },
    between: [
      { type: 'response.content_part.added', ...at, part: { ...part, text: '', annotations: [] } },
      { type: 'response.output_text.delta', ...at, delta: text, logprobs: [] },
      ...annotations.map((annotation, annotation_index) => ({
        type: 'response.output_text.annotation.added',
        ...at,
        annotation_index,
        annotation,
      })),
      { type: 'response.output_text.done', ...at, text, logprobs: [] },
      { type: 'response.content_part.done', ...at, part },
    ],
  }
}

const search = (id: string, query: string, pages?: readonly string[]) => ({
  item: {
    id,
    type: 'web_search_call',
    status: 'completed',
    action: {
      type: 'search',
      query,
      ...(pages && { sources: pages.map((name) => ({ type: 'url', url: page(name) })) }),
    },
  },
  between: ['in_progress', 'searching', 'completed'].map((state) => ({
    type: `response.web_search_call.${state}`,
    item_id: id,
  })),
})

const cited = (name: string, rest: object = { start_index: 0, end_index: 5, title: name }) => ({
  type: 'url_citation',
  url: page(name),
  ...rest,
})

const code = (() => {
  const item = {
    id: 'ci_1',
    type: 'code_interpreter_call',
    status: 'completed',
    code: 'print(2)',
    container_id: 'cntr_1',
    outputs: [{ type: 'logs', logs: '2\n' }],
  }
  const at = { item_id: item.id }
  return {
    item,
    between: [
      { type: 'response.code_interpreter_call.in_progress', ...at },
      { type: 'response.code_interpreter_call_code.delta', ...at, delta: 'print(' },
      { type: 'response.code_interpreter_call_code.delta', ...at, delta: '2)' },
      { type: 'response.code_interpreter_call_code.done', ...at, code: item.code },
      { type: 'response.code_interpreter_call.interpreting', ...at },
      { type: 'response.code_interpreter_call.completed', ...at },
    ],
  }
})()

const remote = (() => {
  const item = {
    id: 'mcp_1',
    type: 'mcp_call',
    status: 'completed',
    approval_request_id: null,
    arguments: '{"q":"x"}',
    error: null,
    name: 'find',
    output: 'found',
    server_label: 'pages',
  }
  const at = { item_id: item.id }
  return {
    item,
    between: [
      { type: 'response.mcp_call.in_progress', ...at },
      { type: 'response.mcp_call_arguments.delta', ...at, delta: item.arguments },
      { type: 'response.mcp_call_arguments.done', ...at, arguments: item.arguments },
      { type: 'response.mcp_call.completed', ...at },
    ],
  }
})()

const posts = {
  item: {
    id: 'ctc_1',
    type: 'custom_tool_call',
    call_id: 'xs_call_1',
    name: 'x_keyword_search',
    input: '{"query":"weather"}',
    status: 'completed',
  },
  between: [
    {
      type: 'response.custom_tool_call_input.delta',
      item_id: 'ctc_1',
      delta: '{"query":"weather"}',
    },
    {
      type: 'response.custom_tool_call_input.done',
      item_id: 'ctc_1',
      input: '{"query":"weather"}',
    },
  ],
}

const answered: readonly Shape[] = [
  {
    name: 'Responses: searches and many citations',
    kind,
    traits,
    events: itemStream([
      search('ws_1', 'weather', ['a', 'b', 'c']),
      search('ws_2', 'weather today'),
      written(
        'msg_1',
        'Sunny.',
        ['a', 'b', 'c'].map((name) => cited(name)),
      ),
    ]),
    says: says('Sunny.', { cites: ['a', 'b', 'c'].map(page) }),
  },
  {
    name: 'Responses: citations without places and titles',
    kind,
    traits,
    events: itemStream([
      search('ws_1', ''),
      written('msg_1', 'Sunny.', [cited('a', {}), cited('b', { title: null }), cited('c')]),
    ]),
    says: says('Sunny.', { cites: ['a', 'b', 'c'].map(page) }),
  },
  {
    name: 'Responses: code, an MCP server and a search of posts, all run at the vendor',
    kind,
    traits,
    events: itemStream([code, remote, posts, written('msg_1', 'It is 2.')]),
    says: says('It is 2.'),
  },
  {
    name: 'Responses: reasoning in several parts, parallel calls, one without arguments',
    kind,
    traits,
    events: responseStream([
      reasoningItem('sealed', 'First.', 'Second.'),
      functionCall('call_a', 'weather', '{"city":"Ilam"}'),
      functionCall('call_b', 'clock', ''),
    ]),
    says: says('', { calls: [weather('Ilam'), clock] }),
  },
  {
    name: 'Responses: an id for an item that changes from event to event',
    kind,
    traits,
    events: responseStream([message('Hello there')]).map((event, at) =>
      event.replaceAll('"msg_1"', `"msg_${at}"`),
    ),
    says: says('Hello there'),
  },
  {
    name: 'Responses: a text in two messages',
    kind,
    traits,
    events: itemStream([written('msg_1', 'One. '), written('msg_2', 'Two.')]),
    says: says('One. Two.'),
  },
]

const quota = { code: 'insufficient_quota', message: 'You exceeded your current quota' }
const broken = (error: object) => response([], { status: 'failed', usage: null, error })

const failed: readonly Shape[] = [
  {
    name: 'Responses: an error and a failed response after the start',
    kind,
    traits,
    events: numbered([
      ...begin,
      { type: 'error', error: { type: 'insufficient_quota', param: null, ...quota } },
      { type: 'response.failed', response: broken(quota) },
    ]),
    says: { status: 429, code: 'upstream_capacity_full' },
  },
  {
    name: 'Responses: a failed response alone, after an empty message began',
    kind,
    traits,
    events: numbered([
      ...begin,
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          status: 'in_progress',
          content: [],
        },
      },
      { type: 'response.failed', response: broken({ code: 'server_error', message: 'Sorry' }) },
    ]),
    says: { status: 502, code: 'upstream_error' },
  },
  {
    name: 'Responses: a flat error without a code, after an item of reasoning began',
    kind,
    traits,
    events: numbered([
      ...begin,
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { id: 'rs_1', type: 'reasoning', summary: [] },
      },
      { type: 'error', code: null, message: 'The server had an error', param: null },
    ]),
    says: { status: 502, code: 'upstream_error' },
  },
]

export const responsesShapes: readonly Shape[] = [...answered, ...failed]
