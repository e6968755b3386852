import { expect, test } from 'bun:test'
import { systemClock } from '../../src/domain/clock'
import { recordedCatalogue } from '../../src/storage/sqlite/recorded-stores'
import { openStorage } from '../../src/storage/sqlite/open-storage'
import { addModel, addVendor } from '../support/gateway'

test('saving one model, vendor or alias reads no list of them for its line of the trail', () => {
  const storage = openStorage({ folder: null, exclusive: true, clock: systemClock })
  const whole = () => {
    throw new Error('the whole list was read')
  }
  const befores: unknown[] = []
  const catalogue = recordedCatalogue(
    { ...storage.catalogue, models: whole, vendors: whole, aliases: whole },
    ({ work, before, after }) => {
      befores.push(before())
      const result = work()
      after(result)
      return result
    },
  )
  addVendor({ ...storage, catalogue }, 'standin', 'http://127.0.0.1:1')
  addVendor({ ...storage, catalogue }, 'standin', 'http://127.0.0.1:2')
  addModel({ ...storage, catalogue }, 'priced', ['standin'])
  addModel({ ...storage, catalogue }, 'priced', ['standin'])
  catalogue.saveAlias({ id: 'cheap', model: 'priced', listed: false })
  catalogue.removeAlias('cheap')
  catalogue.removeModel('priced')
  catalogue.removeVendor('standin')
  expect(befores).toMatchObject([
    null,
    { baseUrl: 'http://127.0.0.1:1' },
    null,
    { name: 'priced' },
    null,
    { model: 'priced' },
    { name: 'priced' },
    { baseUrl: 'http://127.0.0.1:2' },
  ])
  storage.close()
})
