import { expect, test } from 'bun:test'
import { compileCard, isComplete } from '../../../src/gateway/metering/price-card'
import { sandboxModels, sandboxVendor } from '../../../src/gateway/vendors/sandbox/models'
import {
  countSandboxTokens,
  firstTokens,
  piecesOf,
} from '../../../src/gateway/vendors/sandbox/tokens'
import fc from 'fast-check'

const find = (id: string) => sandboxModels.find((model) => model.id === id)

test('the sandbox sells every behaviour for nothing, and priced twins', () => {
  for (const name of ['echo', 'slow']) {
    const model = find(`sandbox/${name}`)
    expect(model).toMatchObject({ isFree: true, ownedBy: 'sandbox', type: 'chat' })
    expect(model?.routes).toMatchObject([{ vendor: sandboxVendor.name, vendorModel: name }])
  }
  for (const name of ['echo', 'slow']) {
    const twin = find(`sandbox/${name}-priced`)
    expect(twin).toMatchObject({ isFree: false, routes: [{ vendorModel: name }] })
    expect(
      twin?.card === undefined || twin.card === null ? null : compileCard(twin.card).base,
    ).toMatchObject({
      input: 1_500_000_000,
      cached_input: 750_000_000,
      output: 6_000_000_000,
    })
  }
  for (const { card, isFree, type } of sandboxModels)
    expect(card !== null && isComplete(card, type, isFree)).toBe(true)
  expect(find('sandbox/embed')).toMatchObject({ type: 'embedding', isFree: true })
  expect(find('sandbox/embed-priced')).toMatchObject({ type: 'embedding', isFree: false })
})

test('any text is the sum of its pieces, one a word', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(' ', '\n', '\u00a0', '\u2003', '\u200c'),
        fc.string({ unit: 'grapheme' }),
      ),
    )
    .map((all) => all.join(''))
  fc.assert(
    fc.property(text, fc.nat(6), (each, most) => {
      const pieces = [...piecesOf(each)]
      expect(pieces.join('')).toBe(each)
      const words = countSandboxTokens(each)
      expect(pieces.length).toBe(words === 0 && each !== '' ? 1 : words)
      const first = firstTokens(each, most)
      expect(each.startsWith(first)).toBe(true)
      expect(countSandboxTokens(first)).toBe(Math.min(most, words))
      if (most >= words && most > 0) expect(first.trimEnd()).toBe(each.trimEnd())
    }),
  )
})
