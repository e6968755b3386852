import { describe, expect, test } from 'bun:test'
import { isAdminError } from '../../src/business/operations/admin-error'
import {
  addAlias,
  checkNotAlias,
  removeAlias,
  type AliasParts,
} from '../../src/business/catalogue/model-aliases'
import { systemClock } from '../../src/domain/clock'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { entry } from '../catalogue/entries'

const parts = (): AliasParts => ({
  store: openStorage({ folder: null, exclusive: false, clock: systemClock }).catalogue,
  models: [entry('gpt'), entry('other'), entry('old', { status: 'discontinued' })],
})
const refusal = async (work: () => Promise<unknown>) => {
  try {
    await work()
  } catch (thrown) {
    if (isAdminError(thrown)) return { code: thrown.code, facts: thrown.facts }
    throw thrown
  }
  throw new Error('not refused')
}

describe('an alias', () => {
  test('is kept, listed or not, and removed once', async () => {
    const { store, models } = parts()
    await addAlias({ store, models }, { id: 'claude-gpt', model: 'gpt', listed: true })
    await addAlias({ store, models }, { id: 'gpt-hidden', model: 'gpt', listed: false })
    expect(await store.aliases()).toEqual([
      { id: 'claude-gpt', model: 'gpt', listed: true },
      { id: 'gpt-hidden', model: 'gpt', listed: false },
    ])
    await addAlias({ store, models }, { id: 'claude-gpt', model: 'gpt', listed: false })
    expect((await store.aliases())[0]?.listed).toBe(false)
    await removeAlias({ store }, 'claude-gpt')
    expect(await refusal(() => removeAlias({ store }, 'claude-gpt'))).toEqual({
      code: 'alias_not_found',
      facts: { alias: 'claude-gpt' },
    })
    expect((await store.aliases()).map(({ id }) => id)).toEqual(['gpt-hidden'])
  })

  test.each([
    [{ id: 'claude gpt', model: 'gpt' }, 'invalid_alias', { alias: 'claude gpt' }],
    [{ id: 'claude-*', model: 'gpt' }, 'invalid_alias', { alias: 'claude-*' }],
    [{ id: 'claude-x', model: 'nobody' }, 'model_not_found', { model: 'nobody' }],
    [{ id: 'claude-x', model: 'old' }, 'model_not_found', { model: 'old' }],
    [{ id: 'old', model: 'gpt' }, 'alias_is_model', { alias: 'old' }],
    [{ id: 'taken', model: 'gpt' }, 'alias_taken', { alias: 'taken', model: 'other' }],
  ])('%j is refused as %s', async (alias, code, facts) => {
    const { store, models } = parts()
    await addAlias({ store, models }, { id: 'taken', model: 'other', listed: false })
    const asked = () => addAlias({ store, models }, { ...alias, listed: true })
    expect(await refusal(asked)).toEqual({ code: code as 'alias_taken', facts })
    expect((await store.aliases()).length).toBe(1)
  })

  test('is no id for a new model', async () => {
    const { store, models } = parts()
    await addAlias({ store, models }, { id: 'taken', model: 'other', listed: false })
    expect((await refusal(() => checkNotAlias({ store }, 'taken'))).code).toBe('alias_taken')
    await checkNotAlias({ store }, 'free')
  })

  test('and every change of it, are seen by a gateway that runs', async () => {
    const { catalogue } = openStorage({ folder: null, exclusive: false, clock: systemClock })
    const versions = [await catalogue.version()]
    await catalogue.saveAlias({ id: 'claude-gpt', model: 'gpt', listed: true })
    versions.push(await catalogue.version())
    await catalogue.removeAlias('claude-gpt')
    versions.push(await catalogue.version())
    await catalogue.removeAlias('claude-gpt')
    versions.push(await catalogue.version())
    const [first = 0] = versions
    expect(versions).toEqual([first, first + 1, first + 2, first + 2])
  })
})
