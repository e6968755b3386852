import { beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  approvePrices,
  pendingPrices,
  rejectPrices,
} from '../../src/business/pricing/proposal-decisions'
import { priceChange } from '../../src/business/pricing/price-changes'
import { setPricingRule } from '../../src/business/pricing/rule-changes'
import { checkModelPrices, typePrices } from '../../src/business/pricing/model-prices'
import { addVendor, setVendorCost } from '../../src/business/catalogue/vendors'
import { settlePrices } from '../../src/business/pricing/priced-catalogue'
import { catalogueOf } from '../../src/business/data/service-parts'
import { isAdminError } from '../../src/business/operations/admin-error'
import { dayMs, type Ms } from '../../src/domain/clock'
import { priceLine } from '../../src/gateway/metering/pricing-view'
import {
  by,
  litellmMap,
  modelsDevDocument,
  openaiVendor,
  openCheckDesk,
  publicPrices,
  type CheckDesk,
} from './check-desk'

const first = 'https://a.example/map.json'
const second = 'https://b.example/api.json'
const place = { vendor: 'main', vendorModel: 'gpt-4o' }
const now = { from: null, by }

let desk: CheckDesk
beforeEach(async () => {
  desk = await openCheckDesk()
  tell(publicPrices)
})

/** Both sources tell the same, but for what the second says otherwise. */
function tell(prices: Parameters<typeof litellmMap>[0], others = prices): void {
  desk.documents.set(first, litellmMap(prices))
  desk.documents.set(second, modelsDevDocument(others))
}
const risen = (input: number) => ({ ...publicPrices, 'gpt-4o': { input, output: 10 } })
const costOf = async () => (await desk.storage.prices.state()).costsNow.get('main gpt-4o')
const pending = () => pendingPrices(desk.parts)

describe('a check of public prices', () => {
  test('proposes nothing of what is on record', async () => {
    const done = await desk.check()
    expect(done).toMatchObject({ proposed: [], applied: [], doubts: [], compared: 3 })
    expect(done.sources).toMatchObject([
      { name: 'litellm', models: 3, problem: null },
      { name: 'models.dev', models: 3, problem: null },
    ])
  })

  test('proposes a cost with what it comes to, and moves nothing', async () => {
    tell(risen(3))
    const { proposed } = await desk.check()
    expect(proposed).toMatchObject([{ kind: 'cost', model: 'gpt-4o', ...place }])
    expect(await desk.sold('gpt-4o')).toBe('3 12')
    expect((await costOf())?.source).toStartWith('seed ')
    const change = await priceChange(desk.parts, proposed[0]?.id ?? 0)
    expect(change.effects).toMatchObject([
      { model: 'gpt-4o', calls: 0, margin: { before: '20', unchanged: '0', after: '20' } },
    ])
    expect(change.effects[0]?.lines.find(({ meter }) => meter === 'input')?.price).toBe('3.6')
  })

  test('proposes the same once, and takes back what nobody tells any more', async () => {
    tell(risen(3))
    await desk.check()
    const [id] = (await pending()).map((each) => each.id)
    expect((await desk.check()).proposed).toEqual([])
    expect((await pending()).map((each) => each.id)).toEqual([id ?? 0])
    tell(publicPrices)
    expect((await desk.check()).withdrawn).toBe(1)
    expect(await pending()).toEqual([])
  })

  test('takes nothing back because a source fails', async () => {
    tell(risen(3))
    await desk.check()
    tell(publicPrices)
    desk.documents.set(second, '<html>')
    const { sources, withdrawn } = await desk.check()
    expect(sources[1]?.problem).toContain('web page')
    expect(withdrawn).toBe(0)
    expect(await pending()).toHaveLength(1)
  })

  test('counts one content as one voice', async () => {
    desk.documents.set(second, litellmMap(risen(3)))
    desk.documents.set(first, litellmMap(risen(3)))
    const { applied, proposed, sources } = await desk.check('agree')
    expect(applied).toEqual([])
    expect(proposed).toHaveLength(1)
    expect(sources[1]?.problem).toContain('is the same as')
  })
})

describe('a proposed cost', () => {
  beforeEach(async () => {
    tell(risen(3))
    await desk.check()
  })

  test('is approved with the price that follows, in one change with its trail', async () => {
    await approvePrices(desk.parts, 'all', now)
    expect(await desk.sold('gpt-4o')).toBe('3.6 12')
    expect(await costOf()).toMatchObject({ version: '2', validFrom: desk.clock.now() })
    expect((await costOf())?.source).toBe('sync 2026-11-20 (litellm, models.dev)')
    const trail = await desk.storage.trail.list({ subject: null, before: null, max: 10 })
    const lines = trail.map(({ what }) => what)
    for (const what of ['price.set', 'cost.set', 'proposal.approve']) expect(lines).toContain(what)
    expect(await pending()).toEqual([])
    expect((await desk.check()).proposed).toEqual([])
    // A later start must not bring the seed's cost back.
    await settlePrices(await catalogueOf(desk.parts), 'restart')
    expect(await desk.sold('gpt-4o')).toBe('3.6 12')
    await setPricingRule(desk.parts, { kind: 'vendor', name: 'main', markupPercent: '10' }, by)
    expect(await desk.sold('gpt-4o')).toBe('3.3 11')
  })

  test('that is approved for later bills and sells as before until then', async () => {
    const from = (desk.clock.now() + dayMs) as Ms
    await approvePrices(desk.parts, 'all', { from, by })
    expect(await desk.sold('gpt-4o')).toBe('3 12')
    expect((await costOf())?.source).toStartWith('seed ')
    await settlePrices(await catalogueOf(desk.parts), 'restart')
    expect(await pending()).toEqual([])
    desk.clock.set(from)
    expect(await desk.sold('gpt-4o')).toBe('3.6 12')
    expect((await costOf())?.source).toStartWith('sync ')
    await settlePrices(await catalogueOf(desk.parts), 'restart')
    expect(await pending()).toEqual([])
  })

  test('that is rejected is not proposed again, but another one is', async () => {
    await rejectPrices(desk.parts, 'all', by)
    expect((await desk.check()).proposed).toEqual([])
    tell(risen(4))
    expect((await desk.check()).proposed).toHaveLength(1)
    await rejectPrices(desk.parts, 'all', by)
    tell(risen(3))
    expect((await desk.check()).proposed).toEqual([])
    tell(risen(5))
    await desk.check()
    await approvePrices(desk.parts, 'all', now)
    // From 5 it is another change than from 2.5.
    tell(risen(3))
    expect((await desk.check()).proposed).toHaveLength(1)
  })

  test('leaves a typed price alone, and says so', async () => {
    const lines = [
      { meter: 'input', unit: 'million', price: '2' },
      { meter: 'output', unit: 'million', price: '9' },
    ] as const
    await typePrices(desk.parts, 'gpt-4o', lines, by)
    const { effects } = await priceChange(desk.parts, (await pending())[0]?.id ?? 0)
    expect(effects).toMatchObject([{ lines, sold: lines }])
    await approvePrices(desk.parts, 'all', now)
    expect(await desk.sold('gpt-4o')).toBe('2 9')
    expect((await costOf())?.source).toStartWith('sync ')
  })

  test('goes with its vendor, and with a cost that is typed', async () => {
    const lines = [{ meter: 'input', unit: 'million', price: '1' }] as const
    await setVendorCost(desk.parts, { ...place, lines }, by)
    expect((await pending()).filter(({ kind }) => kind === 'cost')).toEqual([])
  })

  test('stands in one list with proposed sale prices', async () => {
    await setPricingRule(desk.parts, { kind: 'model', name: 'gpt-4', markupPercent: '20' }, by)
    const cost = [
      { meter: 'input', unit: 'million', price: '31' },
      { meter: 'output', unit: 'million', price: '61' },
    ] as const
    await setVendorCost(desk.parts, { vendor: 'main', vendorModel: 'gpt-4', lines: cost }, by)
    const ids = (await pending()).map(({ id }) => id)
    expect((await pending()).map(({ kind }) => kind)).toEqual(['cost', 'sale'])
    await approvePrices(desk.parts, ids.slice(1), now)
    expect(await desk.sold('gpt-4')).toBe('37.2 73.2')
    expect((await pending()).map(({ id }) => id)).toEqual(ids.slice(0, 1))
  })
})

test('a cost that was typed is proposed, and no policy replaces it', async () => {
  const lines = [
    { meter: 'input', unit: 'million', price: '2.4' },
    { meter: 'output', unit: 'million', price: '10' },
  ] as const
  await setVendorCost(desk.parts, { ...place, lines }, by)
  await rejectPrices(desk.parts, 'all', by)
  const { applied, proposed } = await desk.check('agree')
  expect(applied).toEqual([])
  expect(proposed).toMatchObject([{ kind: 'cost', model: 'gpt-4o' }])
  expect((await costOf())?.source).toStartWith('typed by ')
})

describe('the policy agree', () => {
  test('applies what two sources agree on, up to 30 %', async () => {
    tell(risen(3.25))
    const { applied, proposed } = await desk.check('agree')
    expect(applied).toMatchObject([{ model: 'gpt-4o' }])
    expect(proposed).toEqual([])
    expect(await desk.sold('gpt-4o')).toBe('3.9 12')
    const sold = (await desk.storage.prices.state()).sale.get('gpt-4o')
    expect(sold).toHaveLength(2)
  })

  test.each([
    ['moves by more', risen(3.26), risen(3.26)],
    ['is told by one', risen(3), publicPrices],
    ['is told differently', risen(3), risen(3.1)],
  ])('leaves alone what %s', async (_, one, two) => {
    tell(one, two)
    const { applied, proposed } = await desk.check('agree')
    expect(applied).toEqual([])
    expect(proposed).toHaveLength(1)
    expect(await desk.sold('gpt-4o')).toBe('3 12')
  })

  test('applies what one source tells of a tier beside it, by which nothing is sold', async () => {
    const map = JSON.parse(litellmMap(risen(3.25))) as Record<string, object>
    map['gpt-4o'] = { ...map['gpt-4o'], input_cost_per_token_priority: 0.000_006 }
    desk.documents.set(first, JSON.stringify(map))
    desk.documents.set(second, modelsDevDocument(risen(3.25)))
    expect((await desk.check('agree')).applied).toMatchObject([{ model: 'gpt-4o' }])
    expect((await costOf())?.lines).toContainEqual({
      meter: 'input@priority',
      unit: 'million',
      price: '6',
    })
    expect(await desk.sold('gpt-4o')).toBe('3.9 12')
    const sold = (await desk.storage.prices.state()).sale.get('gpt-4o')?.at(-1)
    expect(sold?.lines.some(({ meter }) => meter.includes('@'))).toBe(false)
    await settlePrices(await catalogueOf(desk.parts), 'restart')
    expect(await pending()).toEqual([])
    // Of a price on sale it can be none.
    const entry = { id: 'gpt-4o', type: 'chat', traits: {} } as const
    const lines = [...(sold?.lines ?? []), priceLine('input_per_million@priority', '6')]
    expect(() => checkModelPrices(entry, lines, false)).toThrow('uncounted_prices')
  })

  test('does not bring along what somebody has yet to decide', async () => {
    const backup = { ...openaiVendor, name: 'backup' }
    await addVendor(desk.parts, backup, { marginPercent: '30', by })
    expect((await pending()).map(({ model }) => model)).toContain('gpt-4o')
    await rejectPrices(desk.parts, 'all', by)
    tell(risen(3))
    expect((await desk.check('agree')).applied).toEqual([])
    expect(await desk.sold('gpt-4o')).toBe('3 12')
  })
})

describe('a model that no source lists any more', () => {
  const { 'gpt-4': _, ...rest } = publicPrices
  beforeEach(async () => {
    await desk.check()
    tell(rest)
  })

  test('is proposed as discontinued, and is so once approved', async () => {
    expect((await desk.check('agree')).proposed).toMatchObject([
      { kind: 'discontinued', model: 'gpt-4' },
    ])
    expect(await desk.status('gpt-4')).toBe('active')
    const later = { from: (desk.clock.now() + dayMs) as Ms, by }
    expect(approvePrices(desk.parts, 'all', later)).rejects.toThrow('end_not_later')
    await approvePrices(desk.parts, 'all', now)
    expect(await desk.status('gpt-4')).toBe('discontinued')
    expect((await desk.check()).proposed).toEqual([])
  })

  test('stays when that is rejected, and when it is listed again', async () => {
    await desk.check()
    tell(publicPrices)
    expect((await desk.check()).withdrawn).toBe(1)
    tell(rest)
    await desk.check()
    await rejectPrices(desk.parts, 'all', by)
    expect((await desk.check()).proposed).toEqual([])
    expect(await desk.status('gpt-4')).toBe('active')
  })

  test('is not missed while a source fails, nor by other sources', async () => {
    desk.documents.set(second, 'gone')
    expect((await desk.check()).proposed).toEqual([])
    desk.documents.delete(second)
    desk.documents.set('https://c.example/other.json', modelsDevDocument(rest))
    expect((await desk.check()).proposed).toEqual([])
  })

  test('is not believed where a great many vanish at once', async () => {
    const many = Object.fromEntries(
      (await desk.storage.prices.state()).costs
        .values()
        .map(({ vendorModel }) => [vendorModel, { input: 1, output: 1 }]),
    )
    tell({ ...many, ...publicPrices })
    await desk.check()
    await rejectPrices(desk.parts, 'all', by)
    tell(publicPrices)
    const { proposed, unbelievedEnds } = await desk.check()
    expect(proposed).toEqual([])
    expect(unbelievedEnds).toBeGreaterThan(50)
  })
})

test('one name of a model and another share a cost, which is put on record once', async () => {
  const google = { ...openaiVendor, name: 'g', kind: 'google', dialect: 'google' }
  await desk.storage.catalogue.saveVendor(google)
  for (let times = 0; times < 3; times++)
    await settlePrices(await catalogueOf(desk.parts), 'restart')
  const costs = [...(await desk.storage.prices.state()).costs.values()]
  expect(new Set(costs.map(({ version }) => version))).toEqual(new Set(['1']))
  expect(await pending()).toEqual([])
})

test('a refusal names the proposal that waits no more', async () => {
  const refused = () => approvePrices(desk.parts, [99], now)
  expect(refused()).rejects.toThrow('proposal_not_pending')
  try {
    await refused()
  } catch (thrown) {
    expect(isAdminError(thrown)).toBe(true)
  }
})

test('no check moves a price, but by the policy, and then within 30 %', async () => {
  const price = fc.record({
    input: fc.integer({ min: 1, max: 6000 }).map((cents) => cents / 100),
    output: fc.integer({ min: 1, max: 6000 }).map((cents) => cents / 100),
  })
  const model = fc.constantFrom(...Object.keys(publicPrices))
  const told = fc.dictionary(model, price)
  const round = fc.record({ one: told, two: told, same: fc.boolean(), agree: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 4 }), async (rounds) => {
      desk = await openCheckDesk()
      for (const { one, two, same, agree } of rounds) {
        tell({ ...publicPrices, ...one }, { ...publicPrices, ...(same ? one : two) })
        const before = await Promise.all(Object.keys(publicPrices).map(desk.sold))
        const { applied } = await desk.check(agree ? 'agree' : 'off')
        const after = await Promise.all(Object.keys(publicPrices).map(desk.sold))
        if (!agree) expect(applied).toEqual([])
        if (applied.length === 0) expect(after).toEqual(before)
        for (const [at, was] of before.entries())
          for (const [of, text] of was.split(' ').entries()) {
            const ratio = Number(after[at]?.split(' ')[of]) / Number(text)
            expect(Math.abs(ratio - 1)).toBeLessThanOrEqual(0.3 + 1e-9)
          }
        desk.clock.set(desk.clock.now() + 1000)
      }
      await desk.storage.close()
    }),
    { numRuns: 40 },
  )
})
