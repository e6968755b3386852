import { describe, expect, test } from 'bun:test'
import type { Ms } from '../../src/domain/clock'
import type { ModelEntry, PriceLine } from '../../src/domain/model'
import { openCatalogue } from '../../src/gateway/catalogue/open-catalogue'
import { entry, usualLines } from './entries'

const loaded = (...entries: ModelEntry[]) => {
  const catalogue = openCatalogue()
  catalogue.load(entries)
  return catalogue
}
const priced = (lines: readonly PriceLine[]) => ({ version: 'v', validFrom: 0 as Ms, lines })

describe('the catalogue', () => {
  test('is empty until it is loaded, and is replaced whole', () => {
    const catalogue = openCatalogue()
    expect(catalogue.onSale()).toEqual([])
    expect(catalogue.find('a')).toBeNull()
    catalogue.load([entry('a')])
    catalogue.load([entry('b')])
    expect(catalogue.find('a')).toBeNull()
    expect(catalogue.find('b')?.offer?.model.id).toBe('b')
  })

  test('offers models sorted by id, with compiled prices', () => {
    const catalogue = loaded(entry('b'), entry('a'), entry('B'))
    expect(catalogue.onSale().map(({ model }) => model.id)).toEqual(['B', 'a', 'b'])
    expect(catalogue.onSale()[0]?.rates).toEqual({
      version: 'card-1',
      base: { input: 2e9, output: 8e9 },
      tiers: [],
    })
    expect(catalogue.find('a')?.offer).toBe(catalogue.onSale()[1] ?? null)
  })

  test('knows but does not offer what may not be sold', () => {
    const unsold: Record<string, Partial<ModelEntry>> = {
      off: { status: 'off' },
      discontinued: { status: 'discontinued' },
      unpriced: { card: null },
      'half-priced': { card: priced(usualLines.slice(0, 1)) },
      zero: { card: priced(usualLines.map((line) => ({ ...line, price: '0' }))) },
      'not free': { isFree: true },
      unreadable: { card: priced(usualLines.map((line) => ({ ...line, price: 'ten' }))) },
      unreachable: { routes: [] },
    }
    const catalogue = loaded(...Object.entries(unsold).map(([id, more]) => entry(id, more)))
    expect(catalogue.onSale()).toEqual([])
    for (const id of Object.keys(unsold))
      expect(catalogue.find(id)).toMatchObject({ model: { id }, offer: null })
  })

  test('offers a free model whose prices are all zero', () => {
    const card = priced(usualLines.map((line) => ({ ...line, price: '0' })))
    expect(loaded(entry('gift', { isFree: true, card })).onSale().length).toBe(1)
  })
})

test('asks a model for an effort that is said to reason, unless its traits say otherwise', () => {
  const reasoning = { capabilities: { reasoning: true } }
  const builtin = [
    { ...entry('one'), ...reasoning },
    { ...entry('two'), ...reasoning, traits: { reasoning: false } },
    entry('three'),
  ]
  const catalogue = openCatalogue()
  catalogue.load(builtin)
  const ids = ['one', 'two', 'three']
  const traits = ids.map((id) => catalogue.find(id)?.model.traits.reasoning)
  expect(traits).toEqual([true, false, undefined])
})
