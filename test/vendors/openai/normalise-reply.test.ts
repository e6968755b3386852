import { describe, expect, test } from 'bun:test'
import { readUsage } from '../../../src/gateway/formats/chat/usage'
import { VendorFailure } from '../../../src/errors/vendor-failure'
import { normaliseReply } from '../../../src/gateway/vendors/openai/normalise-reply'

const normal = (reply: Record<string, unknown>): Record<string, unknown> => {
  normaliseReply(reply)
  return reply
}
const finish = (reason: unknown) =>
  normal({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })['choices']

describe('the reason an answer ended', () => {
  test.each([
    ['stop', 'stop'],
    ['STOP', 'stop'],
    ['eos', 'stop'],
    ['COMPLETE', 'stop'],
    ['length', 'length'],
    ['MAX_TOKENS', 'length'],
    ['model_length', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['sensitive', 'content_filter'],
    ['SAFETY', 'content_filter'],
    ['tool_use', 'tool_calls'],
    ['TOOL_CALL', 'tool_calls'],
    ['constructor', 'constructor'],
    [null, null],
  ])('%j is %j', (told, reason) => {
    expect(finish(told)).toEqual([{ index: 0, delta: {}, finish_reason: reason }])
  })

  test.each(['network_error', 'error', 'insufficient_system_resource'])(
    '%s is no end but a breakdown',
    (told) => {
      expect(() => finish(told)).toThrow(VendorFailure)
    },
  )
})

describe('content in parts', () => {
  const thinking = (text: unknown) => ({ type: 'thinking', thinking: text })
  test.each(['message', 'delta'])('becomes text and reasoning, in a %s', (member) => {
    const content = [
      thinking([
        { type: 'text', text: 'Let ' },
        { type: 'text', text: 'me.' },
      ]),
      { type: 'text', text: 'Blue ' },
      { type: 'reference', reference_ids: [1] },
      { type: 'text', text: 'sky' },
    ]
    expect(normal({ choices: [{ [member]: { content } }] })).toEqual({
      choices: [{ [member]: { content: 'Blue sky', reasoning_content: 'Let me.' } }],
    })
  })

  test('that are all thinking leave no content', () => {
    const content = [thinking('hm')]
    expect(normal({ choices: [{ delta: { content } }] })['choices']).toEqual([
      { delta: { content: null, reasoning_content: 'hm' } },
    ])
  })
})

describe('usage', () => {
  const read = (reply: Record<string, unknown>) => readUsage(normal(reply)['usage'])
  const told = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

  test('is found where the vendor puts it', () => {
    for (const reply of [
      { choices: [], usage: told },
      { choices: [], x_groq: { usage: told } },
      { choices: [{ delta: {}, usage: told }] },
    ])
      expect(read(reply)).toMatchObject({ units: { input: 10, output: 5 }, estimated: false })
  })

  test('with cached tokens on top of it has them inside the prompt', () => {
    expect(read({ choices: [], usage: { ...told, cached_tokens: 4 } })?.units).toEqual({
      input: 6,
      cached_input: 4,
      output: 5,
    })
  })

  test('of a searching vendor has reasoning beside the answer: it is added', () => {
    const usage = { ...told, reasoning_tokens: 100, num_search_queries: 3 }
    expect(read({ choices: [], usage })).toMatchObject({
      units: { input: 10, output: 105 },
      reasoning: 100,
    })
  })

  test('of others has reasoning inside the answer: it is only named', () => {
    expect(read({ choices: [], usage: { ...told, reasoning_tokens: 3 } })).toMatchObject({
      units: { input: 10, output: 5 },
      reasoning: 3,
    })
    const details = { completion_tokens_details: { reasoning_tokens: 2 } }
    const usage = { ...told, ...details, reasoning_tokens: 2, num_search_queries: 1 }
    expect(read({ choices: [], usage })?.units).toEqual({
      input: 10,
      output: 5,
      'tool:web_search': 1,
    })
  })
})

test('the closing event of a cumulative stream does not say the answer again', () => {
  const reply = {
    object: 'chat.completion.done',
    choices: [{ index: 0, message: { content: 'All of it' }, finish_reason: 'stop' }],
  }
  expect(normal(reply)['choices']).toEqual([
    { index: 0, message: { content: 'All of it' }, delta: {}, finish_reason: 'stop' },
  ])
})

test('what is in the reference shape, or in none at all, stays as it is', () => {
  for (const reply of [
    {
      choices: [{ index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1 },
    },
    { choices: 'none' },
    { choices: [null, 7, { delta: null }] },
    {},
  ])
    expect(normal(structuredClone<Record<string, unknown>>(reply))).toEqual(reply)
})
