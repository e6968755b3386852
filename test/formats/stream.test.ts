import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { openChatStream } from '../../src/gateway/formats/chat/stream'
import { Frames } from '../../src/gateway/formats/frames'
import { normaliseReply } from '../../src/gateway/vendors/openai/normalise-reply'
import { chunksOf } from '../support/sse'
import { chunk, event, openaiStream, usage, usageChunk } from '../support/stand-in'

const encoder = new TextEncoder()
const identity = { id: 'req_test', model: 'asked', created: 7 }

/** The whole stream as a client gets it, when the vendor's bytes come in these pieces. */
function relayed(pieces: readonly Uint8Array[]): string {
  const stream = openChatStream({
    identity,
    normalise: normaliseReply,
    refuseFailure: () => {},
    countTokens: (text) => text.length,
  })
  const frames = new Frames()
  let out = ''
  for (const piece of pieces) for (const data of frames.push(piece)) out += stream.event(data)
  for (const data of frames.end()) out += stream.event(data)
  stream.ended()
  expect(stream.complete()).toBe(true)
  const units = { input: 1, output: stream.countedTokens() }
  const counted = stream.reportedUsage() ?? { units, reasoning: 0, estimated: true }
  return out + stream.close({ error: null, usage: counted, costUsd: '0.000001' })
}

const once = (events: readonly string[]): string => relayed([encoder.encode(events.join(''))])

const call = (index: number, id: string, name: string, text: string) => ({
  tool_calls: [{ index, id, type: 'function', function: { name, arguments: text } }],
})
const more = (index: number, text: string) => ({
  tool_calls: [{ index, function: { arguments: text } }],
})

const tools = [
  chunk({ role: 'assistant', content: null }),
  chunk(call(0, 'call_a', 'weather', '')),
  chunk(call(1, 'call_b', 'time', '')),
  chunk(more(0, '{"city":')),
  chunk(more(1, '{"zone":"')),
  chunk(more(0, '"تهران"}')),
  chunk(more(1, 'x"}')),
  chunk({}, 'tool_calls'),
  usageChunk(usage),
  'data: [DONE]\n\n',
]

const persian = openaiStream('سلام دنیا، این آزمون است 🌍👩‍👩‍👧 "quoted" \\ back\nline').join('')
const streams: readonly (readonly [string, string])[] = [
  ['Persian and emoji', persian],
  ['interleaved tools', tools.join('')],
  [
    'carriage returns and comments',
    `: PROCESSING\r\n\r\n${openaiStream('یک two سه').join(': ping\n\n').replaceAll('\n', '\r\n')}`,
  ],
  ['no space after data:', openaiStream('one two').join('').replaceAll('data: ', 'data:')],
]

describe('any split of a stream gives the same bytes', () => {
  test.each(streams)('%s, cut at every byte', (_, text) => {
    const bytes = encoder.encode(text)
    const whole = relayed([bytes])
    for (let at = 1; at < bytes.length; at++)
      expect(relayed([bytes.slice(0, at), bytes.slice(at)])).toBe(whole)
    expect(relayed(Array.from(bytes, (byte) => new Uint8Array([byte])))).toBe(whole)
  })

  test('any pieces', () => {
    const bytes = encoder.encode(persian)
    const whole = relayed([bytes])
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 40 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        const pieces = at.slice(1).map((end, index) => bytes.slice(at[index], end))
        expect(relayed(pieces)).toBe(whole)
      }),
    )
  })
})

interface Delta {
  readonly role?: string
  readonly content?: string
  readonly reasoning_content?: string
  readonly tool_calls?: readonly {
    readonly index: number
    readonly id?: string
    readonly type?: string
    readonly function: { readonly name?: string; readonly arguments: string }
  }[]
}

const deltas = (text: string): Delta[] =>
  chunksOf(text).flatMap((each) => (each.choices ?? []).map(({ delta }) => delta as Delta))
const said = (text: string): string =>
  deltas(text)
    .map((each) => each.content ?? '')
    .join('')
const finishes = (text: string): string[] =>
  chunksOf(text).flatMap((each) =>
    (each.choices ?? []).flatMap(({ finish_reason: reason }) => reason ?? []),
  )

/** Tool calls as a client puts them together. */
function calls(text: string) {
  const all = new Map<number, { id: string; name: string; arguments: string }>()
  for (const { tool_calls: parts = [] } of deltas(text))
    for (const { index, id, type, function: called } of parts) {
      const known = all.get(index)
      if (known === undefined) {
        expect(type).toBe('function')
        all.set(index, { id: id ?? '', name: called.name ?? '', arguments: called.arguments })
      } else {
        expect(id).toBeUndefined()
        known.arguments += called.arguments
      }
    }
  return [...all.values()]
}

const plain = (delta: object, finish: string | null = null, rest: object = {}) =>
  event({
    id: 'v',
    object: 'x',
    model: 'v',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...rest,
  })

describe('what vendors send otherwise is put right', () => {
  test('role once, one finish, one usage chunk, the terminator last', () => {
    const text = once([
      plain({ role: 'assistant', content: 'a' }),
      plain({ role: 'assistant', content: 'b' }),
      plain({}, 'stop'),
      plain({}, 'stop'),
    ])
    expect(deltas(text).filter(({ role }) => role)).toHaveLength(1)
    expect(finishes(text)).toEqual(['stop'])
    expect(chunksOf(text).filter((each) => each.usage)).toHaveLength(1)
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('a first delta without a role, and an end without a finish', () => {
    const text = once([plain({ content: 'a' }), 'data: [DONE]\n\n'])
    expect(deltas(text)[0]?.role).toBe('assistant')
    expect(finishes(text)).toEqual(['stop'])
  })

  const early = { prompt_tokens: 1, completion_tokens: 0, total_tokens: 1 }
  const inChoice = { choices: [{ index: 0, delta: {}, finish_reason: 'stop', usage }] }
  test.each([
    ['in the finish chunk', [plain({ content: 'a' }), plain({}, 'stop', { usage })]],
    [
      'in every chunk',
      [plain({ content: 'a' }, null, { usage: early }), plain({}, 'stop', { usage })],
    ],
    ['in the choice', [plain({ content: 'a' }), event(inChoice)]],
    ['beside the choices', [plain({ content: 'a' }), plain({}, 'stop', { x_groq: { usage } })]],
  ])('usage %s is told once, in our chunk', (_, events) => {
    const text = once(events)
    const told = chunksOf(text).filter((each) => each.usage)
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({ choices: [], usage })
    expect(text).not.toContain('x_groq')
  })

  test('tool calls without index, type or id', () => {
    const part = (rest: object, text: unknown) => ({
      tool_calls: [{ ...rest, function: { name: 'f', arguments: text } }],
    })
    const text = once([
      plain(part({ id: 'a1' }, { x: 1 })),
      plain(part({ id: 'b2' }, '{}')),
      plain({}, 'tool_calls'),
    ])
    expect(calls(text)).toEqual([
      { id: 'a1', name: 'f', arguments: '{"x":1}' },
      { id: 'b2', name: 'f', arguments: '{}' },
    ])
  })

  test('later deltas with an empty id, calls that all have index 0, and stop after calls', () => {
    const text = once([
      plain(call(0, 'a', 'f', '')),
      plain({ tool_calls: [{ index: 0, id: '', function: { arguments: '{}' } }] }),
      plain(call(0, 'b', 'g', '{"y":2}')),
      plain({}, 'stop'),
    ])
    expect(calls(text)).toEqual([
      { id: 'a', name: 'f', arguments: '{}' },
      { id: 'b', name: 'g', arguments: '{"y":2}' },
    ])
    expect(finishes(text)).toEqual(['tool_calls'])
  })

  test('interleaved parallel calls stay apart', () => {
    expect(calls(once(tools))).toEqual([
      { id: 'call_a', name: 'weather', arguments: '{"city":"تهران"}' },
      { id: 'call_b', name: 'time', arguments: '{"zone":"x"}' },
    ])
  })

  test('thinking parts, other names of reasoning and of finishes', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }
    const parts = [thinking, { type: 'text', text: 'yes' }]
    const text = once([
      plain({ content: parts }),
      plain({ reasoning: 'so' }),
      plain({}, 'model_length'),
    ])
    const thought = deltas(text).map((each) => each.reasoning_content ?? '')
    expect(thought.join('')).toBe('hmso')
    expect(said(text)).toBe('yes')
    expect(finishes(text)).toEqual(['length'])
  })

  test('a first chunk without choices and what follows the end are dropped', () => {
    const filter = event({ id: '', object: '', choices: [], prompt_filter_results: [{}] })
    const end = [plain({ content: 'a' }), plain({}, 'stop'), 'data: [DONE]\n\n']
    const text = once([filter, ...end, plain({ content: 'late' })])
    expect(text).not.toContain('prompt_filter')
    expect(text).not.toContain('late')
  })

  test('members of other types than clients read are left out', () => {
    const odd = { role: 7, content: { a: 1 }, refusal: 5, ...call(0, 'a', 'f', '{}') }
    const choice = { index: 0, delta: odd, logprobs: 'x', finish_reason: null }
    const text = once([event({ choices: [choice] }), plain({}, 'tool_calls')])
    expect(deltas(text)[0]).toEqual({ role: 'assistant', ...call(0, 'a', 'f', '{}') })
    expect(text).not.toContain('logprobs')
  })

  test('an end without a choice is no answer', () => {
    const told = [event({ choices: [] }), usageChunk(usage), 'data: [DONE]\n\n']
    expect(() => once(told)).toThrow('a stream without an answer')
  })

  test('spliced events are what parsing them would have given', () => {
    const words = ['a', ' b', '\\u0633', ' \\"q\\"', '\\n', ' 🌍', 'سلام']
    const raw = (word: string) =>
      `data: {"id":"v","object":"o","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"${word}"},"logprobs":null,"finish_reason":null}],"usage":null}\n\n`
    const text = once([...words.map(raw), plain({}, 'stop')])
    expect(said(text)).toBe(words.map((word) => String(JSON.parse(`"${word}"`))).join(''))
    for (const each of chunksOf(text))
      expect(each).toMatchObject({ id: 'req_test', model: 'asked' })
  })
})

describe('the end of the choices', () => {
  const open = (n: number) =>
    openChatStream({
      identity,
      raw: { n },
      normalise: normaliseReply,
      refuseFailure: () => {},
      countTokens: (text) => text.length,
    })
  const dataOf = (text: string): string => text.slice('data: '.length).trim()
  const said = (index: number, delta: object, finish: string | null = null): string =>
    JSON.stringify({ choices: [{ index, delta, finish_reason: finish }], usage })

  test('is not there before each that was asked for has begun', () => {
    const stream = open(2)
    stream.event(said(0, { content: 'one' }))
    stream.event(said(0, {}, 'stop'))
    stream.event(dataOf(usageChunk(usage)))
    expect([stream.finished?.(), stream.complete()]).toEqual([false, false])
    stream.event(said(1, { content: 'two' }, 'stop'))
    expect([stream.finished?.(), stream.complete()]).toEqual([true, false])
    stream.event(dataOf(usageChunk(usage)))
    expect(stream.complete()).toBe(true)
  })

  test('is not usage that came with the last piece: more of it may follow', () => {
    const stream = open(1)
    stream.event(said(0, { content: 'one' }, 'stop'))
    expect([stream.finished?.(), stream.complete()]).toEqual([true, false])
  })
})

describe('what begins an answer', () => {
  const begins = (delta: object, finish: string | null = null): boolean | undefined => {
    const stream = openChatStream({
      identity,
      normalise: normaliseReply,
      refuseFailure: () => {},
      countTokens: (text) => text.length,
    })
    stream.event(JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] }))
    return stream.started?.()
  }

  test.each([
    { role: 'assistant' },
    { role: 'assistant', content: '' },
    { content: '', refusal: null, annotations: [], reasoning_details: [] },
    { reasoning_content: '' },
    { tool_calls: [] },
  ])('is not %j', (delta) => {
    expect(begins(delta)).toBe(false)
  })

  test.each([
    { content: ' ' },
    { reasoning: 'hm' },
    { refusal: 'no' },
    { reasoning_details: [{ type: 'reasoning.encrypted', data: 'sealed' }] },
    {
      tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }],
    },
    { audio: { id: 'audio_1', data: 'AAAA' } },
  ])('is %j', (delta) => {
    expect(begins(delta)).toBe(true)
  })

  test('is an end by a ceiling or a filter, and not one after nothing', () => {
    expect(['length', 'content_filter', 'stop'].map((finish) => begins({}, finish))).toEqual([
      true,
      true,
      false,
    ])
  })
})
