import { expect, test } from 'bun:test'
import { deltaChars, eventOf, eventTypeOf } from '../../../src/gateway/formats/realtime/event-type'

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

test('an event that begins with blanks without end has no type', () => {
  expect(eventTypeOf(`${' '.repeat(500)}{"type":"response.done"}`)).toBe('response.done')
  expect(eventTypeOf(`${' '.repeat(5_000_000)}{"type":"response.done"}`)).toBeNull()
})

test('the characters of a delta are counted up to its end, or to that of a strange event', () => {
  expect(deltaChars(String.raw`{"type":"x","delta":"a\"b","n":1}`)).toBe(4)
  const quotes = String.raw`\"`.repeat(200_000)
  const strange = `{"type":"x","delta":"${quotes}","n":1}`
  expect(deltaChars(strange)).toBe(strange.length - '{"type":"x","delta":"'.length)
  expect(deltaChars('{"delta":"a\\')).toBe(2)
})
