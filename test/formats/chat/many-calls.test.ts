import { expect, test } from 'bun:test'
import { openChoices } from '../../../src/gateway/formats/chat/choices'
import { openToolCallOrder } from '../../../src/gateway/formats/chat/tool-calls'

test('a vendor that never stops opening calls is cut', () => {
  const order = openToolCallOrder((index) => `call_${index}`)
  // Under one index, as servers that number all calls 0 do.
  const call = (at: number) => ({ index: 0, id: `c${at}`, function: { name: 'f', arguments: '' } })
  for (let at = 0; at < 1024; at++)
    expect(order.arrange([call(at)])[0]).toMatchObject({ index: at })
  expect(() => order.arrange([call(1024)])).toThrow('too many tool calls')
  // What is open goes on.
  expect(order.arrange([{ id: 'c5', function: { arguments: '{}' } }])).toHaveLength(1)
})

test('a vendor that never stops opening choices is cut', () => {
  const choices = openChoices('req_0123456789abcdef0123', { text() {}, sound() {}, pictures() {} })
  const say = (index: number) => choices.pass([{ index, delta: { content: 'x' } }])
  for (let index = 0; index < 128; index++) expect(say(index)).toHaveLength(1)
  expect(() => say(128)).toThrow('too many choices')
  expect(say(127)).toHaveLength(1)
})
