import { describe, expect, test } from 'bun:test'
import { Frames } from '../../../src/gateway/formats/frames'
import { openNativeMessages } from '../../../src/gateway/formats/messages/native-stream'
import {
  inputUsage,
  messageEvent,
  messagesStream,
  messageStart,
  ping,
  textBlock,
  thinkingBlock,
  toolBlock,
} from '../../support/anthropic-stand-in'

const identity = { id: 'req_0123456789abcdef0123456789abcdef', model: 'asked', created: 7 }
const refuseFailure = (event: Record<string, unknown>) => {
  if (event['type'] === 'error') throw new Error('the vendor failed')
}
const raw = { model: 'asked', messages: [] }
const open = () =>
  openNativeMessages({
    raw,
    identity,
    sells: () => true,
    refuseFailure,
    countTokens: (text) => text.length,
  })
const paid = { error: null, usage: { units: {}, reasoning: 0, estimated: false }, costUsd: '0.5' }

function relayed(pieces: readonly Uint8Array[]): string {
  const stream = open()
  const frames = new Frames()
  let out = ''
  for (const piece of pieces) for (const data of frames.push(piece)) out += stream.event(data)
  for (const data of frames.end()) out += stream.event(data)
  out += stream.ended()
  if (!stream.complete()) throw new Error('not complete')
  return out + stream.close(paid)
}

const encoder = new TextEncoder()
const events = messagesStream(
  [
    ...thinkingBlock(0, 'I should "look" \\ there.', 'c2ln+/='),
    ping,
    ...textBlock(1, 'سلام ', '🌍👩‍👩‍👧 ', 'نیم‌فاصله\n'),
    ...toolBlock(2, 'toolu_a', 'weather', '{"ci', 'ty":"تهران"}'),
    messageEvent({
      type: 'content_block_start',
      index: 3,
      content_block: { type: 'hologram', whole: [1.0, { a: null }] },
    }),
    messageEvent({ type: 'content_block_stop', index: 3 }),
    messageEvent({ type: 'novelty', of: 'the vendor' }),
  ],
  'tool_use',
)

describe('a stream of the same format', () => {
  test('counts a summary of the conversation as output, and the vendor as having begun', () => {
    const stream = open()
    const delta = { type: 'compaction_delta', content: 'so far', encrypted_content: null }
    const type = 'content_block_delta'
    const [data = ''] = new Frames().push(encoder.encode(messageEvent({ type, index: 0, delta })))
    expect(stream.event(data)).toContain('so far')
    expect([stream.countedTokens(), stream.started?.()]).toEqual(['so far'.length, true])
  })

  test('passes to the letter, but for id, model and what it cost', () => {
    const out = relayed([encoder.encode(events.join(''))])
    const expected = events
      .map((event) =>
        event
          .replace('"id":"msg_01stand"', '"id":"msg_0123456789abcdef0123456789abcdef"')
          .replace('"model":"claude-vendor-20260101"', '"model":"asked"')
          .replace(/^(event: message_delta\n.*)\}\n\n$/s, '$1,"cost_usd":"0.5"}\n\n'),
      )
      .join('')
    expect(out).toBe(expected)
  })

  test('is the same wherever the bytes are cut', () => {
    const bytes = encoder.encode(events.join(''))
    const whole = relayed([bytes])
    for (let at = 1; at < bytes.length; at++)
      expect(relayed([bytes.subarray(0, at), bytes.subarray(at)])).toBe(whole)
    expect(relayed(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toBe(whole)
  })

  test('keeps the padding that the vendor puts into its events', () => {
    const padded =
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a\\n\\"b"}      }'
    const stream = open()
    expect(stream.event(padded)).toBe(`event: content_block_delta\ndata: ${padded}\n\n`)
    expect(stream.countedTokens()).toBe('a\n"b'.length)
  })

  test('counts what is said by whatever spelling of the event', () => {
    const stream = open()
    for (const data of [
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"four"}}',
      '{"index":0, "type":"content_block_delta", "delta":{"text":"four","type":"text_delta"}}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\\"a\\""}}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"four"},"more":1}',
      '{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"unsaid"}}',
    ])
      expect(stream.event(data)).toBe(`event: content_block_delta\ndata: ${data}\n\n`)
    expect(stream.countedTokens()).toBe('four'.length * 3 + '{"a"'.length)
  })

  test('that starts twice starts once, and with another message is broken', () => {
    const stream = open()
    const data = (event: string) => event.split('data: ')[1]?.trim() ?? ''
    expect(stream.event(data(messageStart()))).not.toBe('')
    expect(stream.event(data(messageStart()))).toBe('')
    expect(() => stream.event(data(messageStart('msg_other')))).toThrow('second message')
  })

  test('an error in it is the vendor’s failure', () => {
    expect(() => open().event('{"type":"error","error":{"type":"overloaded_error"}}')).toThrow(
      'the vendor failed',
    )
    expect(() => open().event('{"error":{"type":"overloaded_error"}}')).toThrow()
    expect(() => open().event('{"type":"content_block_del')).toThrow()
  })

  test('usage at its start is replaced by usage at its end, number by number', () => {
    const stream = open()
    const says = (event: { type: string; [name: string]: unknown }) =>
      stream.event(JSON.stringify(event))
    says({
      type: 'message_start',
      message: { id: 'm', usage: { ...inputUsage, output_tokens: 1 } },
    })
    expect(stream.reportedUsage()).toMatchObject({ estimated: true, units: { input: 40 } })
    says({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'four' } })
    expect(stream.reportedUsage()?.units.output).toBe(4)
    says({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn' },
      usage: {
        input_tokens: 61,
        output_tokens: 9,
        cache_read_input_tokens: null,
        server_tool_use: { web_search_requests: 2 },
      },
    })
    expect(stream.reportedUsage()).toEqual({
      units: {
        input: 61,
        cached_input: 1000,
        cache_write_5m: 20,
        cache_write_1h: 10,
        output: 9,
        'tool:web_search': 2,
      },
      reasoning: 0,
      estimated: false,
    })
  })

  test('that was cut after it told why it stopped is whole', () => {
    const stream = open()
    stream.event(
      '{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}',
    )
    expect(stream.complete()).toBe(false)
    stream.ended()
    expect(stream.complete()).toBe(true)
    expect(stream.close(paid)).toContain('event: message_stop')
  })
})
