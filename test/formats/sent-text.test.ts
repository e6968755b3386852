import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { openSentText } from '../../src/gateway/formats/chat/output-counter'

const letters = (text: string): number => text.length

test('what is taken back was never given out, whatever the pieces', () => {
  const pieces = fc.array(fc.string({ maxLength: 400 }))
  fc.assert(
    fc.property(pieces, pieces, pieces, (kept, taken, more) => {
      const sent = openSentText(letters)
      for (const piece of kept) sent.add(piece)
      sent.mark()
      for (const piece of taken) sent.add(piece)
      sent.rewind()
      const before = kept.join('').length
      expect([sent.chars(), sent.tokens(), sent.any()]).toEqual([before, before, before > 0])
      for (const piece of more) sent.add(piece)
      expect(sent.tokens()).toBe(before + more.join('').length)
    }),
  )
})

test('a long piece is counted in parts, as if all of it were like them', () => {
  const words = (text: string): number => text.split(' ').length
  let most = 0
  const sent = openSentText((text) => {
    most = Math.max(most, text.length)
    return words(text)
  })
  const piece = 'some words in a row '.repeat(400_000)
  sent.add(piece)
  expect(sent.chars()).toBe(piece.length)
  expect(Math.abs(sent.tokens() / words(piece) - 1)).toBeLessThan(0.01)
  expect(most).toBeLessThan(100_000)
})
