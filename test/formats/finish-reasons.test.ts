import { describe, expect, test } from 'bun:test'
import { parseChatReply } from '../../src/gateway/formats/chat/parse-reply'
import { openChatDeltas } from '../../src/gateway/formats/chat/parse-stream'
import { readChatReply } from '../../src/gateway/formats/chat/reply'
import { openChatStream } from '../../src/gateway/formats/chat/stream'
import type { FinishReason } from '../../src/gateway/formats/chat/wire'
import { finishOf as geminiFinish } from '../../src/gateway/formats/gemini/finish-reasons'
import { finishOf as messagesFinish } from '../../src/gateway/formats/messages/stop-reasons'
import { normaliseReply } from '../../src/gateway/vendors/openai/normalise-reply'
import { chunksOf } from '../support/sse'

const identity = { id: 'req_test', model: 'asked', created: 7 }
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
const parts = { id: identity.id, normalise: normaliseReply, refuseFailure() {} }
const call = { id: 'call_a', type: 'function', function: { name: 'f', arguments: '{}' } }

/** What an answer says, how its vendor says that it ended, and how it did. */
const rows = [
  ['calls of tools without any call', { content: 'Hi' }, 'tool_calls', 'stop'],
  ['an empty list of calls', { content: 'Hi', tool_calls: [] }, 'tool_calls', 'stop'],
  ['a use of tools in the words of another format', { content: 'Hi' }, 'tool_use', 'stop'],
  ['a call, and that it stopped', { tool_calls: [call] }, 'stop', 'tool_calls'],
  ['a call, and a word that nobody knows', { tool_calls: [call] }, 'done', 'tool_calls'],
  ['a call that was cut', { tool_calls: [call] }, 'length', 'length'],
  ['a call that was filtered', { tool_calls: [call] }, 'content_filter', 'content_filter'],
  [
    'a function in the old form',
    { function_call: { name: 'f', arguments: '{}' } },
    'function_call',
    'tool_calls',
  ],
  ['a word that nobody knows', { content: 'Hi' }, 'done', 'stop'],
  ['a filter of the vendor before', { content: 'Hi' }, 'MODEL_ARMOR', 'content_filter'],
  ['a filter of pictures', { content: 'Hi' }, 'IMAGE_SAFETY', 'content_filter'],
] as const

const whole = (message: object, finish: string) =>
  JSON.stringify({
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: null, refusal: null, ...message },
        logprobs: null,
        finish_reason: finish,
      },
    ],
    usage,
  })

/** Events of the same answer, the end in one of its own. */
const events = (message: object, finish: string) =>
  [
    { index: 0, delta: { role: 'assistant', ...message }, finish_reason: null },
    { index: 0, delta: {}, finish_reason: finish },
  ].map((choice) => JSON.stringify({ choices: [choice] }))

/** What has no form in the middle was not called there. */
const inTheMiddle = (finish: string, expected: FinishReason): FinishReason =>
  finish === 'function_call' ? 'stop' : expected

describe.each(rows)('%s', (_, message, finish, expected) => {
  test('is one end in a whole answer, for clients of chat and of others', () => {
    const estimate = () => ({ units: { input: 1, output: 1 }, reasoning: 0, estimated: true })
    const { body } = readChatReply(whole(message, finish), { ...parts, identity, estimate })
    const { choices } = JSON.parse(body) as { choices: { finish_reason: string }[] }
    expect(choices[0]?.finish_reason).toBe(expected)
    const [choice] = parseChatReply(whole(message, finish), parts).choices
    expect(choice?.finish).toBe(inTheMiddle(finish, expected))
  })

  test('is the same end in a stream', () => {
    const stream = openChatStream({ ...parts, identity, countTokens: (text) => text.length })
    const out = [...events(message, finish), '[DONE]'].map((data) => stream.event(data)).join('')
    const reasons = chunksOf(out).flatMap(({ choices = [] }) =>
      choices.flatMap((each) => each.finish_reason ?? []),
    )
    expect(reasons).toEqual([expected])
    const deltas = openChatDeltas(parts)
    const ends = events(message, finish)
      .flatMap((data) => deltas.event(data))
      .flatMap((delta) => (delta.type === 'finish' ? delta.reason : []))
    expect(ends).toEqual([inTheMiddle(finish, expected)])
  })
})

test('the end of Google’s format and of Messages is what the content says', () => {
  expect(geminiFinish('MODEL_ARMOR', true)).toBe('content_filter')
  expect(geminiFinish('SOMETHING_NEW', true)).toBe('tool_calls')
  expect(geminiFinish('SOMETHING_NEW', false)).toBe('stop')
  expect(messagesFinish('tool_use', false)).toBe('stop')
  expect(messagesFinish('end_turn', true)).toBe('tool_calls')
  expect(messagesFinish('stop_sequence', true)).toBe('tool_calls')
  expect(messagesFinish('max_tokens', true)).toBe('length')
  expect(messagesFinish('something_new', false)).toBe('stop')
})
