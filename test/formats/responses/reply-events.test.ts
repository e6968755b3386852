import { expect, test } from 'bun:test'
import { responseAsEvents } from '../../../src/gateway/formats/responses/reply-events'
import {
  functionCall,
  message,
  reasoningItem,
  response,
  responseStream,
} from '../../support/responses-stand-in'

const cited = { type: 'url_citation', start_index: 0, end_index: 2, url: 'https://a', title: 'A' }
const items = [
  reasoningItem('sealed', 'First.', 'Then.'),
  message('So', { annotations: [cited] }),
  functionCall('call_a', 'weather', '{"a":1}'),
]
const typesOf = (events: readonly string[]) =>
  events.map((data) => (JSON.parse(data) as { type: string }).type)

test('a whole response says the same as a stream of the vendor, each item at once', () => {
  const events = responseAsEvents(response(items))
  const told = responseStream(items).map((event) => event.slice(event.indexOf('{')).trim())
  const once = (types: readonly string[]) =>
    types.filter((type, at) => !type.endsWith('.delta') || types[at - 1] !== type)
  expect(typesOf(events)).toEqual(once(typesOf(told)))
  events.forEach((data, at) => expect(JSON.parse(data)).toMatchObject({ sequence_number: at }))
})

test('a custom tool and a refusal have their events too', () => {
  const custom = { id: 'ctc_1', type: 'custom_tool_call', call_id: 'c', name: 'p', input: '*** x' }
  const refused = { ...message(''), content: [{ type: 'refusal', refusal: 'No.' }] }
  const events = responseAsEvents(response([custom as never, refused as never]))
  expect(typesOf(events)).toEqual([
    'response.created',
    'response.in_progress',
    'response.output_item.added',
    'response.custom_tool_call_input.delta',
    'response.custom_tool_call_input.done',
    'response.output_item.done',
    'response.output_item.added',
    'response.content_part.added',
    'response.refusal.delta',
    'response.refusal.done',
    'response.content_part.done',
    'response.output_item.done',
    'response.completed',
  ])
  expect(JSON.parse(events[2] ?? '')).toMatchObject({ item: { name: 'p', input: '' } })
})

test('one that was cut short ends so', () => {
  const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
  const events = responseAsEvents(response([message('So')], cut))
  expect(typesOf(events).at(-1)).toBe('response.incomplete')
})
