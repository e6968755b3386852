import { describe, expect, test } from 'bun:test'
import { readNativeResponse } from '../../../src/gateway/formats/responses/native-reply'
import { openNativeResponses } from '../../../src/gateway/formats/responses/native-stream'
import { message, reasoningItem, response, responseStream } from '../../support/responses-stand-in'
import { eventsOf } from '../../support/sse'

const identity = { id: 'req_0123456789abcdef0123', model: 'asked', created: 7 }
const parts = {
  raw: { model: 'asked', input: 'Hello' },
  identity,
  sells: () => false,
  sealOwn: (content: string) => content,
  refuseFailure() {},
  countTokens: (text: string) => text.length,
  estimate: () => ({ units: { output: 1 }, reasoning: 0, estimated: true }),
}

const dataOf = (text: string): string[] => eventsOf(text.replaceAll(/^event: .*\n/gm, ''))

describe('a stream for a client of the same format', () => {
  const relay = (events: readonly string[]): string[] => {
    const stream = openNativeResponses(parts)
    return dataOf(dataOf(events.join('')).map(stream.event).join(''))
  }

  test('passes to the letter where clients can read it', () => {
    const cited = {
      type: 'url_citation',
      start_index: 0,
      end_index: 5,
      url: 'https://a/',
      title: '',
    }
    const items = [reasoningItem('sealed', 'First.'), message('Hello', { annotations: [cited] })]
    const sent = dataOf(responseStream(items).join(''))
    const untouched = sent.filter((data) => !data.includes('"response":'))
    expect(relay(responseStream(items)).filter((data) => !data.includes('"response":'))).toEqual(
      untouched,
    )
  })

  test('keeps the first id of an item whose id changes from event to event', () => {
    const events = responseStream([message('Hello there')]).map((event, at) =>
      event.replaceAll('"msg_1"', `"msg_${at}"`),
    )
    const ids = new Set(
      relay(events)
        .join('')
        .match(/"msg_\d+"/g),
    )
    expect([...ids]).toEqual(['"msg_2"'])
  })
})

test('a whole response has every member of its citations, and else its own text', () => {
  const cited = { type: 'url_citation', url: 'https://a.example/' }
  const whole = { ...cited, start_index: 0, end_index: 0, title: cited.url }
  const read = (annotations: readonly object[]) =>
    readNativeResponse(JSON.stringify(response([message('Hi', { annotations })])), parts).body
  expect(JSON.parse(read([cited]))).toMatchObject({
    output: [message('Hi', { annotations: [whole] })],
  })
  expect(read([whole])).toContain(JSON.stringify([message('Hi', { annotations: [whole] })]))
})
