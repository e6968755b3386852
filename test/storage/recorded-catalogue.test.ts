import { expect, test } from 'bun:test'
import { systemClock } from '../../src/domain/clock'
import type { CatalogueStore } from '../../src/gateway/catalogue/contract'
import { openCatalogueRows } from '../../src/business/catalogue/store'
import { connect } from '../../src/storage/sqlite/connect'
import { migrate } from '../../src/storage/sqlite/migrate'
import { storeOf } from '../../src/storage/sqlite/sync-store'
import { recordedCatalogue } from '../../src/business/data/recorded-stores'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { addModel, addVendor } from '../support/gateway'

test('saving one model, vendor or alias reads no list of them for its line of the trail', async () => {
  const storage = openStorage({ folder: null, exclusive: true, clock: systemClock })
  const whole = () => {
    throw new Error('the whole list was read')
  }
  const befores: unknown[] = []
  const connection = connect(null)
  migrate(connection, { folder: null, locked: true })
  const rows = openCatalogueRows(connection, storage.vault, systemClock)
  const recorded = recordedCatalogue(
    { ...rows, models: whole, vendors: whole, aliases: whole },
    ({ work, before, after }) => {
      befores.push(before())
      const result = work()
      after(result)
      return result
    },
  )
  const catalogue = storeOf<CatalogueStore>(recorded)
  await addVendor({ ...storage, catalogue }, 'standin', 'http://127.0.0.1:1')
  await addVendor({ ...storage, catalogue }, 'standin', 'http://127.0.0.1:2')
  await addModel({ ...storage, catalogue }, 'priced', ['standin'])
  await addModel({ ...storage, catalogue }, 'priced', ['standin'])
  await catalogue.saveAlias({ id: 'cheap', model: 'priced', listed: false })
  await catalogue.removeAlias('cheap')
  await catalogue.removeModel('priced')
  await catalogue.removeVendor('standin')
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
  connection.close()
  await storage.close()
})
