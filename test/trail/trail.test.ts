import { describe, expect, test } from 'bun:test'
import { typePrices } from '../../src/business/pricing/model-prices'
import { approvePrices } from '../../src/business/pricing/proposal-decisions'
import { removePricingRule, setPricingRule } from '../../src/business/pricing/rule-changes'
import { setVendorCost } from '../../src/business/catalogue/vendors'
import type { Ms } from '../../src/domain/clock'
import { parseUsd } from '../../src/domain/money'
import { connect } from '../../src/storage/sqlite/connect'
import { migrate } from '../../src/storage/sqlite/migrate'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import type { Storage } from '../../src/business/data/storage'
import { changedFields } from '../../src/business/audit-log/changed-fields'
import { addModel, addVendor } from '../support/gateway'

const clock = { now: () => 1_800_000_000_000 as Ms }

/** A storage whose changes are those of a command. */
function opened(): Storage {
  return openStorage({ folder: null, exclusive: true, clock, actor: 'command:ali' })
}

/** Lines about a subject, oldest first. */
const linesOf = async ({ trail }: Storage, subject: string) =>
  (await trail.list({ subject, before: null, max: 100 })).toReversed()

describe('the trail', () => {
  test('has one line for each change, with the fields that changed alone', async () => {
    const storage = opened()
    const { id } = await storage.directory.createAccount({ name: 'shop' })
    await storage.directory.setAccount(id, { dailyCap: parseUsd('25'), name: 'shop' })
    const [made, changed, ...rest] = await linesOf(storage, `account:${id}`)
    expect(made).toMatchObject({ who: 'command:ali', what: 'account.create', before: null })
    expect(made?.after).toMatchObject({ name: 'shop', verified: false })
    expect(changed).toMatchObject({
      at: clock.now(),
      what: 'account.set',
      before: { daily_cap_usd: null },
      after: { daily_cap_usd: '25.000000' },
    })
    expect(rest).toEqual([])
    await storage.close()
  })

  test('says nothing where nothing changed, nor where a change failed', async () => {
    const storage = opened()
    const { id } = await storage.directory.createAccount({ name: 'shop' })
    await storage.directory.setAccount(id, { name: 'shop' })
    expect(storage.directory.setAccount(99 as typeof id, { name: 'x' })).rejects.toThrow(
      'no account',
    )
    expect(await linesOf(storage, `account:${id}`)).toHaveLength(1)
    expect(await linesOf(storage, 'account:99')).toEqual([])
    await storage.close()
  })

  test('tells of keys, money, vendors, models, settings and rates', async () => {
    const storage = opened()
    const { directory, settings, payments } = storage
    const { id: account } = await directory.createAccount({ name: 'shop' })
    const { id: project } = await directory.createProject({ account, name: 'web' })
    const key = await directory.createKey(
      { project, name: 'laptop', prefix: 'sk-x' },
      'ab'.repeat(32),
    )
    await directory.setKey(key.id, { state: 'revoked' })
    const amount = parseUsd('5')
    await directory.deposit({ account, amount, kind: 'topup', reference: 'a' })
    await directory.deposit({ account, amount, kind: 'topup', reference: 'a' })
    await addVendor(storage, 'standin', 'http://127.0.0.1:1')
    await addModel(storage, 'priced', ['standin'])
    await storage.catalogue.removeModel('priced')
    await storage.catalogue.removeVendor('standin')
    await settings.set('streaming', 'off')
    await settings.unset('streaming')
    await payments.setRate('100000', 'command:ali')
    await payments.pay({ account, coins: 50_000, reference: 'b', by: 'x' }, () => parseUsd('0.5'))
    const all = await storage.trail.list({ subject: null, before: null, max: 100 })
    expect(all.toReversed().map(({ what, subject }) => `${what} ${subject}`)).toEqual([
      'account.create account:1',
      'project.create project:1',
      'key.create key:1',
      'key.set key:1',
      'account.topup account:1',
      'vendor.save vendor:standin',
      'model.save model:priced',
      'model.remove model:priced',
      'vendor.remove vendor:standin',
      'setting.set setting:streaming',
      'setting.reset setting:streaming',
      'rate.set rate',
      'account.topup account:1',
    ])
    expect(JSON.stringify(all)).not.toContain('sk-vendor-secret')
    expect(JSON.stringify(all)).not.toContain('abab')
    expect(all.find(({ what }) => what === 'vendor.save')?.after).toMatchObject({
      credential: '•••',
    })
    await storage.close()
  })

  test('tells of rules, prices, costs and decisions, and of nothing that follows by itself', async () => {
    const storage = opened()
    const { prices } = storage
    await addVendor(storage, 'standin', 'http://127.0.0.1:1')
    const parts = { storage, discovery: { found: [], local: [] }, sandbox: async () => false }
    const by = 'command:ali'
    const lines = [{ meter: 'input', unit: 'million', price: '1' }] as const
    await setPricingRule(parts, { kind: 'vendor', name: 'standin', markupPercent: '10' }, by)
    await setPricingRule(parts, { kind: 'vendor', name: 'standin', markupPercent: '20' }, by)
    await removePricingRule(parts, { kind: 'vendor', name: 'standin' }, by)
    await setVendorCost(parts, { vendor: 'standin', vendorModel: 'm', lines }, by)
    await typePrices(parts, 'priced', lines, by)
    await prices.change(() => ({
      proposed: [{ kind: 'sale', model: 'priced', lines, rule: 1, cause: 'a release' }],
    }))
    await approvePrices(parts, 'all', { from: null, by })
    await prices.renameVendor('standin', 'renamed')
    const all = await storage.trail.list({ subject: null, before: null, max: 100 })
    expect(all.toReversed().map(({ what, subject }) => `${what} ${subject}`)).toEqual([
      'vendor.save vendor:standin',
      'rule.set rule:vendor standin',
      'rule.set rule:vendor standin',
      'rule.remove rule:vendor standin',
      'cost.set cost:standin:m',
      'price.set model:priced',
      'price.set model:priced',
      'proposal.approve proposal:1',
      'vendor.rename vendor:renamed',
    ])
    expect((await linesOf(storage, 'rule:vendor standin'))[1]).toMatchObject({
      who: by,
      before: { markupPercent: '10' },
      after: { markupPercent: '20' },
    })
    await storage.close()
  })

  test('is written for whoever makes the change', async () => {
    const storage = opened()
    const { id } = await storage.by('person:7').directory.createAccount({ name: 'shop' })
    expect(await linesOf(storage, `account:${id}`)).toMatchObject([{ who: 'person:7' }])
    await storage.close()
  })

  test('cannot be edited', () => {
    const connection = connect(null)
    migrate(connection, { folder: null, locked: true })
    connection.raw.run(`INSERT INTO trail (at, who, what, subject) VALUES (1, 'a', 'b', 'c')`)
    expect(() => connection.raw.run(`UPDATE trail SET who = 'x'`)).toThrow('append-only')
    expect(() => connection.raw.run('DELETE FROM trail')).toThrow('append-only')
    connection.close()
  })
})

describe('changed fields', () => {
  test('show that a secret changed, never what it is', () => {
    expect(changedFields({ secret: 'a', b: 1 }, { secret: 'b', b: 1 })).toEqual({
      before: { secret: '•••' },
      after: { secret: '•••' },
    })
    expect(changedFields({ secret: null }, { secret: 'b' })?.before).toEqual({ secret: null })
  })
  test('are none where both are the same', () => {
    expect(changedFields({ a: [1] }, { a: [1] })).toBeNull()
    expect(changedFields(null, null)).toBeNull()
  })
})
