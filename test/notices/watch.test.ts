import { describe, expect, test } from 'bun:test'
import { crossesThreshold } from '../../src/ledger/store'
import type { Caller } from '../../src/domain/caller'
import { parseUsd, zeroUsd } from '../../src/domain/money'
import type { Storage } from '../../src/business/data/storage'
import { customer, ending, handClock, memoryStorage, opening, testFolder } from '../storage/folder'
import { openDesk, type DeskOptions } from './desk'

function watched(options: DeskOptions = {}) {
  const clock = handClock()
  const storage = memoryStorage(clock)
  return { clock, storage, ...openDesk(storage, clock, options) }
}

const withLimit = (caller: Caller, usd: string): Caller => ({
  ...caller,
  key: { ...caller.key, spendLimit: parseUsd(usd) },
})

describe('a cap', () => {
  const cases: readonly [
    string,
    DeskOptions,
    Parameters<typeof customer>[1],
    readonly [kind: string, period: string],
  ][] = [
    ['key spend limit', {}, { key: { spendLimit: parseUsd('10') } }, ['key_spend_limit', '']],
    [
      'project budget',
      {},
      { project: { monthlyBudget: parseUsd('10') } },
      ['project_monthly_budget', ' 2026-11'],
    ],
    [
      'account day',
      {},
      { account: { dailyCap: parseUsd('10') } },
      ['account_daily_cap', ' 2026-11-20'],
    ],
    [
      'ceiling before verification',
      { kycCeiling: '10' },
      { account: { verified: false } },
      ['preverification_ceiling', ''],
    ],
    [
      'capacity of the service',
      { serviceDayCapacity: '10' },
      {},
      ['service_day_capacity', ' 2026-11-20'],
    ],
  ]
  test.each(cases)(
    '%s is told at 80 and at 100 per cent, once each',
    async (_, desk, limits, expected) => {
      const { storage, begin, spend, told } = watched(desk)
      const caller = await customer(storage, { usd: '100', ...limits })
      const [kind, period] = expected
      await spend(caller, '7.999999999')
      expect(await told()).toEqual([])
      await spend(caller, '0.000000001')
      expect(await told()).toEqual([`${kind} 80 8 of 10${period}`])
      await spend(caller, '1.999999999')
      expect(await told()).toHaveLength(1)
      // Once it is full nothing more may begin.
      const running = [await begin(caller), await begin(caller)]
      await spend(caller, '0.000000001')
      for (const end of running) end('1')
      expect(await told()).toEqual([`${kind} 80 8 of 10${period}`, `${kind} 100 10 of 10${period}`])
    },
  )

  test('that is passed in one step is told at both', async () => {
    const { storage, spend, told } = watched()
    await spend(await customer(storage, { usd: '100', key: { spendLimit: parseUsd('1') } }), '3')
    expect(await told()).toEqual(['key_spend_limit 80 3 of 1', 'key_spend_limit 100 3 of 1'])
  })

  test('counts what is spent, not what is held', async () => {
    const { storage, ledger, told, clock } = watched()
    const caller = await customer(storage, { usd: '100', key: { spendLimit: parseUsd('10') } })
    const call = opening(caller, clock.now())
    const hold = await ledger.hold({ caller, amount: parseUsd('10'), opening: call })
    await ledger.flush()
    hold.settle(ending(parseUsd('0.5')))
    await ledger.flush()
    expect(await told()).toEqual([])
  })

  test('is told again in the next day or month, and not in the same', async () => {
    const { storage, spend, told, clock } = watched()
    const caller = await customer(storage, {
      usd: '100',
      account: { dailyCap: parseUsd('1') },
      project: { monthlyBudget: parseUsd('1.5') },
    })
    await spend(caller, '0.9')
    clock.set('2026-11-21T00:00:00Z')
    await spend(caller, '0.9')
    clock.set('2026-12-01T00:00:00Z')
    await spend(caller, '0.9')
    expect(await told()).toEqual([
      'account_daily_cap 80 0.9 of 1 2026-11-20',
      'project_monthly_budget 80 1.8 of 1.5 2026-11',
      'project_monthly_budget 100 1.8 of 1.5 2026-11',
      'account_daily_cap 80 0.9 of 1 2026-11-21',
      'account_daily_cap 80 0.9 of 1 2026-12-01',
    ])
  })

  test('a charge that comes after midnight is told of the day that it counts in', async () => {
    const { storage, ledger, spend, told, clock } = watched()
    const caller = await customer(storage, { usd: '100', account: { dailyCap: parseUsd('1') } })
    clock.set('2026-11-20T23:59:59Z')
    const call = opening(caller, clock.now())
    const hold = await ledger.hold({ caller, amount: zeroUsd, opening: call })
    clock.set('2026-11-21T00:00:01Z')
    await spend(caller, '0.1')
    hold.settle(ending(parseUsd('0.9')))
    await ledger.flush()
    expect(await told()).toEqual(['account_daily_cap 80 0.9 of 1 2026-11-20'])
  })

  test('that is raised is told again; lowered again, it is not', async () => {
    const { storage, spend, told } = watched()
    const caller = await customer(storage, { usd: '100' })
    await spend(withLimit(caller, '10'), '8')
    await spend(withLimit(caller, '20'), '8')
    await spend(withLimit(caller, '18'), '0.1')
    expect(await told()).toEqual(['key_spend_limit 80 8 of 10', 'key_spend_limit 80 16 of 20'])
  })

  test('of one key is not told of another, and one account speaks once for all of its keys', async () => {
    const { storage, ledger, told, clock } = watched()
    const caller = await customer(storage, {
      usd: '100',
      account: { dailyCap: parseUsd('10') },
      key: { spendLimit: parseUsd('5') },
    })
    const made = {
      project: caller.project.id,
      name: 'other',
      prefix: 'sk',
      spendLimit: parseUsd('5'),
    }
    const other = { ...caller, key: await storage.directory.createKey(made, 'other') }
    for (const each of [caller, other]) {
      const call = { caller: each, amount: zeroUsd, opening: opening(each, clock.now()) }
      const hold = await ledger.hold(call)
      hold.settle(ending(parseUsd('4')))
    }
    await ledger.flush()
    expect([...(await told())].sort()).toEqual([
      'account_daily_cap 80 8 of 10 2026-11-20',
      'key_spend_limit 80 4 of 5',
      'key_spend_limit 80 4 of 5',
    ])
  })

  test('of nothing, and no cap at all, are never told', async () => {
    const { storage, spend, told } = watched()
    await spend(await customer(storage, { usd: '1' }), '9')
    await spend(withLimit(await customer(storage), '0'), '9')
    expect(await told()).toEqual([])
  })
})

describe('a floor', () => {
  const topUp = (storage: Storage, caller: Caller, usd: string) =>
    storage.directory.deposit({
      account: caller.account.id,
      amount: parseUsd(usd),
      kind: 'topup',
      reference: `${usd} ${Math.random()}`,
    })

  test('is told when the balance falls below it, once until it was there again', async () => {
    const { storage, ledger, spend, told } = watched({ floor: '5' })
    const caller = await customer(storage, { usd: '10' })
    await spend(caller, '5')
    expect(await told()).toEqual([])
    await spend(caller, '1')
    await spend(caller, '1')
    await topUp(storage, caller, '1')
    ledger.refresh()
    await spend(caller, '0.5')
    const first = ['balance_floor – 4 of 5']
    expect(await told()).toEqual(first)
    // Up to the floor and straight below it again, between two commits.
    await topUp(storage, caller, '2')
    ledger.refresh()
    await spend(caller, '3')
    await spend(caller, '0.1')
    expect(await told()).toEqual([...first, 'balance_floor – 2.5 of 5'])
  })

  test('of an account goes before that of the service', async () => {
    const { storage, spend, told } = watched({ floor: '5' })
    await spend(await customer(storage, { usd: '4', account: { noticeFloor: parseUsd('1') } }), '1')
    await spend(
      await customer(storage, { usd: '4', account: { noticeFloor: parseUsd('3.5') } }),
      '1',
    )
    expect(await told()).toEqual(['balance_floor – 3 of 3.5'])
  })

  test('that is raised is told again', async () => {
    const { storage, spend, told } = watched()
    const caller = await customer(storage, { usd: '10' })
    const at = (usd: string): Caller => ({
      ...caller,
      account: { ...caller.account, noticeFloor: parseUsd(usd) },
    })
    await spend(at('9.5'), '1')
    await spend(at('9.5'), '1')
    await spend(at('9.9'), '1')
    await spend(at('9.5'), '1')
    expect(await told()).toEqual(['balance_floor – 9 of 9.5', 'balance_floor – 7 of 9.9'])
  })
})

describe('a notice', () => {
  test('is in the database together with its charge, and what was told stays told in the next process', async () => {
    using folder = testFolder()
    const first = folder.open(true)
    const caller = await customer(first, { usd: '100', key: { spendLimit: parseUsd('10') } })
    await openDesk(first, folder.clock).spend(caller, '8')
    await first.close()
    const second = folder.open(true)
    const desk = openDesk(second, folder.clock)
    expect(await desk.told()).toEqual(['key_spend_limit 80 8 of 10'])
    await desk.spend(caller, '1')
    expect(await desk.told()).toHaveLength(1)
    expect(
      await second.notices.due('log', folder.clock.now(), folder.clock.now(), 10),
    ).toHaveLength(1)
  })

  test('of a commit that failed is told by the one that succeeds, once', async () => {
    const clock = handClock()
    const storage = memoryStorage(clock)
    let failing = true
    const { ledger, spend, told, woken } = openDesk(storage, clock, {
      store: {
        ...storage.ledger,
        async commit(batch, durable) {
          expect(batch.notices).toHaveLength(1)
          if (failing) throw new Error('the disk is full')
          return await storage.ledger.commit(batch, durable)
        },
      },
    })
    const caller = await customer(storage, { usd: '100', key: { spendLimit: parseUsd('10') } })
    expect(spend(caller, '8')).rejects.toThrow('the disk is full')
    expect({ told: await told(), woken: woken.count }).toEqual({ told: [], woken: 0 })
    failing = false
    await ledger.flush()
    await ledger.flush()
    expect({ told: await told(), woken: woken.count }).toEqual({
      told: ['key_spend_limit 80 8 of 10'],
      woken: 1,
    })
  })

  test('asks the database only when a threshold is new', async () => {
    const clock = handClock()
    const storage = memoryStorage(clock)
    let asked = 0
    const { spend } = openDesk(storage, clock, {
      floor: '1000',
      store: {
        ...storage.ledger,
        async commit(batch, durable) {
          const balances = await storage.ledger.commit(batch, durable)
          const fallen = (batch.floors ?? []).filter((floor) =>
            crossesThreshold(floor, balances.get(floor.account) ?? zeroUsd),
          )
          asked += (batch.notices ?? []).length + fallen.length
          return balances
        },
      },
    })
    const caller = await customer(storage, { usd: '100', key: { spendLimit: parseUsd('10') } })
    for (let calls = 0; calls < 100; calls++) await spend(caller, '0.1')
    expect(asked).toBe(3)
  })
})
