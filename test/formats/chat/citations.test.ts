import { describe, expect, test } from 'bun:test'
import { openChatRenderer } from '../../../src/gateway/formats/chat/render-stream'
import { readChatReply } from '../../../src/gateway/formats/chat/reply'
import { openChatStream } from '../../../src/gateway/formats/chat/stream'
import type { Delta } from '../../../src/gateway/formats/hub'
import { choicesOf } from '../../support/sse'
import { chunk, event } from '../../support/stand-in'

const identity = { id: 'req_0123456789abcdef0123', model: 'asked', created: 7 }
const usage = { units: { input: 1, output: 2 }, reasoning: 0, estimated: false }
const ended = { error: null, usage, costUsd: '0.1' }
const broken = { ...ended, error: { error: { code: 'stream_interrupted' } } }
const nothing = { normalise() {}, refuseFailure() {} }

const cited = (name: string) => ({
  type: 'url_citation',
  url_citation: { start_index: 0, end_index: 1, url: `https://${name}.example/`, title: name },
})

/** Each place where a chunk holds citations. */
const annotationsIn = (text: string): readonly unknown[] =>
  choicesOf(text).flatMap(({ index, delta }) =>
    delta['annotations'] === undefined ? [] : [[index, delta['annotations']]],
  )

describe('citations of a stream come in one chunk for each choice', () => {
  const vendorStream = () => openChatStream({ identity, ...nothing, countTokens: () => 1 })
  const chunks = [
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'a' }),
    chunk({ annotations: [cited('one')] }),
    chunk({ content: 'b', annotations: [cited('two')] }),
  ].map((each) => each.slice('data: '.length).trim())

  test('of a vendor of the same format, at the end of the choice', () => {
    const stream = vendorStream()
    const last = event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })
    const out = [...chunks, last.slice('data: '.length).trim()].map(stream.event).join('')
    expect(annotationsIn(out)).toEqual([[0, [cited('one'), cited('two')]]])
    expect(choicesOf(out).at(-1)?.finish_reason).toBe('stop')
  })

  test.each([
    ['that gives no reason for the end', ended],
    ['that breaks', broken],
  ])('of a vendor of the same format %s', (_, end) => {
    const stream = vendorStream()
    const out = chunks.map(stream.event).join('') + stream.close(end)
    expect(annotationsIn(out)).toEqual([[0, [cited('one'), cited('two')]]])
  })

  const deltas: readonly Delta[] = [
    { type: 'text', choice: 0, text: 'a' },
    { type: 'annotation', choice: 0, annotation: cited('one') },
    { type: 'annotation', choice: 1, annotation: cited('other') },
    { type: 'annotation', choice: 0, annotation: cited('two') },
  ]

  test.each([
    ['that ends', ended],
    ['that breaks', broken],
  ])('of a vendor of another format %s', (_, end) => {
    const renderer = openChatRenderer(identity)
    const out = renderer.render(deltas) + renderer.close(end)
    expect(annotationsIn(out)).toEqual([
      [0, [cited('one'), cited('two')]],
      [1, [cited('other')]],
    ])
  })
})

describe('a whole reply', () => {
  const read = (message: object, finish = 'stop') => {
    const choice = { index: 0, logprobs: null, finish_reason: finish }
    const reply = {
      choices: [{ ...choice, message: { role: 'assistant', refusal: null, ...message } }],
      usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    }
    const { body } = readChatReply(JSON.stringify(reply), {
      identity,
      ...nothing,
      estimate: () => usage,
    })
    return (JSON.parse(body) as typeof reply).choices[0]?.message
  }

  test('has every member of its citations', () => {
    const annotations = [
      { type: 'url_citation', url_citation: { url: 'https://one.example/' } },
      { type: 'url_citation', url: 'https://two.example/', title: 'two', end_index: 1 },
      cited('three'),
      { type: 'file_citation', file: 'x' },
    ]
    expect(read({ content: 'a', annotations })).toHaveProperty('annotations', [
      {
        type: 'url_citation',
        url_citation: {
          start_index: 0,
          end_index: 0,
          url: 'https://one.example/',
          title: 'https://one.example/',
        },
      },
      cited('two'),
      cited('three'),
      { type: 'file_citation', file: 'x' },
    ])
  })

  test.each([[''], [' \n'], [null], [undefined], ['{}']])(
    'has an object for a call with the arguments %j',
    (args) => {
      const call = { id: 'c1', type: 'function', function: { name: 'clock', arguments: args } }
      const message = read({ content: null, tool_calls: [call] }, 'tool_calls')
      expect(message).toHaveProperty('tool_calls', [
        { ...call, function: { name: 'clock', arguments: '{}' } },
      ])
    },
  )
})
