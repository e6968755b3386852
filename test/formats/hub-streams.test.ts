import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { openChatDeltas } from '../../src/gateway/formats/chat/parse-stream'
import { openChatRenderer } from '../../src/gateway/formats/chat/render-stream'
import { collectReply } from '../../src/gateway/formats/collect-reply'
import { Frames } from '../../src/gateway/formats/frames'
import { openGeminiStream } from '../../src/gateway/formats/gemini/parse-stream'
import { openHubStream } from '../../src/gateway/formats/hub-stream'
import type { Delta, DeltaStream } from '../../src/gateway/formats/hub'
import { openMessagesStream } from '../../src/gateway/formats/messages/parse-stream'
import { openResponsesStream } from '../../src/gateway/formats/responses/parse-stream'
import {
  messagesStream,
  ping,
  textBlock,
  thinkingBlock,
  toolBlock,
} from '../support/anthropic-stand-in'
import { call, geminiStream } from '../support/google-stand-in'
import { functionCall, message, reasoningItem, responseStream } from '../support/responses-stand-in'
import { chunksOf, eventsOf, saidIn } from '../support/sse'

const refuse = () => {
  throw new Error('refused')
}
const messages = () => openMessagesStream({ answerTool: null, refuse })
const gemini = () =>
  openGeminiStream({
    traits: {},
    callId: (choice, tool) => `call_${choice}${tool}`,
    refuse,
    blocked: refuse,
    brokenDown: refuse,
  })
const responses = () => openResponsesStream({ refuse })

const persian = ['سلام', ' دنیا، ', '🌍👩‍👩‍👧', ' "quoted" \\ back\n', 'نیم‌فاصله']
const streams: readonly (readonly [string, () => DeltaStream, readonly string[]])[] = [
  ['Messages, text', messages, messagesStream(textBlock(0, ...persian))],
  [
    'Messages, thinking and two tools',
    messages,
    messagesStream(
      [
        ...thinkingBlock(0, 'I should look.', 'sig'),
        ...textBlock(1, 'Let me', ' look.'),
        ping,
        ...toolBlock(2, 'toolu_a', 'weather', '{"ci', 'ty":"تهران"}'),
        ...toolBlock(3, 'toolu_b', 'time'),
      ],
      'tool_use',
    ),
  ],
  ['Gemini, text', gemini, geminiStream(persian.map((text) => [{ text }]))],
  [
    'Gemini, thoughts and two tools',
    gemini,
    geminiStream([
      [{ text: 'Hm.', thought: true }],
      [{ text: 'Let me look.' }, call('weather', { city: 'تهران' }, 'sig')],
      [call('time', {}, undefined, 'id-b')],
      [{ text: '', thoughtSignature: 'late' }],
    ]),
  ],
  ['Responses, text', responses, responseStream([message(persian.join(''))])],
  [
    'Responses, reasoning and two tools',
    responses,
    responseStream([
      reasoningItem('sealed', 'First.', 'Second.'),
      functionCall('call_a', 'weather', '{"city":"تهران"}'),
      functionCall('call_b', 'time', ''),
    ]),
  ],
]

const encoder = new TextEncoder()

interface Read {
  readonly deltas: readonly Delta[]
  readonly complete: boolean
  readonly kept: unknown
}

function read(open: () => DeltaStream, pieces: readonly Uint8Array[]): Read {
  const stream = open()
  const frames = new Frames()
  const deltas: Delta[] = []
  for (const piece of pieces)
    for (const data of frames.push(piece)) deltas.push(...stream.event(data))
  for (const data of frames.end()) deltas.push(...stream.event(data))
  deltas.push(...stream.ended())
  return { deltas, complete: stream.complete(), kept: stream.providerStates?.() }
}

/** As a client of the chat format gets it. */
function relayed(open: () => DeltaStream, events: readonly string[]): string {
  const identity = { id: 'req_test', model: 'asked', created: 7 }
  const stream = openHubStream({
    vendor: open(),
    renderer: openChatRenderer(identity),
    countTokens: (text) => text.length,
  })
  const frames = new Frames()
  let out = ''
  for (const data of frames.push(encoder.encode(events.join('')))) out += stream.event(data)
  out += stream.ended()
  const usage = stream.reportedUsage() ?? { units: {}, reasoning: 0, estimated: true }
  return out + stream.close({ error: null, usage, costUsd: '0.000001' })
}

describe.each([...streams])('%s', (_, open, events) => {
  const bytes = encoder.encode(events.join(''))
  const whole = read(open, [bytes])

  test('is whole, and says something', () => {
    expect(whole.complete).toBe(true)
    expect(whole.deltas.filter(({ type }) => type === 'finish')).toHaveLength(1)
    expect(whole.deltas.length).toBeGreaterThan(4)
  })

  test('says the same however its bytes are cut', () => {
    for (let at = 1; at < bytes.length; at++)
      expect(read(open, [bytes.slice(0, at), bytes.slice(at)])).toEqual(whole)
    expect(
      read(
        open,
        Array.from(bytes, (byte) => new Uint8Array([byte])),
      ),
    ).toEqual(whole)
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 40 }), (cuts) => {
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        expect(
          read(
            open,
            at.slice(1).map((end, index) => bytes.slice(at[index], end)),
          ),
        ).toEqual(whole)
      }),
      { numRuns: 30 },
    )
  })

  test('cut after any event is not whole, and has said the beginning of what it would have said', () => {
    const needed = events.findIndex(
      (_event, at) => read(open, [encoder.encode(events.slice(0, at + 1).join(''))]).complete,
    )
    for (let at = 0; at < needed; at++) {
      const part = read(open, [encoder.encode(events.slice(0, at).join(''))])
      expect(part.complete).toBe(false)
      expect(part.deltas).toEqual(whole.deltas.slice(0, part.deltas.length))
    }
  })

  test('a call begins before its input comes, once, and calls count from 0', () => {
    const begun: number[] = []
    for (const delta of whole.deltas) {
      if (delta.type === 'tool-start') begun.push(delta.tool)
      if (delta.type === 'tool-arguments') expect(begun).toContain(delta.tool)
    }
    expect(begun).toEqual(begun.map((_tool, at) => at))
    for (const { arguments: text } of collectReply(whole.deltas).choices[0]?.toolCalls ?? [])
      expect(JSON.parse(text)).toBeObject()
  })

  test('is to a chat client one role, one finish, one usage, one terminator, and all that was said', () => {
    const text = relayed(open, events)
    const chunks = chunksOf(text)
    const choices = chunks.flatMap((each) => each.choices ?? [])
    expect(choices.filter(({ delta }) => delta['role'] !== undefined)).toHaveLength(1)
    expect(choices[0]?.delta).toHaveProperty('role', 'assistant')
    expect(choices.filter((each) => each.finish_reason)).toHaveLength(1)
    expect(choices.at(-1)?.finish_reason).not.toBeNull()
    expect(chunks.filter((each) => each.usage)).toHaveLength(1)
    expect(eventsOf(text).filter((data) => data === '[DONE]')).toHaveLength(1)
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    const [reply] = collectReply(whole.deltas).choices
    expect(saidIn(text, 'content')).toBe(reply?.text ?? '')
    expect(saidIn(text, 'reasoning_content')).toBe(reply?.reasoning ?? '')
    for (const each of chunks)
      expect(each).toMatchObject({
        id: 'req_test',
        object: 'chat.completion.chunk',
        model: 'asked',
      })
  })
})

describe('deltas as chat chunks', () => {
  const render = (...deltas: readonly Delta[]) => {
    const renderer = openChatRenderer({ id: 'req_test', model: 'asked', created: 7 })
    const usage = { units: { input: 1, output: 2 }, reasoning: 0, estimated: false }
    return chunksOf(
      deltas.map((delta) => renderer.render([delta])).join('') +
        renderer.close({ error: null, usage, costUsd: '0.1' }),
    )
  }
  const choicesOf = (chunks: ReturnType<typeof render>) =>
    chunks.flatMap((each) => each.choices ?? [])

  test('interleaved calls stay apart by their index', () => {
    const start = (tool: number) =>
      ({ type: 'tool-start', choice: 0, tool, id: `c${tool}`, name: 'f' }) as const
    const more = (tool: number, text: string) =>
      ({ type: 'tool-arguments', choice: 0, tool, text }) as const
    const chunks = choicesOf(
      render(start(0), start(1), more(0, '{"a"'), more(1, '{"b"'), more(0, ':1}'), more(1, ':2}')),
    )
    const texts = ['', '']
    for (const { delta } of chunks)
      for (const each of (delta['tool_calls'] ?? []) as {
        index: number
        function: { arguments: string }
      }[])
        texts[each.index] += each.function.arguments
    expect(texts).toEqual(['{"a":1}', '{"b":2}'])
    expect(chunks.at(-1)?.finish_reason).toBe('tool_calls')
  })

  test('choices have a role and a finish each, and nothing behind it', () => {
    const chunks = choicesOf(
      render(
        { type: 'text', choice: 1, text: 'b' },
        { type: 'text', choice: 0, text: 'a' },
        { type: 'finish', choice: 1, reason: 'length', stopSequence: null },
        { type: 'text', choice: 1, text: 'late' },
        { type: 'finish', choice: 1, reason: 'stop', stopSequence: null },
      ),
    )
    expect(chunks.filter(({ delta }) => delta['role']).map(({ index }) => index)).toEqual([1, 0])
    expect(chunks.filter((each) => each.finish_reason)).toMatchObject([
      { index: 1, finish_reason: 'length' },
      { index: 0, finish_reason: 'stop' },
    ])
    expect(JSON.stringify(chunks)).not.toContain('late')
  })

  test('an answer that says nothing still has a role and a finish', () => {
    expect(choicesOf(render())).toMatchObject([
      { index: 0, delta: { role: 'assistant', content: '' }, finish_reason: 'stop' },
    ])
  })
})

test('a chat stream that differs in its texts only is read as if each event were parsed', () => {
  const chunk = (content: string, extra = '') =>
    `{"note":{"content":"no answer"},"choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}${extra}}]}`
  const plain = (content: string) =>
    `{"choices":[{"index":0,"delta":{"content":${JSON.stringify(content)}}}]}`
  const texts = ['سلام', ' "x"', '\n', 'a\\b', '', '👋', ',"finish_reason":"stop', 'end']
  for (const make of [chunk, plain]) {
    const stream = openChatDeltas({ id: 'req_1', normalise: () => {}, refuseFailure: () => {} })
    const deltas = ['first', ...texts].flatMap((text) => stream.event(make(text)))
    const said = deltas.map((delta) => (delta.type === 'text' ? delta.text : delta.type))
    expect(said).toEqual(['first', ...texts.filter((text) => text !== '')])
    const last = plain('x').replace('}}]', '},"finish_reason":"stop"}]')
    expect(stream.event(last)).toEqual([
      { type: 'text', choice: 0, text: 'x' },
      { type: 'finish', choice: 0, reason: 'stop', stopSequence: null },
    ])
    expect(stream.event(plain('too late'))).toEqual([])
  }
})

test('a chat stream that ends without a choice is no answer', () => {
  const stream = openChatDeltas({ id: 'req_1', normalise: () => {}, refuseFailure: () => {} })
  stream.event('{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":1}}')
  expect(() => stream.event('[DONE]')).toThrow('a stream without an answer')
})
