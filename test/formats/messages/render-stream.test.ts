import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Delta } from '../../../src/gateway/formats/hub'
import { openMessagesRenderer } from '../../../src/gateway/formats/messages/render-stream'
import { renderMessage } from '../../../src/gateway/formats/messages/render-reply'
import { messageEvents, readMessageStream } from '../../matrix/messages-client'

const identity = { id: 'req_0123456789abcdef0123456789abcdef', model: 'asked', created: 7 }
const usage = {
  units: { input: 5, cached_input: 7, cache_write_5m: 2, cache_write_1h: 3, output: 4 },
  reasoning: 1,
  estimated: false,
}
const ended = { error: null, usage, costUsd: '0.5' }

function rendered(deltas: readonly Delta[]): string {
  const renderer = openMessagesRenderer(identity, 42)
  return deltas.map((each) => renderer.render([each])).join('') + renderer.close(ended)
}

const choice = 0
const text = (said: string): Delta => ({ type: 'text', choice, text: said })
const reasoning = (said: string): Delta => ({ type: 'reasoning', choice, text: said })
const call = (tool: number): Delta => ({
  type: 'tool-start',
  choice,
  tool,
  id: `call_${tool}`,
  name: `tool${tool}`,
})
const args = (tool: number, said: string): Delta => ({
  type: 'tool-arguments',
  choice,
  tool,
  text: said,
})
const finish = (reason: 'stop' | 'tool_calls' | 'length' | 'content_filter'): Delta => ({
  type: 'finish',
  choice,
  reason,
  stopSequence: null,
})

const kindsOf = (stream: string) =>
  messageEvents(stream).map((event) => event.type.replace('content_block_', ''))

describe('deltas as events', () => {
  test('the start shows the vendor’s own count, where its first event has one', () => {
    const renderer = openMessagesRenderer(identity, 42)
    const told: Delta = { type: 'usage', usage }
    const [start] = messageEvents(renderer.render([text('Hello'), told]))
    expect(start).toMatchObject({
      message: { usage: { input_tokens: 5, cache_read_input_tokens: 7, output_tokens: 1 } },
    })
  })

  test('in their order, each with its name', () => {
    const stream = rendered([reasoning('Hm.'), text('Hello'), text(' you'), finish('stop')])
    expect(kindsOf(stream)).toEqual([
      'message_start',
      'start',
      'delta',
      'stop',
      'start',
      'delta',
      'delta',
      'stop',
      'message_delta',
      'message_stop',
    ])
    const [start] = messageEvents(stream)
    expect(start).toMatchObject({
      message: {
        id: 'msg_0123456789abcdef0123456789abcdef',
        model: 'asked',
        content: [],
        stop_reason: null,
        usage: { input_tokens: 42, output_tokens: 1 },
      },
    })
    const last = messageEvents(stream).at(-2)
    expect(last).toMatchObject({
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      cost_usd: '0.5',
      usage: {
        input_tokens: 5,
        cache_read_input_tokens: 7,
        cache_creation_input_tokens: 5,
        cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 3 },
        output_tokens: 4,
        output_tokens_details: { thinking_tokens: 1 },
      },
    })
  })

  test('the start tells what the vendor told of the prompt, where it did', () => {
    const told: Delta = { type: 'usage', usage: { ...usage, estimated: true } }
    const renderer = openMessagesRenderer(identity, 42)
    const [start] = messageEvents(renderer.render([told, text('a')]))
    expect(start).toMatchObject({ message: { usage: { input_tokens: 5, output_tokens: 1 } } })
  })

  test('a vendor that thinks in silence is told of by a start and a ping', () => {
    const renderer = openMessagesRenderer(identity, 42)
    expect(kindsOf(renderer.begin?.() ?? '')).toEqual(['message_start', 'ping'])
    expect(kindsOf(renderer.render([text('a')]))).toEqual(['start', 'delta'])
    expect(renderer.keepAlive).toBe('event: ping\ndata: {"type":"ping"}\n\n')
  })

  test('calls one after another stream as they come', () => {
    const renderer = openMessagesRenderer(identity, 42)
    renderer.render([text('a'), call(0)])
    expect(kindsOf(renderer.render([args(0, '{"a":')]))).toEqual(['delta'])
    expect(kindsOf(renderer.render([args(0, '"}"}')]))).toEqual(['delta'])
    expect(kindsOf(renderer.render([call(1)]))).toEqual(['stop', 'start'])
    expect(kindsOf(renderer.render([args(1, '{}')]))).toEqual(['delta'])
  })

  test('of calls that take turns the second waits for the first', () => {
    const renderer = openMessagesRenderer(identity, 42)
    renderer.render([call(0), call(1)])
    expect(renderer.render([args(1, '{"b":1}')])).toBe('')
    expect(kindsOf(renderer.render([args(0, '{"a":1')]))).toEqual(['delta'])
    expect(kindsOf(renderer.render([args(0, '}')]))).toEqual(['delta', 'stop', 'start', 'delta'])
  })

  test('a call without arguments is closed where the answer ends', () => {
    const { calls, finish: why } = readMessageStream(rendered([call(0), finish('tool_calls')]))
    expect(calls).toEqual([{ name: 'tool0', arguments: {} }])
    expect(why).toBe('tool_calls')
  })

  test('what waited is said before an error, since it is paid', () => {
    const renderer = openMessagesRenderer(identity, 42)
    const before = renderer.render([call(0), call(1), args(1, '{"b":1}')])
    const error = { error: { code: 'stream_interrupted', message: 'broke' } }
    const stream = before + renderer.close({ ...ended, error })
    expect(readMessageStream(stream)).toMatchObject({
      error: 'stream_interrupted',
      costUsd: '0.5',
      calls: [{ name: 'tool0' }, { name: 'tool1', arguments: '{"b":1}' }],
    })
    expect(kindsOf(stream).at(-1)).toBe('error')
  })

  test.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['tool_calls', 'tool_use'],
    ['content_filter', 'refusal'],
  ] as const)('%s is called %s', (reason, called) => {
    const stop = messageEvents(rendered([text('a'), finish(reason)])).at(-2)
    expect(stop).toMatchObject({ delta: { stop_reason: called } })
    const told = called === 'refusal' ? { type: 'refusal' } : null
    expect(stop).toMatchObject({ delta: { stop_details: told } })
  })

  test('a stop sequence is told where the vendor tells it, a refusal in words is a refusal', () => {
    const stopped: Delta = { type: 'finish', choice, reason: 'stop', stopSequence: 'END' }
    expect(messageEvents(rendered([text('a'), stopped])).at(-2)).toMatchObject({
      delta: { stop_reason: 'stop_sequence', stop_sequence: 'END' },
    })
    const refused: Delta = { type: 'refusal', choice, text: 'No.' }
    const stream = rendered([refused, finish('stop')])
    expect(readMessageStream(stream)).toMatchObject({ text: 'No.', finish: 'content_filter' })
  })

  test('any order in which calls come says the same calls', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    const call$ = fc.tuple(
      fc.dictionary(fc.string(), value, { maxKeys: 4 }),
      fc.integer({ min: 1, max: 9 }),
    )
    fc.assert(
      fc.property(
        fc.array(call$, { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.nat(3)),
        (calls, order) => {
          const waiting = calls.map(([input, size], tool) => {
            const json = JSON.stringify(input)
            const cut = json.match(new RegExp(`[^]{1,${size}}`, 'gu')) ?? []
            return cut.map((piece) => args(tool, piece))
          })
          const deltas: Delta[] = calls.map((_, tool) => call(tool))
          while (waiting.some((each) => each.length > 0)) {
            const next = waiting[Number(order.next().value)]?.shift()
            if (next !== undefined) deltas.push(next)
          }
          const read = readMessageStream(rendered([text('a'), ...deltas, finish('tool_calls')]))
          expect(read.calls).toEqual(
            calls.map(([input], tool) => ({
              name: `tool${tool}`,
              arguments: JSON.parse(JSON.stringify(input)) as unknown,
            })),
          )
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('a whole answer', () => {
  const reply = {
    choices: [
      {
        text: 'Hello',
        reasoning: 'Hm.',
        refusal: null,
        toolCalls: [
          { id: 'call_a', name: 'weather', arguments: '{"city":"تهران"}' },
          { id: 'call_b', name: 'time', arguments: '' },
          { id: 'call_c', name: 'odd', arguments: '{"cut' },
        ],
        annotations: [],
        finish: 'tool_calls' as const,
        stopSequence: null,
        logprobs: null,
      },
    ],
    usage,
  }

  test('is a message: thinking that nobody signed, text, calls with their input', () => {
    expect(JSON.parse(renderMessage(reply, identity, usage))).toMatchObject({
      id: 'msg_0123456789abcdef0123456789abcdef',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: '' },
        { type: 'text', text: 'Hello' },
        { type: 'tool_use', id: 'call_a', name: 'weather', input: { city: 'تهران' } },
        { type: 'tool_use', id: 'call_b', name: 'time', input: {} },
        { type: 'tool_use', id: 'call_c', name: 'odd', input: { _raw: '{"cut' } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 5, cache_read_input_tokens: 7, cache_creation_input_tokens: 5 },
    })
    // Clients whose schemas know no null take it.
    expect(renderMessage(reply, identity, usage)).not.toContain('citations')
  })
})
