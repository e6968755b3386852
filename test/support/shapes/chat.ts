import { choiceEvents, done, sse } from '../recorded/recording'
import { clock, page, says, weather, type Shape } from './shape'

/* Streams of the reference format, as compatible vendors deviate from it. */

const kind = 'openai'
const dialect = 'generic'

const envelope = { id: 'chatcmpl-shape', created: 1_763_600_000, model: 'vendor-model' }
const event = choiceEvents(envelope)
const usage = { prompt_tokens: 12, completion_tokens: 9, total_tokens: 21 }
const told = sse({ object: 'chat.completion.chunk', ...envelope, choices: [], usage })
const role = event({ role: 'assistant', content: '' })

const cited = (name: string, rest: object = { start_index: 0, end_index: 5 }) => ({
  type: 'url_citation',
  url_citation: { url: page(name), title: `Page ${name}`, ...rest },
})

const begin = (index: number, id: string, name: string, args: unknown) => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }],
})
const more = (index: number, args: string) => ({
  tool_calls: [{ index, function: { arguments: args } }],
})

const answered: readonly Shape[] = [
  {
    name: 'chat: each citation in a chunk of its own',
    kind,
    dialect,
    events: [
      role,
      event({ content: 'Sunny' }),
      event({ annotations: [cited('a')] }),
      event({ content: ' today.', annotations: [cited('b')] }),
      event({ annotations: [cited('c')] }, 'stop'),
      told,
      done,
    ],
    says: says('Sunny today.', { cites: ['a', 'b', 'c'].map(page) }),
  },
  {
    name: 'chat: citations without places and titles, and flat ones',
    kind,
    dialect,
    events: [
      role,
      event({ content: 'Sunny.' }),
      event({ annotations: [{ type: 'url_citation', url_citation: { url: page('a') } }] }),
      event({ annotations: [{ type: 'url_citation', url: page('b'), title: 'b' }] }),
      event({ annotations: [] }, 'stop'),
      told,
      done,
    ],
    says: says('Sunny.', { cites: ['a', 'b'].map(page) }),
  },
  {
    name: 'chat: calls whose arguments are empty, missing, null, and there',
    kind,
    dialect,
    events: [
      event({ role: 'assistant', content: null }),
      event(begin(0, 'call_a', 'clock', '')),
      event(begin(1, 'call_b', 'clock', undefined)),
      event(begin(2, 'call_c', 'weather', '')),
      event(more(2, '{"city":')),
      event(more(2, '"Qom"}')),
      event(begin(3, 'call_d', 'clock', null)),
      event({}, 'tool_calls'),
      told,
      done,
    ],
    says: says('', { calls: [clock, clock, weather('Qom'), clock] }),
  },
  {
    name: 'chat: calls without index and type, the last in the chunk that ends',
    kind,
    dialect,
    events: [
      role,
      event({
        tool_calls: [
          { id: 'gSIMJiOkT', function: { name: 'weather', arguments: { city: 'Rasht' } } },
        ],
      }),
      event(
        { tool_calls: [{ id: 'k2PqWz8Lb', function: { name: 'clock', arguments: '' } }] },
        'stop',
        {
          chunk: { usage },
        },
      ),
      done,
    ],
    says: says('', { calls: [weather('Rasht'), clock] }),
  },
  {
    name: 'chat: a call without arguments, and no reason for the end',
    kind,
    dialect,
    events: [role, event(begin(0, 'call_a', 'clock', '')), told, done],
    says: says('', { calls: [clock] }),
  },
  {
    name: 'chat: all calls under the same index, each whole',
    kind,
    dialect,
    events: [
      event({ role: 'assistant' }),
      event(begin(0, 'call_a', 'weather', '{"city":"Ahvaz"}')),
      event(begin(0, 'call_b', 'weather', '{"city":"Karaj"}'), 'tool_calls'),
      told,
    ],
    says: says('', { calls: [weather('Ahvaz'), weather('Karaj')] }),
  },
  {
    name: 'chat: a role in every chunk, reasoning by both names, sources beside the choices',
    kind,
    dialect,
    events: [
      event({ role: 'assistant', content: '', reasoning: 'Hm' }),
      event({ role: 'assistant', content: '', reasoning_content: '.' }),
      ...['He', 'llo'].map((content) =>
        event({ role: 'assistant', content }, null, {
          chunk: {
            citations: [page('a')],
            search_results: [{ title: 'a', url: page('a') }],
            usage,
          },
        }),
      ),
      event({ role: 'assistant', content: '' }, 'stop', {
        chunk: { usage, citations: [page('a')] },
      }),
      done,
    ],
    says: says('Hello'),
  },
]

const failed: readonly Shape[] = [
  {
    name: 'chat: a rate limit after the role',
    kind,
    dialect,
    events: [role, sse({ error: { message: 'Rate limit reached', code: 429 } })],
    says: { status: 429, code: 'upstream_rate_limited' },
  },
  {
    name: 'chat: an error in the shape of a chunk, after the role',
    kind,
    dialect,
    events: [
      role,
      sse({
        ...envelope,
        object: 'chat.completion.chunk',
        error: { code: 'server_error', message: 'Provider disconnected' },
        choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
      }),
    ],
    says: { status: 502, code: 'upstream_error' },
  },
]

export const chatShapes: readonly Shape[] = [...answered, ...failed]
