import { describe, expect, test } from 'bun:test'
import { openCatalogue } from '../../src/gateway/catalogue/open-catalogue'
import { modelView } from '../../src/gateway/catalogue/view'
import type { ModelEntry, PriceLine } from '../../src/domain/model'
import { entry } from './entries'

const priced = (
  id: string,
  prices: Readonly<Record<string, string>>,
  change: Partial<ModelEntry> = {},
): ModelEntry => {
  const lines = Object.entries(prices).map(([meter, price]) => ({
    meter: meter as PriceLine['meter'],
    unit: 'million' as const,
    price,
  }))
  const made = entry(id, change)
  return { ...made, card: { version: '1', validFrom: made.created, lines } }
}
const name = (id: string, aliasOf: readonly string[], change: Partial<ModelEntry> = {}) =>
  entry(id, { aliasOf, routes: [], card: null, ...change })

const opened = (...entries: readonly ModelEntry[]) => {
  const catalogue = openCatalogue()
  catalogue.load(entries)
  return catalogue
}
const rowOf = (catalogue: ReturnType<typeof opened>, id: string) => {
  const shown = catalogue.listed().find(({ model }) => model.id === id)
  return shown === undefined ? null : modelView(shown)
}

describe('a name of several models', () => {
  test('is listed with the dearest of what each of them charges', () => {
    const catalogue = opened(
      priced('one', { input: '3', output: '9', cached_input: '0.3' }),
      // What it has no price for it charges as what that is a case of.
      priced('two', { input: '1', output: '12' }),
      name('any', ['one', 'two']),
    )
    expect(rowOf(catalogue, 'any')).toMatchObject({
      alias_of: ['one', 'two'],
      is_free: false,
      pricing: {
        input_per_million: '3',
        output_per_million: '12',
        cached_input_per_million: '1',
      },
    })
  })

  test('is sold by the first that is on sale, and in no other list than that of rows', () => {
    const catalogue = opened(
      priced('one', { input: '3', output: '9' }, { status: 'off' }),
      priced('two', { input: '1', output: '12' }),
      name('any', ['one', 'two', 'three']),
      name('none', ['three']),
    )
    expect(catalogue.find('any')?.offer?.model.id).toBe('two')
    expect(catalogue.onSale().map(({ model }) => model.id)).toEqual(['two'])
    expect(catalogue.listed().map(({ model }) => model.id)).toEqual(['any', 'two'])
    expect(catalogue.find('none')?.offer).toBe(null)
  })

  test('has aliases of its own', () => {
    const alias = { id: 'claude-any', model: 'any', listed: true }
    const catalogue = opened(
      priced('one', { input: '3', output: '9' }),
      name('any', ['one'], { aliases: [alias] }),
    )
    expect(catalogue.find('claude-any')?.offer?.model.id).toBe('one')
    expect(rowOf(catalogue, 'claude-any')).toMatchObject({ id: 'claude-any', alias_of: ['one'] })
  })
})

describe('fallbacks', () => {
  test('are found by alias too, each once, without their own, and never the model itself', () => {
    const prices = { input: '1', output: '2' }
    const catalogue = opened(
      priced('a', prices, { fallbacks: ['b', 'beta', 'a', 'gone', 'c'] }),
      priced('b', prices, {
        fallbacks: ['a'],
        aliases: [{ id: 'beta', model: 'b', listed: false }],
      }),
      priced('c', prices, { status: 'discontinued' }),
    )
    const offer = catalogue.find('a')?.offer
    expect(offer?.fallbacks?.map(({ model }) => model.id)).toEqual(['b'])
    expect(offer?.fallbacks?.[0]?.fallbacks).toBeUndefined()
    expect(rowOf(catalogue, 'a')).toMatchObject({ fallbacks: ['b'] })
    expect(rowOf(catalogue, 'b')).toMatchObject({ fallbacks: ['a'] })
  })

  test('stand in while the model is off, and nothing does without them', () => {
    const prices = { input: '1', output: '2' }
    const catalogue = opened(
      priced('a', prices, { status: 'off', fallbacks: ['b'] }),
      priced('b', prices, { status: 'off' }),
      priced('c', prices, { status: 'off', fallbacks: ['d'] }),
      priced('d', prices),
    )
    expect(catalogue.find('a')?.instead).toBeUndefined()
    expect(catalogue.find('c')).toMatchObject({ offer: null, instead: { standsIn: true } })
    expect(catalogue.find('c')?.instead?.model.id).toBe('d')
  })
})
