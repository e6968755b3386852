import { expect, test } from 'bun:test'
import { latinDigits } from '../../src/domain/digits'

/** Zeros of some of the scripts of Unicode; their digits follow. */
const zeros: readonly (readonly [script: string, zero: number])[] = [
  ['Arabic', 0x0660],
  ['Persian', 0x06f0],
  ['Devanagari', 0x0966],
  ['Bengali', 0x09e6],
  ['Tamil', 0x0be6],
  ['Thai', 0x0e50],
  ['Tibetan', 0x0f20],
  ['Myanmar', 0x1040],
  ['Khmer', 0x17e0],
  ['Tai Tham, two rows', 0x1a90],
  ['full-width', 0xff10],
  ['mathematical bold', 0x1d7ce],
  ['mathematical double-struck', 0x1d7d8],
  ['mathematical monospace', 0x1d7f6],
  ['Adlam', 0x1e950],
  ['segmented', 0x1fbf0],
]

test.each([...zeros])('digits of %s are read', (_, zero) => {
  const row = Array.from({ length: 10 }, (__, at) => String.fromCodePoint(zero + at)).join('')
  expect(latinDigits(`a ${row} z`)).toBe('a 0123456789 z')
})

test('every decimal digit of Unicode is one of ten', () => {
  const counts = new Map<string, number>()
  for (let code = 0; code <= 0x10ffff; code++) {
    const letter = String.fromCodePoint(code)
    if (!/^\p{Nd}$/u.test(letter)) continue
    const read = latinDigits(letter)
    counts.set(read, (counts.get(read) ?? 0) + 1)
  }
  expect([...counts.keys()].toSorted()).toEqual('0123456789'.split(''))
  expect(new Set(counts.values()).size).toBe(1)
})

test('what is no digit stays', () => {
  expect(latinDigits('½ ² Ⅷ 一 x٫y٬z')).toBe('½ ² Ⅷ 一 x.yz')
})
