import { describe, expect, test } from 'bun:test'
import type { Caller } from '../../src/domain/caller'
import { parseUsd } from '../../src/domain/money'
import { noticeText } from '../../src/business/notices/notice-texts'
import { customer, ending, handClock, memoryStorage, opening, testFolder } from '../storage/folder'
import { openDesk, type DeskOptions } from './desk'

function watched(options: DeskOptions = {}) {
  const clock = handClock()
  const storage = memoryStorage(clock)
  const desk = openDesk(storage, clock, options)
  const asked = (caller: Caller, usd: string) => ({
    caller,
    amount: parseUsd(usd),
    opening: opening(caller, clock.now()),
  })
  return {
    ...desk,
    clock,
    storage,
    asked,
    async refused(caller: Caller, usd: string) {
      expect(desk.ledger.hold(asked(caller, usd))).rejects.toThrow()
      await desk.ledger.flush()
    },
  }
}

const limited = { usd: '100', key: { spendLimit: parseUsd('10') } }

describe('a cap that refuses a call before all of it is spent', () => {
  const cases: readonly [string, DeskOptions, Parameters<typeof customer>[1], string, string][] = [
    ['key spend limit', {}, limited, 'key_spend_limit', ''],
    [
      'project budget',
      {},
      { usd: '100', project: { monthlyBudget: parseUsd('10') } },
      'project_monthly_budget',
      ' 2026-11',
    ],
    [
      'account day',
      {},
      { usd: '100', account: { dailyCap: parseUsd('10') } },
      'account_daily_cap',
      ' 2026-11-20',
    ],
    [
      'ceiling before verification',
      { kycCeiling: '10' },
      { usd: '100', account: { verified: false } },
      'preverification_ceiling',
      '',
    ],
    [
      'capacity of the service',
      { serviceDayCapacity: '10' },
      { usd: '100' },
      'service_day_capacity',
      ' 2026-11-20',
    ],
  ]
  test.each(cases)('%s is told at its end, once', async (_, desk, options, kind, period) => {
    const { storage, spend, refused, told, woken } = watched(desk)
    const caller = await customer(storage, options)
    await spend(caller, '9.98')
    expect(await told()).toEqual([`${kind} 80 9.98 of 10${period}`])
    await refused(caller, '0.03')
    await refused(caller, '0.5')
    const both = [`${kind} 80 9.98 of 10${period}`, `${kind} 100 9.98 of 10${period}`]
    expect(await told()).toEqual(both)
    expect(woken.count).toBe(2)
    // All of it, at last: the end was told already.
    await spend(caller, '0.02')
    await refused(caller, '0.5')
    expect(await told()).toEqual(both)
  })

  test('is written by itself a moment later, with no call to bring it', async () => {
    const { storage, spend, ledger, asked, told } = watched({ flushMs: 1 })
    const caller = await customer(storage, limited)
    await spend(caller, '9.5')
    expect(ledger.hold(asked(caller, '1'))).rejects.toThrow('key_spend_limit_reached')
    for (let tries = 0; (await told()).length < 2 && tries < 200; tries++) await Bun.sleep(1)
    expect((await told())[1]).toBe('key_spend_limit 100 9.5 of 10')
    await ledger.close()
  })

  test('says that it was the rest that was too little, and nothing of all calls', async () => {
    const { storage, spend, refused } = watched()
    const caller = await customer(storage, limited)
    await spend(caller, '9.98')
    await refused(caller, '1')
    const [newest] = await storage.notices.list({ pending: false, most: 1 })
    if (newest === undefined) throw new Error('nothing was told')
    const { en, fa } = noticeText(newest.notice)
    expect(en).toContain('the end of its spend limit: $9.980000 of $10.000000 is spent.')
    expect(en).toContain('A call that needs more than the rest was refused.')
    expect(en).not.toContain('Its calls are refused now')
    expect(fa).toContain('به پایان سقف هزینهٔ خود رسید')
    expect(fa).toContain('بیش از باقی‌مانده')
  })

  test('is told when a running call may not go on, too', async () => {
    const { storage, spend, ledger, asked, told } = watched()
    const caller = await customer(storage, limited)
    await spend(caller, '9.5')
    const hold = await ledger.hold(asked(caller, '0.4'))
    expect(() => hold.grow(parseUsd('0.2'))).toThrow('key_spend_limit_reached')
    await ledger.flush()
    // Without what it holds itself there would be room.
    expect(await told()).toEqual(['key_spend_limit 80 9.5 of 10'])
    expect(() => hold.grow(parseUsd('0.6'))).toThrow('key_spend_limit_reached')
    await ledger.flush()
    expect(await told()).toHaveLength(2)
    hold.settle(ending(parseUsd('0.4')))
  })

  test('is not told for what is only held, for one dear call, or for what is only tried', async () => {
    const { storage, spend, ledger, asked, refused, told } = watched()
    const caller = await customer(storage, limited)
    await spend(caller, '7.9')
    await refused(caller, '5')
    const hold = await ledger.hold(asked(caller, '2'))
    await refused(caller, '1')
    hold.settle(ending(parseUsd('0.2')))
    await ledger.flush()
    expect(ledger.check(asked(caller, '5'))).rejects.toThrow('key_spend_limit_reached')
    await ledger.flush()
    expect(await told()).toEqual(['key_spend_limit 80 8.1 of 10'])
  })

  test('is not told of an empty balance, which is no cap', async () => {
    const { storage, refused, told } = watched()
    await refused(await customer(storage, { usd: '1', key: { spendLimit: parseUsd('10') } }), '2')
    expect(await told()).toEqual([])
  })

  test('is told anew when its limit was raised, and in the next period', async () => {
    const { storage, spend, refused, told, clock } = watched()
    const caller = await customer(storage, { usd: '100', account: { dailyCap: parseUsd('10') } })
    await spend(caller, '9.9')
    await refused(caller, '1')
    const raised = { ...caller, account: { ...caller.account, dailyCap: parseUsd('11') } }
    await spend(raised, '1')
    await refused(raised, '1')
    clock.set('2026-11-21T12:00:00Z')
    await spend(caller, '9.9')
    await refused(caller, '1')
    expect((await told()).filter((each) => each.includes(' 100 '))).toEqual([
      'account_daily_cap 100 9.9 of 10 2026-11-20',
      'account_daily_cap 100 10.9 of 11 2026-11-20',
      'account_daily_cap 100 9.9 of 10 2026-11-21',
    ])
  })

  test('is not told again by the next process', async () => {
    using folder = testFolder()
    const told: (readonly string[])[] = []
    for (let process = 1; process <= 2; process++) {
      const storage = folder.open(true)
      const desk = openDesk(storage, folder.clock)
      const caller =
        (await storage.identity.findByHash('hash-1'))?.caller ?? (await customer(storage, limited))
      if ((await desk.told()).length === 0) await desk.spend(caller, '9.9')
      const call = opening(caller, folder.clock.now())
      expect(desk.ledger.hold({ caller, amount: parseUsd('1'), opening: call })).rejects.toThrow()
      await desk.ledger.close()
      told.push(await desk.told())
      await storage.close()
    }
    expect(told[0]).toHaveLength(2)
    expect(told[1]).toEqual(told[0] ?? [])
  })

  test('costs the database one look, however many calls are refused', async () => {
    const clock = handClock()
    const storage = memoryStorage(clock)
    let commits = 0
    let failing = false
    const { ledger, spend, told } = openDesk(storage, clock, {
      store: {
        ...storage.ledger,
        commit(batch, durable) {
          commits++
          const written = storage.ledger.commit(batch, durable)
          if (failing) throw new Error('the disk is full')
          return written
        },
      },
    })
    const caller = await customer(storage, limited)
    await spend(caller, '9.9')
    const refuse = async () => {
      const call = opening(caller, clock.now())
      expect(ledger.hold({ caller, amount: parseUsd('1'), opening: call })).rejects.toThrow()
    }
    for (let calls = 0; calls < 100; calls++) await refuse()
    failing = true
    expect(ledger.flush()).rejects.toThrow('the disk is full')
    failing = false
    for (let calls = 0; calls < 100; calls++) {
      await refuse()
      await ledger.flush()
    }
    expect(commits).toBe(3)
    expect(await told()).toHaveLength(2)
  })
})
