import { describe, expect, test } from 'bun:test'
import type { Usage } from '../../../src/domain/usage'
import { fieldsOf, listOf, type Fields } from '../../../src/gateway/json/fields'
import { collectReply } from '../../../src/gateway/formats/collect-reply'
import type { Delta } from '../../../src/gateway/formats/hub'
import { renderResponse } from '../../../src/gateway/formats/responses/render-reply'
import { openResponsesRenderer } from '../../../src/gateway/formats/responses/render-stream'
import { checkResponsesBody } from '../../../src/gateway/formats/responses/schema'
import { responseEvents, responsesClient } from '../../matrix/responses-client'

const identity = { id: 'req_0123456789abcdef0123456789abcdef', model: 'asked', created: 7 }
const body = (more: object = {}) => checkResponsesBody({ model: 'asked', input: 'Hi', ...more })
const usage: Usage = { units: { input: 10, output: 5 }, reasoning: 2, estimated: false }

const say = (type: 'text' | 'reasoning' | 'refusal', text: string): Delta => ({
  type,
  choice: 0,
  text,
})
const start = (tool: number, name: string): Delta => ({
  type: 'tool-start',
  choice: 0,
  tool,
  id: `call_${tool}`,
  name,
})
const args = (tool: number, text: string): Delta => ({
  type: 'tool-arguments',
  choice: 0,
  tool,
  text,
})
const finish = (reason: 'stop' | 'length' | 'tool_calls' | 'content_filter'): Delta => ({
  type: 'finish',
  choice: 0,
  reason,
  stopSequence: null,
})

/** Every delta by itself. */
function streamed(deltas: readonly Delta[], more: object = {}, error: unknown = null): string {
  const renderer = openResponsesRenderer(body(more), identity)
  const out = deltas.map((delta) => renderer.render([delta])).join('')
  return out + renderer.close({ error, usage, costUsd: '0.1' })
}
const typesOf = (text: string) => responseEvents(text).map(({ type }) => type)
const lastOf = (text: string): Fields => fieldsOf(responseEvents(text).at(-1)?.['response'])
const outputOf = (text: string) => listOf(lastOf(text)['output']).map(fieldsOf)

describe('a translated stream', () => {
  const everything = [
    say('reasoning', 'First '),
    say('reasoning', 'I think.'),
    say('text', 'Let me '),
    say('text', 'look.'),
    start(0, 'weather'),
    args(0, '{"city":'),
    start(1, 'time'),
    args(1, '{"zone":"x"}'),
    args(0, '"تهران"}'),
    finish('tool_calls'),
  ]

  test('has every event in its place, numbered', () => {
    const text = streamed(everything)
    expect(typesOf(text)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ])
    const events = responseEvents(text)
    expect(events.map((event) => event['sequence_number'])).toEqual([...events.keys()])
    // The stand-in of a client holds it to the form, and puts it together.
    expect(responsesClient.readStream(text)).toMatchObject({
      text: 'Let me look.',
      reasoning: 'First I think.',
      calls: [
        { name: 'weather', arguments: { city: 'تهران' } },
        { name: 'time', arguments: { zone: 'x' } },
      ],
    })
  })

  test('keeps calls that interleave apart, each by its place and its id', () => {
    const deltas = responseEvents(streamed(everything)).filter(
      ({ type }) => type === 'response.function_call_arguments.delta',
    )
    expect(deltas.map(({ output_index, delta }) => [output_index, delta])).toEqual([
      [2, '{"city":'],
      [3, '{"zone":"x"}'],
      [2, '"تهران"}'],
    ])
    expect(new Set(deltas.map(({ item_id }) => item_id)).size).toBe(2)
    for (const { type, name, output_index } of responseEvents(streamed(everything)))
      if (type === 'response.function_call_arguments.done')
        expect(name).toBe(output_index === 2 ? 'weather' : 'time')
  })

  test('ends with the very output that a whole answer has', () => {
    const usageless = collectReply(everything)
    const whole = JSON.parse(renderResponse(body(), usageless, identity, usage)) as Fields
    expect(lastOf(streamed(everything))).toEqual(whole)
  })

  test.each([
    ['length', 'incomplete', { reason: 'max_output_tokens' }],
    ['content_filter', 'incomplete', { reason: 'content_filter' }],
    ['stop', 'completed', null],
  ] as const)('that stopped for %s is %s', (reason, status, details) => {
    const text = streamed([say('text', 'So'), finish(reason)])
    expect(typesOf(text).at(-1)).toBe(`response.${status}`)
    expect(lastOf(text)).toMatchObject({ status, incomplete_details: details })
    expect(outputOf(text)[0]?.['status']).toBe(status)
  })

  test('tells a refusal as one, also after a text', () => {
    const text = streamed([say('text', 'Well, '), say('refusal', 'no.'), finish('stop')])
    expect(typesOf(text)).toContain('response.refusal.delta')
    expect(responseEvents(text)).toContainEqual(
      expect.objectContaining({
        type: 'response.refusal.done',
        refusal: 'no.',
        content_index: 1,
      }) as never,
    )
    expect(outputOf(text)).toMatchObject([
      {
        content: [
          { type: 'output_text', text: 'Well, ' },
          { type: 'refusal', refusal: 'no.' },
        ],
      },
    ])
  })

  test('tells how likely its tokens were, where the vendor does', () => {
    const token = (text: string) => ({ token: text, logprob: -0.1, bytes: null, top_logprobs: [] })
    const likely = (text: string): Delta => ({
      type: 'text',
      choice: 0,
      text,
      logprobs: [token(text)],
    })
    const text = streamed([likely('So '), likely('be it'), finish('stop')])
    const events = responseEvents(text)
    const of = (type: string) => events.filter((event) => event.type === type)
    expect(of('response.output_text.delta').map(({ logprobs }) => logprobs)).toEqual([
      [token('So ')],
      [token('be it')],
    ])
    const both = [token('So '), token('be it')]
    expect(of('response.output_text.done')[0]?.['logprobs']).toEqual(both)
    expect(outputOf(text)).toMatchObject([{ content: [{ logprobs: both }] }])
  })

  test('tells sources where they are cited', () => {
    const cited = { start_index: 0, end_index: 5, url: 'https://a.example', title: 'A' }
    const annotation = { type: 'url_citation', url_citation: cited }
    const text = streamed([
      say('text', 'Sunny'),
      { type: 'annotation', choice: 0, annotation },
      finish('stop'),
    ])
    expect(responseEvents(text)).toContainEqual(
      expect.objectContaining({
        type: 'response.output_text.annotation.added',
        annotation_index: 0,
        annotation: { type: 'url_citation', ...cited },
      }) as never,
    )
    expect(outputOf(text)).toMatchObject([
      { content: [{ annotations: [{ type: 'url_citation', ...cited }] }] },
    ])
  })

  test('gives a custom tool its text, unwrapped, when it is whole', () => {
    const tools = [{ type: 'custom', name: 'patch' }]
    const text = streamed(
      [start(0, 'patch'), args(0, '{"input":"*** '), args(0, 'Begin"}'), finish('tool_calls')],
      { tools },
    )
    expect(typesOf(text)).not.toContain('response.function_call_arguments.delta')
    expect(responseEvents(text)).toContainEqual(
      expect.objectContaining({
        type: 'response.custom_tool_call_input.done',
        input: '*** Begin',
      }) as never,
    )
    expect(outputOf(text)).toMatchObject([{ type: 'custom_tool_call', input: '*** Begin' }])
  })

  test('asks the client for the tools that it kept back', () => {
    const tools = [{ type: 'tool_search', execution: 'client', parameters: { type: 'object' } }]
    const text = streamed([start(0, 'tool_search'), args(0, '{"query":"files"}')], { tools })
    expect(outputOf(text)).toMatchObject([
      {
        type: 'tool_search_call',
        call_id: 'call_0',
        execution: 'client',
        arguments: { query: 'files' },
      },
    ])
  })

  test('that breaks calls nothing whole that is not: it says so twice, and fails with what there was', () => {
    const error = { error: { code: 'stream_interrupted', message: 'cut', type: 'upstream_error' } }
    const text = streamed([say('text', 'So'), start(0, 'time'), args(0, '{"zo')], {}, error)
    expect(typesOf(text).slice(-3)).toEqual([
      'response.function_call_arguments.delta',
      'error',
      'response.failed',
    ])
    expect(lastOf(text)).toMatchObject({
      status: 'failed',
      error: { code: 'stream_interrupted' },
      output: [
        { type: 'message', status: 'completed' },
        { type: 'function_call', status: 'incomplete', arguments: '{"zo' },
      ],
    })
  })

  test('without a word is still a response', () => {
    expect(typesOf(streamed([finish('stop')]))).toEqual([
      'response.created',
      'response.in_progress',
      'response.completed',
    ])
  })
})

test('an answer that never stops opening items is cut', () => {
  const renderer = openResponsesRenderer(body(), identity)
  const open = (at: number) => renderer.render([say('reasoning', 'x'), say('text', `${at}`)])
  for (let at = 0; at < 1024; at++) open(at)
  expect(() => open(1024)).toThrow('too many output items')
  expect(outputOf(renderer.close({ error: null, usage, costUsd: '0.1' }))).toHaveLength(2048)
})
