import { describe, expect, test } from 'bun:test'
import { assembleEntries, type AssembleParts } from '../../src/gateway/catalogue/assemble'
import { openCatalogue } from '../../src/gateway/catalogue/open-catalogue'
import { seedModels } from '../../src/gateway/catalogue/seed'
import type { Ms } from '../../src/domain/clock'
import type { ModelEntry } from '../../src/domain/model'
import { entry, route, vendor } from './entries'

const assemble = (parts: Partial<AssembleParts>): ReadonlyMap<string, ModelEntry> =>
  new Map(
    assembleEntries({ stored: [], aliases: [], vendors: [], builtin: [], local: [], ...parts }).map(
      (each) => [each.id, each],
    ),
  )
describe('the assembled catalogue', () => {
  test('gives models their aliases, but for those that are models themselves', () => {
    const aliases = [
      { id: 'other', model: 'one', listed: true },
      { id: 'two', model: 'one', listed: true },
      { id: 'lost', model: 'nobody', listed: true },
    ]
    const models = assemble({ builtin: [entry('one'), entry('two')], aliases })
    expect(models.get('one')?.aliases?.map(({ id }) => id)).toEqual(['other'])
    expect(models.get('two')?.aliases).toBeUndefined()
    expect(models.size).toBe(2)
  })

  test('has what is built in and nothing else while there is no vendor', () => {
    expect([...assemble({ builtin: [entry('sandbox/echo')] }).keys()]).toEqual(['sandbox/echo'])
  })

  test('has the public models of each vendor, by its dialect and under its name', () => {
    const models = assemble({ vendors: [vendor('mine', { dialect: 'openai' })] })
    expect(models.size).toBe(seedModels('openai').length)
    expect(models.get('gpt-4o')).toMatchObject({
      type: 'chat',
      ownedBy: 'openai',
      isFree: false,
      status: 'active',
      routes: [{ vendor: 'mine', vendorModel: 'gpt-4o', priority: 0, weight: 1 }],
    })
    // What it is sold for is decided, and kept: nothing here prices it.
    expect(models.get('gpt-4o')?.card).toBeNull()
  })

  test('has no public models for a server that only speaks like a vendor', () => {
    expect(assemble({ vendors: [vendor('vllm', { dialect: 'generic' })] }).size).toBe(0)
  })

  test('takes a second vendor of the same kind as a further way, after the first', () => {
    const vendors = [vendor('a', { dialect: 'openai' }), vendor('b', { dialect: 'openai' })]
    expect(assemble({ vendors }).get('gpt-4o')?.routes).toEqual([
      route('a', 'gpt-4o', { priority: 0 }),
      route('b', 'gpt-4o', { priority: 1 }),
    ])
  })

  test('offers models of this machine for nothing', () => {
    const models = assemble({ local: [{ vendor: 'ollama', id: 'llama3:8b' }] })
    expect(models.get('ollama/llama3:8b')).toMatchObject({
      isFree: true,
      routes: [{ vendor: 'ollama', vendorModel: 'llama3:8b' }],
    })
    const catalogue = openCatalogue()
    catalogue.load([...models.values()])
    expect(catalogue.onSale()[0]?.rates.base).toEqual({ input: 0, output: 0 })
  })

  test('lets what the operator stored win, id by id', () => {
    const own = entry('gpt-4o', { routes: [route('mine')], name: 'Ours' })
    const models = assemble({ stored: [own], vendors: [vendor('openai')] })
    const created = seedModels('openai').find(({ id }) => id === 'gpt-4o')?.created
    expect(created).toBeGreaterThan(0)
    expect(models.get('gpt-4o')).toEqual({ ...own, created: created as Ms })
    expect(models.get('gpt-4o-mini')?.ownedBy).toBe('openai')
    expect(models.size).toBe(seedModels('openai').length)
  })

  test('keeps the routes that a stored model leaves open', () => {
    const off = entry('gpt-4o', { status: 'off', routes: [], card: null })
    const vendors = [vendor('openai')]
    const model = assemble({ stored: [off], vendors }).get('gpt-4o')
    expect(model?.status).toBe('off')
    expect(model?.routes).toEqual([route('openai', 'gpt-4o')])
    expect(model?.card).toBeNull()
    const priced = { ...off, card: entry('x').card }
    expect(assemble({ stored: [priced], vendors }).get('gpt-4o')).toMatchObject({
      card: { version: 'card-1' },
      routes: [{ vendor: 'openai' }],
    })
  })

  test('does not sell a stored model that has neither, and nobody has', () => {
    const catalogue = openCatalogue()
    catalogue.load([...assemble({ stored: [entry('lost', { routes: [], card: null })] }).values()])
    expect(catalogue.onSale()).toEqual([])
    expect(catalogue.find('lost')?.offer).toBeNull()
  })
})
