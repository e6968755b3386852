import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { importModels } from '../../src/business/catalogue/import-models'
import {
  approvePrices,
  pendingPrices,
  rejectPrices,
} from '../../src/business/pricing/proposal-decisions'
import { settlePrices } from '../../src/business/pricing/priced-catalogue'
import { catalogueOf } from '../../src/business/data/service-parts'
import { readSeed, seedOwners } from '../../src/gateway/catalogue/seed'
import { by, litellmMap, modelsDevDocument, openCheckDesk } from './check-desk'

/** What one transaction wrote, and for how long it kept others waiting. */
interface Held {
  readonly rows: number
  readonly ms: number
}

/** Rows of one transaction at most; a serving gateway waits for each. */
const maxRows = 160
let held: Held[] = []
const { prepare } = Database.prototype
let spy: { mockRestore(): void }

beforeEach(() => {
  held = []
  let began: Held | null = null
  spy = spyOn(Database.prototype, 'prepare').mockImplementation(function (
    this: Database,
    sql: string,
    ...rest: never[]
  ) {
    const statement = prepare.call(this, sql, ...rest)
    if (sql !== 'BEGIN IMMEDIATE' && sql !== 'COMMIT') return statement
    const rows = prepare.call(this, 'SELECT total_changes() AS rows')
    const run = statement.run.bind(statement)
    statement.run = () => {
      const result = run()
      const now = { rows: (rows.get() as Held).rows, ms: performance.now() }
      if (sql === 'COMMIT' && began !== null)
        held.push({ rows: now.rows - began.rows, ms: now.ms - began.ms })
      began = sql === 'COMMIT' ? null : now
      return result
    }
    return statement
  } as typeof prepare)
})
afterEach(() => spy.mockRestore())

async function isShort<T>(what: string, minRows: number, work: () => Promise<T>): Promise<T> {
  held = []
  const result = await work()
  const rows = held.reduce((sum, each) => sum + each.rows, 0)
  const [most, longest] = [
    Math.max(...held.map((each) => each.rows)),
    Math.max(...held.map(({ ms }) => ms)),
  ]
  process.stderr.write(
    `${what}: ${rows} rows in ${held.length} transactions, ${most} at most, ${longest.toFixed(1)} ms the longest\n`,
  )
  // Else it did nothing of what is measured here.
  expect(rows).toBeGreaterThanOrEqual(minRows)
  expect(most).toBeLessThanOrEqual(maxRows)
  return result
}

const first = 'https://a.example/map.json'
const second = 'https://b.example/api.json'
const models = 500

test('thousands of prices are proposed, approved, rejected and agreed to a few at a time', async () => {
  const desk = await openCheckDesk()
  const ids = Array.from({ length: models }, (_, at) => `model-${at}`)
  const tell = (times: number) => {
    const usd = (price: number) => Number((price * times).toFixed(3))
    const prices = Object.fromEntries(
      ids.map((id, at) => [id, { input: usd(2 + (at % 9)), output: usd(9 + (at % 9)) }]),
    )
    desk.documents.set(first, litellmMap(prices))
    desk.documents.set(second, modelsDevDocument(prices))
  }
  for (const id of ids)
    await desk.storage.catalogue.saveModel(
      {
        id: `acme/${id}`,
        type: 'chat',
        name: id,
        ownedBy: 'acme',
        description: null,
        contextLength: null,
        maxOutputTokens: null,
        capabilities: {},
        traits: {},
        isFree: false,
        status: 'active',
        routes: [{ vendor: 'main', vendorModel: id, priority: 0, weight: 1 }],
      },
      [],
    )
  tell(1)
  const all = { from: null, by }
  await isShort('costs nobody knew', models, () => desk.check())
  await isShort('their approval', 5 * models, () => approvePrices(desk.parts, 'all', all))
  tell(1.1)
  await isShort('moved costs', models, () => desk.check())
  await isShort('their rejection', 2 * models, () => rejectPrices(desk.parts, 'all', by))
  tell(1.2)
  const { applied } = await isShort('moved costs, agreed to', 6 * models, () => desk.check('agree'))
  expect(applied.length).toBe(models)
  expect(await pendingPrices(desk.parts)).toEqual([])
  // All of them are sold by what was agreed to.
  expect(await desk.sold('acme/model-0')).toBe('2.88 12.96')
  // A vendor whose models are all gone from what it had leaves proposals that nobody can decide about.
  tell(1.3)
  await desk.check()
  expect((await pendingPrices(desk.parts)).length).toBe(models)
  for (const id of ids) await desk.storage.catalogue.removeModel(`acme/${id}`)
  await isShort('proposals of what is gone', models, async () =>
    settlePrices(await catalogueOf(desk.parts), 'models were removed'),
  )
  expect(await pendingPrices(desk.parts)).toEqual([])
})

test('the models that a vendor lists come on sale a few at a time', async () => {
  const desk = await openCheckDesk()
  const listed = seedOwners().flatMap((owner) =>
    readSeed(owner).map(({ vendorModel }) => vendorModel),
  )
  const { imported } = await isShort('an import', 3 * 150, () =>
    importModels(desk.parts, 'main', listed, []),
  )
  expect(imported.length).toBeGreaterThan(150)
  const { sale, costs } = await desk.storage.prices.state()
  expect(costs.size).toBeGreaterThanOrEqual(imported.length)
  expect(imported.filter((id) => sale.has(id)).length).toBeGreaterThan(100)
})
