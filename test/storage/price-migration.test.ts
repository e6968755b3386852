import { describe, expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pricedCatalogue, settlePrices } from '../../src/admin/priced-catalogue'
import { pendingPrices } from '../../src/admin/price-proposals'
import { catalogueOf } from '../../src/admin/service-parts'
import { seedModels, seedVersion } from '../../src/catalogue/seed'
import type { PriceLine } from '../../src/domain/model'
import { requestView } from '../../src/metering/request-view'
import { price } from '../../src/metering/price'
import { compileCard } from '../../src/metering/price-card'
import type { Storage } from '../../src/storage/storage'
import { migrations } from '../../src/storage/migrations.macro'
import { connect } from '../../src/storage/sqlite/connect'
import { migrate } from '../../src/storage/sqlite/migrate'
import { testFolder, type TestFolder } from './folder'

const steps = migrations()
const before = steps.slice(
  0,
  steps.findIndex(({ sql }) => sql.join().includes('CREATE TABLE `sale_cards`')),
)
const seedLines = seedModels('openai').find(({ id }) => id === 'gpt-4o')?.lines ?? []
const marked: readonly PriceLine[] = seedLines.map((line) => ({
  ...line,
  price: String(Number(line.price) * 1.2),
}))
const typed = (input: string): readonly PriceLine[] => [
  { meter: 'input', unit: 'million', price: input },
  { meter: 'output', unit: 'million', price: '6' },
]
const calls = [
  { id: 'req_000001', model: 'gpt-4o', version: `${seedVersion}+20%`, lines: marked },
  { id: 'req_000002', model: 'gpt-4o', version: seedVersion, lines: seedLines },
  { id: 'req_000003', model: 'own', version: '1', lines: typed('1') },
  { id: 'req_000004', model: 'own', version: '2', lines: typed('2') },
] as const
const units = { input: 700, cached_input: 300, output: 200 }

/** As the release before wrote it: two vendors of the same models, a typed price, calls by old cards. */
function oldFolder(): TestFolder {
  const folder = testFolder()
  writeFileSync(join(folder.path, 'secret.key'), randomBytes(64), { mode: 0o600 })
  const connection = connect(join(folder.path, 'chapar.db'))
  migrate(connection, { folder: folder.path, locked: false, migrations: before })
  const { raw } = connection
  const vendor = raw.prepare(
    `INSERT INTO vendors (name, kind, dialect, base_url, timeout_ms, margin_percent, active)
     VALUES (?, 'openai', 'openai', 'http://127.0.0.1:1/v1', 90000, ?, 1)`,
  )
  // The first by name priced the models that both have.
  vendor.run('main', '20')
  vendor.run('reserve', '0')
  const entry = { type: 'chat', name: 'Own', ownedBy: 'me', description: null, contextLength: null }
  const more = { maxOutputTokens: null, capabilities: {}, traits: {}, isFree: false }
  const routes = [{ vendor: 'main', vendorModel: 'gpt-4o', priority: 0, weight: 1 }]
  raw
    .prepare('INSERT INTO models (id, entry, created) VALUES (?, ?, 5)')
    .run('own', JSON.stringify({ ...entry, ...more, status: 'active', routes }))
  const typedCard = raw.prepare('INSERT INTO price_cards VALUES (?, ?, ?, ?)')
  const soldCard = raw.prepare('INSERT INTO sold_cards VALUES (?, ?, ?)')
  // The margin went up and down: the newest row is not what is sold.
  for (const { model, version, lines } of calls)
    if (model === 'own') typedCard.run(model, Number(version), 1000, JSON.stringify(lines))
    else soldCard.run(model, version, JSON.stringify(lines))
  raw.run(
    `INSERT INTO accounts (id, name, status, verified, concurrency, requests_per_minute,
      max_request_kb, balance, created) VALUES (1, 'Sara', 'active', 1, 5, 60, 1024, 0, 0)`,
  )
  raw.run(`INSERT INTO projects (id, account, name, active, created) VALUES (1, 1, 'p', 1, 0)`)
  const call = raw.prepare(
    `INSERT INTO requests (id, account, project, key, endpoint, model, vendor, vendor_model, streamed,
      status, input_tokens, output_tokens, cached_tokens, reasoning_tokens, estimated, cost, held,
      card_version, address, created, latency_ms)
     VALUES (?, 1, 1, 1, 'chat', ?, 'main', 'm', 0, 'success', 1000, 200, 300, 0, 0, ?, ?, ?, '::1', 1000, 5)`,
  )
  const charge = raw.prepare(
    `INSERT INTO transfers (debit, credit, amount, kind, reference, created)
     VALUES (1, -1, ?, 'charge', ?, 1000)`,
  )
  for (const { id, model, version, lines } of calls) {
    const cost = price(units, compileCard({ version, validFrom: 0 as never, lines }))
    call.run(id, model, cost, cost, version)
    charge.run(cost, id)
    raw.prepare('UPDATE accounts SET balance = balance - ? WHERE id = 1').run(cost)
    raw.prepare('UPDATE accounts SET balance = balance + ? WHERE id = -1').run(cost)
  }
  connection.close()
  return folder
}

const receipts = ({ reports, catalogue }: Storage) =>
  Promise.all(
    calls.map(async ({ id, model, version }) => {
      const call = await reports.call(id, null)
      return call && requestView(call, await catalogue.card(model, version), call.created).receipt
    }),
  )
const serviceOf = (storage: Storage) => ({
  storage,
  discovery: { found: [], local: [] },
  sandbox: async () => false,
})
const soldFor = async (storage: Storage, id: string) =>
  (await pricedCatalogue(await catalogueOf(serviceOf(storage)))).entries.find(
    (entry) => entry.id === id,
  )?.card

describe('a database of the release before', () => {
  test('explains every old receipt as before, and adds up', async () => {
    using folder = oldFolder()
    const storage = folder.open(true)
    expect(await storage.audit()).toMatchObject({ ok: true, differences: [] })
    const shown = await receipts(storage)
    expect(shown.map((receipt) => receipt?.card_version)).toEqual(
      calls.map(({ version }) => version),
    )
    for (const [at, { lines }] of calls.entries()) {
      const priced = new Map(shown[at]?.lines?.map((line) => [line.meter, line.unit_price_usd]))
      for (const { meter, price: usd } of lines)
        if (meter in units) expect(Number(priced.get(meter))).toBeCloseTo(Number(usd) / 1e6, 15)
    }
    await settlePrices(await catalogueOf(serviceOf(storage)), 'upgrade')
    expect(JSON.stringify(await receipts(storage))).toBe(JSON.stringify(shown))
  })

  test('sells every model for what it was sold, by the same card', async () => {
    using folder = oldFolder()
    const storage = folder.open(true)
    await settlePrices(await catalogueOf(serviceOf(storage)), 'upgrade')
    expect(await soldFor(storage, 'gpt-4o')).toMatchObject({
      version: `${seedVersion}+20%`,
      lines: marked,
    })
    expect(await soldFor(storage, 'own')).toMatchObject({ version: '2', lines: typed('2') })
    // By its rule it would be the same, since no route costs more than the marked-up one.
    expect((await pendingPrices(serviceOf(storage))).map(({ model }) => model)).not.toContain(
      'gpt-4o',
    )
  })

  test('has its margins as rules of its vendors', async () => {
    using folder = oldFolder()
    const { rules } = await folder.open(true).prices.state()
    expect(rules).toMatchObject([
      { kind: 'everything', name: '', markupPercent: '0', basis: 'highest' },
      { kind: 'vendor', name: 'main', markupPercent: '20', basis: 'highest' },
    ])
  })

  test('counts on from the versions that it had', async () => {
    using folder = oldFolder()
    const { prices, catalogue } = folder.open(true)
    const card = { validFrom: folder.clock.now(), origin: 'typed', rule: null, by: null } as const
    await prices.change(() => ({
      sales: [
        { model: 'own', lines: typed('3'), ...card },
        { model: 'gpt-4o', lines: typed('3'), ...card },
      ],
    }))
    expect((await catalogue.card('own', '3'))?.lines).toEqual(typed('3'))
    expect((await catalogue.card('gpt-4o', '1'))?.lines).toEqual(typed('3'))
  })
})
