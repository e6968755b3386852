import { Database } from 'bun:sqlite'
import { describe, expect, spyOn, test } from 'bun:test'
import { parseUsd } from '../../src/domain/money'
import { topUp } from '../../src/business/payments/coins'
import type { Storage } from '../../src/business/data/storage'
import { customer, memoryStorage, testFolder } from '../storage/folder'

async function paying(storage: Storage = memoryStorage()) {
  const account = (await customer(storage)).account.id
  const pay = (coins: number, reference: string, to = account) =>
    topUp(storage.payments, { account: to, coins, reference, by: 'test' })
  const balance = async () => (await storage.directory.findAccount(account))?.balance
  return { storage, account, pay, balance }
}

describe('a topup in coins', () => {
  test('locks coins and rate: what came before a new rate keeps its own', async () => {
    const { storage, pay, balance } = await paying()
    await storage.payments.setRate('100000', 'test')
    expect((await pay(50_000, 'a')).payment).toMatchObject({ coins: 50_000, rate: '100000' })
    await storage.payments.setRate('200000', 'test')
    expect((await pay(50_000, 'b')).payment).toMatchObject({
      rate: '200000',
      amount: parseUsd('0.25'),
    })
    expect(await pay(50_000, 'a')).toMatchObject({
      repeated: true,
      payment: { rate: '100000', amount: parseUsd('0.5') },
    })
    expect(await balance()).toBe(parseUsd('0.75'))
  })

  test('keeps a promised rate beside what came of it, whatever the rate is by now', async () => {
    const { storage, account, balance } = await paying()
    await storage.payments.setRate('200000', 'test')
    const promised = { account, coins: 50_000, reference: 'a', by: 'test', rate: '100000' }
    expect((await topUp(storage.payments, promised)).payment).toMatchObject({
      rate: '100000',
      amount: parseUsd('0.5'),
    })
    expect(await balance()).toBe(parseUsd('0.5'))
    expect(await storage.audit()).toMatchObject({ ok: true })
  })

  test('needs a rate, whole coins, the minimum, and an account', async () => {
    const { storage, pay, balance } = await paying()
    expect(pay(50_000, 'a')).rejects.toThrow('there is no rate of coins yet')
    await storage.payments.setRate('100000', 'test')
    for (const coins of [49_999, 50_000.5, -50_000, Number.NaN])
      expect(pay(coins, 'a')).rejects.toThrow('the minimum top-up is 50,000 local coins')
    expect(pay(50_000, 'a', 99 as never)).rejects.toThrow('there is no account 99')
    await storage.payments.setRate('0.001', 'test')
    expect(pay(50_000, 'a')).rejects.toThrow('more than an account can hold')
    await storage.payments.setRate('9000000000000000', 'test')
    expect(pay(50_000, 'a')).rejects.toThrow('nothing')
    expect(await balance()).toBe(0 as never)
    await storage.payments.setRate('9000000000000', 'test')
    await pay(50_000, 'a')
    expect(await balance()).toBe(5 as never)
  })

  test('a reference belongs to one account, one amount and one kind of money', async () => {
    const { storage, account, pay, balance } = await paying()
    const other = (await customer(storage)).account.id
    await storage.payments.setRate('100000', 'test')
    const dollars = (reference: string, usd: string) =>
      storage.directory.deposit({ account, amount: parseUsd(usd), kind: 'topup', reference })
    await pay(50_000, 'coins')
    await dollars('dollars', '0.5')
    expect(pay(50_000, 'coins', other)).rejects.toThrow('belongs to another account')
    expect(pay(60_000, 'coins')).rejects.toThrow('was counted with another amount')
    expect(pay(50_000, 'dollars')).rejects.toThrow('was counted as dollars')
    expect(dollars('coins', '1')).rejects.toThrow('was counted with another amount')
    expect(await balance()).toBe(parseUsd('1'))
  })

  test('and a rate are on disk before they are acknowledged', async () => {
    const { storage, pay } = await paying()
    const said: string[] = []
    const original = Database.prototype.run
    const spy = spyOn(Database.prototype, 'run').mockImplementation(function (
      this: Database,
      sql: string,
      ...rest: never[]
    ) {
      said.push(sql)
      return original.call(this, sql, ...rest)
    })
    try {
      await storage.payments.setRate('100000', 'test')
      await pay(50_000, 'a')
    } finally {
      spy.mockRestore()
    }
    expect(said.filter((sql) => sql === 'PRAGMA synchronous = FULL')).toHaveLength(2)
  })

  test('that fails half way leaves nothing behind', async () => {
    using folder = testFolder()
    const { storage, pay, balance } = await paying(folder.open())
    await storage.payments.setRate('100000', 'test')
    folder
      .raw()
      .run(
        `CREATE TRIGGER broken BEFORE INSERT ON payments BEGIN SELECT RAISE(ABORT, 'broken'); END`,
      )
    expect(pay(50_000, 'a')).rejects.toThrow()
    expect(await balance()).toBe(0 as never)
    expect(await storage.audit()).toMatchObject({ ok: true, transfers: 0 })
  })
})

describe('the books', () => {
  test('of rates and payments cannot be edited', async () => {
    using folder = testFolder()
    const { storage, pay } = await paying(folder.open())
    await storage.payments.setRate('100000', 'test')
    await pay(50_000, 'a')
    const raw = folder.raw()
    for (const table of ['coin_rates', 'payments']) {
      expect(() => raw.run(`UPDATE ${table} SET rate = '1'`)).toThrow('append-only')
      expect(() => raw.run(`DELETE FROM ${table}`)).toThrow('append-only')
    }
  })

  test('show a payment that is not what was put on the account', async () => {
    using folder = testFolder()
    const { storage, pay } = await paying(folder.open())
    await storage.payments.setRate('100000', 'test')
    const { payment } = await pay(50_000, 'a')
    const raw = folder.raw()
    raw.run('DROP TRIGGER payments_no_update')
    raw.run('UPDATE payments SET amount = amount + 1')
    expect((await storage.audit()).differences).toEqual([
      `payment ${payment.id}: its amount is $0.500000001, the transfers come to $0.500000000 (off by $0.000000001)`,
    ])
  })

  test('keep who moved money, and why', async () => {
    using folder = testFolder()
    const storage = folder.open()
    const { account } = await customer(storage)
    await storage.directory.deposit({
      account: account.id,
      amount: parseUsd('-1'),
      kind: 'adjustment',
      reference: 'a',
      note: 'counted twice',
      by: 'command:sara',
    })
    expect(folder.raw().prepare('SELECT kind, reference, note, by FROM transfers').all()).toEqual([
      { kind: 'adjustment', reference: 'a', note: 'counted twice', by: 'command:sara' },
    ])
  })

  test('take the newest of two rates that were set in the same millisecond', async () => {
    const { payments } = memoryStorage()
    await payments.setRate('1', 'test')
    await payments.setRate('2', 'test')
    expect((await payments.rate())?.rate).toBe('2')
    expect((await payments.rates(10)).map(({ rate }) => rate)).toEqual(['2', '1'])
  })
})
