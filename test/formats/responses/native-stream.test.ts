import { describe, expect, test } from 'bun:test'
import type { Usage } from '../../../src/domain/usage'
import { fieldsOf, type Fields } from '../../../src/gateway/json/fields'
import { Frames } from '../../../src/gateway/formats/frames'
import { openNativeResponses } from '../../../src/gateway/formats/responses/native-stream'
import { checkResponsesBody } from '../../../src/gateway/formats/responses/schema'
import { responseEvents } from '../../matrix/responses-client'
import {
  functionCall,
  message,
  reasoningItem,
  responseStream,
  responseUsage,
} from '../../support/responses-stand-in'

const identity = { id: 'req_0123456789abcdef0123456789abcdef', model: 'asked', created: 7 }
const raw = checkResponsesBody({ model: 'asked', input: 'Hi', tools: [{ type: 'web_search' }] })
const refuseFailure = (event: Fields) => {
  throw new Error(`the vendor failed: ${String(fieldsOf(event['error'])['message'])}`)
}
const open = () =>
  openNativeResponses({
    raw,
    identity,
    sealOwn: (content: string) => `sealed ${content}`,
    sells: () => true,
    refuseFailure,
    countTokens: (text) => text.length,
  })
const free: Usage = { units: {}, reasoning: 0, estimated: false }
const paid = { error: null, usage: free, costUsd: '0.5' }
const broken = {
  error: { error: { code: 'stream_interrupted', message: 'cut', type: 'upstream_error' } },
  usage: free,
  costUsd: '0.1',
}

/** @returns what went to the client, and the state it is in */
function relay(pieces: readonly Uint8Array[]) {
  const stream = open()
  const frames = new Frames()
  let out = ''
  for (const piece of pieces) for (const data of frames.push(piece)) out += stream.event(data)
  for (const data of frames.end()) out += stream.event(data)
  return { stream, out: out + stream.ended() }
}

const encoder = new TextEncoder()
const items = [
  reasoningItem('c2VhbGVk', 'I should "look"'),
  message('سلام 🌍👩‍👩‍👧 نیم‌فاصله\n\\ "back"'),
  functionCall('call_a', 'weather', '{"city":"تهران"}'),
  functionCall('call_b', 'time', '{"zone":"Asia/Tehran"}'),
]
const events = responseStream(items)
const bytesOf = (texts: readonly string[]) => encoder.encode(texts.join(''))

describe('a stream of the same format', () => {
  test('passes to the letter, but for id, model and what it cost', () => {
    const { stream, out } = relay([bytesOf(events)])
    const said = responseEvents(out + stream.close(paid))
    const told = responseEvents(events.join(''))
    expect(said.length).toBe(told.length)
    said.forEach((event, at) => {
      if (event['response'] === undefined) return expect(event).toEqual(told[at] as typeof event)
      expect(event['response']).toEqual({
        ...fieldsOf(told[at]?.['response']),
        id: 'resp_0123456789abcdef0123456789abcdef',
        model: 'asked',
        previous_response_id: null,
        safety_identifier: null,
        user: null,
      })
    })
    expect(said.at(-1)?.['cost_usd']).toBe('0.5')
    expect(stream.reportedUsage()?.units).toEqual({
      input: 30,
      cached_input: 60,
      cache_write_5m: 10,
      output: 50,
    })
  })

  test('says the same wherever its bytes are cut', () => {
    const whole = bytesOf(events)
    const expected = relay([whole]).out
    for (let at = 1; at < whole.length; at++)
      expect(relay([whole.subarray(0, at), whole.subarray(at)]).out).toBe(expected)
  })

  test('numbers, order of members and what nobody knows are the vendor’s', () => {
    const odd = '{"novelty":1.0e2,"type":"response.hologram.delta","sequence_number":9,"x":[1.50]}'
    expect(open().event(odd)).toBe(`event: response.hologram.delta\ndata: ${odd}\n\n`)
  })

  test('that breaks ends with what every item had come to', () => {
    const start = relay([bytesOf(events.slice(0, 2))]).out
    expect(start).toContain('response.in_progress')
    for (let after = 2; after < events.length; after++) {
      const { stream, out } = relay([bytesOf(events.slice(0, after))])
      if (stream.complete()) continue
      const all = responseEvents(out + stream.close(broken))
      const [error, failed] = all.slice(-2)
      expect(error).toMatchObject({ type: 'error', code: 'stream_interrupted' })
      expect(error?.['sequence_number']).toBe(after)
      expect(failed).toMatchObject({ type: 'response.failed', sequence_number: after + 1 })
      const { output } = fieldsOf(failed?.['response'])
      expect(textOfItems(output)).toEqual(textOfEvents(all))
    }
  })

  test('of a search in it tells how many there were, without the pages that were opened', () => {
    const search = (type: string) =>
      ({ id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type } }) as never
    const searching = responseStream([search('search'), search('open_page'), message('found')])
    const { stream } = relay([bytesOf(searching)])
    expect(stream.reportedUsage()?.units['tool:web_search']).toBe(1)
  })

  test('that failed is paid as its vendor tells', () => {
    const stream = open()
    for (const event of events.slice(0, 6)) stream.event(event.slice(event.indexOf('{')).trim())
    const response = { error: { code: 'server_error', message: 'oops' }, usage: responseUsage }
    expect(() => stream.event(JSON.stringify({ type: 'response.failed', response }))).toThrow(
      'oops',
    )
    expect(stream.reportedUsage()?.units.output).toBe(50)
  })
})

/** All that an output holds, item by item. */
function textOfItems(output: unknown): readonly string[] {
  return (output as Fields[]).map((item) => {
    const parts = [
      ...((item['content'] ?? []) as Fields[]),
      ...((item['summary'] ?? []) as Fields[]),
    ]
    const { arguments: args } = item
    return typeof args === 'string' ? args : parts.map(({ text }) => String(text)).join('')
  })
}

/** The same, put together from the events before. */
function textOfEvents(all: readonly Fields[]): readonly string[] {
  const said: string[] = []
  for (const { type, output_index: at, delta } of all)
    if (type === 'response.output_item.added') said[Number(at)] = ''
    else if (typeof delta === 'string') said[Number(at)] += delta
  return said
}
