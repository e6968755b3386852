import { expect, test } from 'bun:test'
import { bySpeaker } from '../../../src/gateway/formats/chat/speaker'

const picture = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
const mark = { cache_control: { type: 'ephemeral' } }

test.each([
  [[{ type: 'text', text: 'Hi' }], [{ type: 'text', text: 'Ann: Hi' }]],
  [[{ type: 'text', text: 'Hi', ...mark }], [{ type: 'text', text: 'Ann: Hi', ...mark }]],
  [
    [{ type: 'text', text: 'Hi' }, picture],
    [{ type: 'text', text: 'Ann: Hi' }, picture],
  ],
  [[picture], [{ type: 'text', text: 'Ann:' }, picture]],
  [[], [{ type: 'text', text: 'Ann:' }]],
])('parts %j say who speaks', (parts: object[], said: object[]) => {
  expect(bySpeaker('Ann', parts)).toEqual(said)
})
