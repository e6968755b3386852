import { expect, test } from 'bun:test'
import { eventOf } from '../../../src/formats/realtime/event-type'

test('an event of a vendor that takes long to parse is none', () => {
  const names = Array.from({ length: 200_000 }, (_, at) => `"k${at}":0`).join()
  expect(eventOf(`{"type":"response.done","response":{${names}}}`)).toBeNull()
  expect(eventOf(`{"type":"error","error":${'['.repeat(1000)}${']'.repeat(1000)}}`)).not.toBeNull()
  const item = 'x'.repeat(1_000_000)
  expect(eventOf(JSON.stringify({ type: 'response.done', item }))).toEqual({
    type: 'response.done',
    item,
  })
})
