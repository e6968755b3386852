import { describe, expect, test } from 'bun:test'
import { isAdminError } from '../../src/business/operations/admin-error'
import { checkFallbacks, nameModels } from '../../src/business/catalogue/model-fallbacks'
import type { CatalogueStore } from '../../src/gateway/catalogue/contract'
import { systemClock } from '../../src/domain/clock'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { entry } from '../catalogue/entries'

const models = [
  entry('gpt', { aliases: [{ id: 'claude-gpt', model: 'gpt', listed: true }] }),
  entry('other'),
  entry('old', { status: 'discontinued' }),
  entry('vectors', { type: 'embedding' }),
  entry('film', { type: 'video' }),
  entry('film-2', { type: 'video' }),
  entry('talk', { traits: { realtime: true } }),
  entry('smart', { aliasOf: ['gpt', 'other'], routes: [] }),
  ...Array.from({ length: 9 }, (_, index) => entry(`many-${index}`)),
]
const openStore = (): CatalogueStore =>
  openStorage({ folder: null, exclusive: false, clock: systemClock }).catalogue
const refusal = async (work: () => Promise<unknown>) => {
  try {
    await work()
  } catch (thrown) {
    if (isAdminError(thrown)) return thrown.code
    throw thrown
  }
  throw new Error('not refused')
}
const modelOf = (id: string) => models.find((each) => each.id === id) ?? entry(id)

describe('fallbacks', () => {
  test('are ids of models, each once, in their order', () => {
    expect(checkFallbacks(models, modelOf('other'), ['many-1', 'claude-gpt', 'gpt'])).toEqual([
      'many-1',
      'gpt',
    ])
    expect(checkFallbacks(models, modelOf('film'), [])).toEqual([])
  })

  test.each([
    ['gpt', ['nobody'], 'model_not_found'],
    ['gpt', ['old'], 'model_not_found'],
    ['gpt', ['other', 'gpt'], 'fallback_is_itself'],
    ['gpt', ['claude-gpt'], 'fallback_is_itself'],
    ['gpt', ['smart'], 'fallback_is_name'],
    ['gpt', ['vectors'], 'fallback_other_family'],
    ['gpt', ['talk'], 'fallback_other_family'],
    ['talk', ['gpt'], 'no_fallbacks'],
    ['film', ['film-2'], 'no_fallbacks'],
    ['gpt', Array.from({ length: 9 }, (_, index) => `many-${index}`), 'too_many_fallbacks'],
  ] as const)('of %s cannot be %j: %s', async (id, named, code) => {
    expect(await refusal(async () => checkFallbacks(models, modelOf(id), named))).toBe(code)
  })
})

describe('a name of several models', () => {
  test('is kept with what is said of it, and changed', async () => {
    const store = openStore()
    await nameModels({ store, models }, 'fast', ['other', 'gpt'], { description: 'the quick one' })
    const [made] = await store.models()
    expect(made).toMatchObject({
      id: 'fast',
      type: 'chat',
      aliasOf: ['other', 'gpt'],
      routes: [],
      card: null,
      description: 'the quick one',
      status: 'active',
    })
    const now = { store, models: [...models, ...(await store.models())] }
    await nameModels(now, 'fast', ['gpt'], { status: 'off' })
    const [changed] = await store.models()
    expect(changed).toMatchObject({ aliasOf: ['gpt'], description: 'the quick one', status: 'off' })
  })

  test('takes the id of a model that is sold no more', async () => {
    const store = openStore()
    await nameModels({ store, models }, 'old', ['gpt'], {})
    expect((await store.models())[0]).toMatchObject({
      id: 'old',
      aliasOf: ['gpt'],
      status: 'active',
    })
  })

  test.each([
    ['gpt', ['other'], 'alias_is_model'],
    ['with space', ['other'], 'invalid_alias'],
    ['taken', ['other'], 'alias_taken'],
    ['fast', ['smart'], 'fallback_is_name'],
    ['fast', ['nobody'], 'model_not_found'],
    ['fast', ['gpt', 'vectors'], 'fallback_other_family'],
    ['fast', ['film'], 'no_fallbacks'],
  ] as const)('%s cannot stand for %j: %s', async (id, named, code) => {
    const store = openStore()
    await store.saveAlias({ id: 'taken', model: 'gpt', listed: false })
    expect(await refusal(() => nameModels({ store, models }, id, named, {}))).toBe(code)
    expect(await store.models()).toEqual([])
  })
})
