import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ms } from '../../src/domain/clock'
import type { ModelEntry, PriceLine, VendorConfig } from '../../src/domain/model'
import { vaultOf } from '../support/secrets'
import { handClock, memoryStorage, testFolder } from './folder'

const model: Omit<ModelEntry, 'card' | 'created'> = {
  id: 'acme/large',
  type: 'chat',
  name: 'Large',
  ownedBy: 'acme',
  description: null,
  contextLength: 128_000,
  maxOutputTokens: 4096,
  capabilities: { streaming: true, tools: true },
  traits: { efforts: ['low', 'high'] },
  isFree: false,
  status: 'active',
  routes: [{ vendor: 'acme', vendorModel: 'large-1', priority: 0, weight: 1 }],
}
const lines = (price: string): readonly PriceLine[] => [
  { meter: 'input', price, unit: 'million' },
  { meter: 'output', price: '6', unit: 'million', when: { inputAbove: 200_000 } },
]
const vendor: VendorConfig = {
  name: 'acme',
  kind: 'openai',
  dialect: 'openai',
  baseUrl: 'https://api.acme.test/v1',
  credential: 'sk-of-the-vendor',
  timeoutMs: 90_000,
  transport: 'own',
  active: true,
  source: 'command',
}

describe('models', () => {
  test('come back whole, with their newest card, sorted by id', async () => {
    const clock = handClock()
    const { catalogue } = memoryStorage(clock)
    const saved = await catalogue.saveModel(model, lines('1.5'))
    expect(saved).toEqual({
      ...model,
      created: clock.now(),
      card: { version: '1', validFrom: clock.now(), lines: lines('1.5') },
    })
    const other = await catalogue.saveModel({ ...model, id: 'acme/a' }, [])
    expect(other.card).toBeNull()
    expect(await catalogue.models()).toEqual([other, saved])
  })

  test('get a new card with new prices, and keep the one they have without', async () => {
    const clock = handClock()
    const { catalogue } = memoryStorage(clock)
    const first = await catalogue.saveModel(model, lines('1.5'))
    clock.set('2027-01-01T00:00:00Z')
    expect(await catalogue.saveModel({ ...model, name: 'Larger' }, [])).toEqual({
      ...first,
      name: 'Larger',
    })
    expect((await catalogue.saveModel(model, lines('1.5'))).card?.version).toBe('1')
    expect((await catalogue.saveModel(model, lines('2'))).card).toEqual({
      version: '2',
      validFrom: Date.parse('2027-01-01T00:00:00Z') as Ms,
      lines: lines('2'),
    })
    expect((await catalogue.models())[0]?.created).toBe(first.created)
  })

  test('that are removed and come again go on counting their cards', async () => {
    const { catalogue } = memoryStorage()
    await catalogue.saveModel(model, lines('1'))
    await catalogue.saveModel(model, lines('2'))
    await catalogue.removeModel(model.id)
    expect(await catalogue.models()).toEqual([])
    expect((await catalogue.saveModel(model, lines('3'))).card?.version).toBe('3')
  })
})

describe('vendors', () => {
  test('come back whole, are replaced and removed', async () => {
    const { catalogue } = memoryStorage()
    await catalogue.saveVendor(vendor)
    expect(await catalogue.vendors()).toEqual([vendor])
    const changed = { ...vendor, active: false, credential: null, firstTokenTimeoutMs: 20_000 }
    await catalogue.saveVendor(changed)
    expect(await catalogue.vendors()).toEqual([changed])
    await catalogue.saveVendor({ ...changed, firstTokenTimeoutMs: null })
    expect((await catalogue.vendor(vendor.name))?.firstTokenTimeoutMs).toBeUndefined()
    await catalogue.removeVendor(vendor.name)
    expect(await catalogue.vendors()).toEqual([])
  })

  test('their credentials stand nowhere on disk in clear', async () => {
    using folder = testFolder()
    const storage = folder.open()
    await storage.catalogue.saveVendor(vendor)
    const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name)))
    expect(Buffer.concat(files).includes('api.acme.test')).toBe(true)
    expect(Buffer.concat(files).includes('sk-of-the-vendor')).toBe(false)
  })

  test('that was sealed with other secrets is refused with a sentence', async () => {
    using folder = testFolder()
    const storage = folder.open()
    await storage.catalogue.saveVendor(vendor)
    const alien = vaultOf(new Uint8Array(32)).seal('sk-of-the-vendor')
    folder.raw().prepare('UPDATE vendors SET credential = ?').run(alien)
    expect(storage.catalogue.vendors()).rejects.toThrow(/secret\.key is not the one/)
  })
})

describe('the version', () => {
  test('grows with every change to models and vendors, by whatever process, and with no other', async () => {
    using folder = testFolder()
    const [one, two] = [folder.open(), folder.open()]
    const seen = [await one.catalogue.version()]
    const changes = [
      () => one.catalogue.saveModel(model, lines('1')),
      () => two.catalogue.saveVendor(vendor),
      () => two.catalogue.removeModel(model.id),
      () => one.catalogue.removeVendor(vendor.name),
    ]
    for (const change of changes) {
      await change()
      seen.push(await one.catalogue.version())
      expect(await two.catalogue.version()).toBe(await one.catalogue.version())
    }
    expect(seen).toEqual([0, 1, 2, 3, 4])
    await one.catalogue.saveCalibrations(new Map([['a', 1.5]]), folder.clock.now())
    await two.directory.createAccount({ name: 'Sara' })
    expect(await one.catalogue.version()).toBe(4)
  })
})

test('cards that came with a release are kept as they were sold, the first time', async () => {
  using folder = testFolder()
  const { catalogue } = folder.open()
  const sold = (version: string, price: string): ModelEntry => ({
    ...model,
    created: 0 as Ms,
    card: { version, validFrom: 0 as Ms, lines: lines(price) },
  })
  const unsold = { ...sold('seed-1', '9'), id: 'acme/unsold', routes: [] }
  await catalogue.keepCards([sold('seed-1', '1.5'), unsold])
  await catalogue.keepCards([sold('seed-1', '7')])
  await folder.open().catalogue.keepCards([sold('seed-2', '2')])
  const price = async (version: string, id = model.id) =>
    (await catalogue.card(id, version))?.lines[0]?.price
  expect(await price('seed-1')).toBe('1.5')
  expect(await price('seed-2')).toBe('2')
  expect(await price('seed-3')).toBeUndefined()
  expect(await price('seed-1', 'acme/unsold')).toBeUndefined()
  // What an operator set has a number, and lies with the other cards of his.
  await catalogue.keepCards([sold('1', '3')])
  expect(await price('1')).toBeUndefined()
})

test('calibrations are kept, the newest of each model', async () => {
  const { catalogue } = memoryStorage()
  expect((await catalogue.calibrations()).size).toBe(0)
  await catalogue.saveCalibrations(
    new Map([
      ['a', 1.25],
      ['b', 0.9],
    ]),
    1 as Ms,
  )
  await catalogue.saveCalibrations(new Map([['a', 1.5]]), 2 as Ms)
  expect(Object.fromEntries(await catalogue.calibrations())).toEqual({ a: 1.5, b: 0.9 })
})
