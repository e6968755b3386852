import { expect, test } from 'bun:test'
import { countCharacters } from '../../src/gateway/formats/characters'

test.each([
  ['', 0],
  ['a', 1],
  ['سلام', 4],
  ['می\u200cروم', 6],
  ['😀', 1],
  ['😀😀a', 3],
  ['\ud83d', 1],
  ['\ude00\ud83d', 2],
  ['\ud83d\ud83d\ude00', 2],
  ['👩‍👧', 3],
])('%j has %d characters, as its code points are', (text, count) => {
  expect(countCharacters(text)).toBe(count)
  expect(countCharacters(text)).toBe(Array.from(text).length)
})
