import { describe, expect, test } from 'bun:test'
import { nanoUsd } from '../../src/domain/money'
import { charge, customer, noBatch, opening, testFolder } from './folder'

/** A folder with a topup, two charges, a free call and a running one; `tampered` tells what the audit says. */
async function open() {
  const folder = testFolder()
  const storage = folder.open()
  const caller = await customer(storage, { usd: '1' })
  folder.clock.set('2026-11-30T23:59:59.999Z')
  const first = opening(caller, folder.clock.now(), 'req_first')
  await storage.ledger.commit(charge(first, 40), false)
  folder.clock.set('2026-12-01T00:00:00Z')
  await storage.ledger.commit(charge(opening(caller, folder.clock.now(), 'req_second'), 2), false)
  await storage.ledger.commit(charge(opening(caller, folder.clock.now(), 'req_free'), 0), false)
  const running = opening(caller, folder.clock.now(), 'req_running')
  await storage.ledger.commit({ ...noBatch, opened: [running] }, false)
  await storage.ledger.sumUp(Number.POSITIVE_INFINITY)
  return {
    storage,
    async tampered(...sql: string[]): Promise<readonly string[]> {
      const raw = folder.raw()
      for (const name of ['transfers_no_update', 'transfers_no_delete'])
        raw.run(`DROP TRIGGER IF EXISTS ${name}`)
      for (const statement of sql) raw.run(statement)
      const report = await storage.audit()
      expect(report.ok).toBe(report.differences.length === 0)
      return report.differences
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

describe('an audit', () => {
  test('of books that add up finds nothing, and counts', async () => {
    using it = await open()
    expect(await it.storage.audit()).toEqual({
      ok: true,
      accounts: 1,
      transfers: 3,
      requests: 4,
      pending: 1,
      spooled: 0,
      spooledCost: nanoUsd(0),
      differences: [],
    })
  })

  test('names an account that is off by one nano-dollar', async () => {
    using it = await open()
    expect(await it.tampered('UPDATE accounts SET balance = balance + 1 WHERE id = 1')).toEqual([
      'account 1: the balance is $0.999999959, the transfers come to $0.999999958 (off by $0.000000001)',
    ])
  })

  test('names the house’s own accounts too, exactly, however large', async () => {
    using it = await open()
    const [first, second] = (
      await it.tampered(
        'UPDATE accounts SET balance = -9007199254740993000 WHERE id = -2',
        'UPDATE accounts SET balance = 0 WHERE id = -1',
      )
    ).toSorted()
    expect(first).toStartWith('account -1: the balance is $0.000000000, the transfers come to')
    expect(second).toStartWith('account -2: the balance is -$9007199254.740993000, the transfers')
  })

  test('names a request that was not charged what it cost', async () => {
    using it = await open()
    expect(await it.tampered(`UPDATE requests SET cost = 41 WHERE id = 'req_first'`)).toContain(
      'request req_first: the cost is $0.000000041, the transfers come to $0.000000040 (off by $0.000000001)',
    )
    expect(await it.tampered(`UPDATE requests SET cost = 9 WHERE id = 'req_free'`)).toContain(
      'request req_free: the cost is $0.000000009, the transfers come to $0.000000000 (off by $0.000000009)',
    )
  })

  test('names a refund of another amount, to another account, or of nothing', async () => {
    const refund = (account: number, amount: number, reference: string) =>
      `INSERT INTO transfers (debit, credit, amount, kind, reference, created)
      VALUES (-1, ${account}, ${amount}, 'refund', '${reference}', 1)`
    for (const [account, amount, reference, charged] of [
      [1, 39, 'req_first', 40],
      [-3, 40, 'req_first', 0],
      [1, 7, 'req_free', 0],
    ] as const) {
      using it = await open()
      const found = await it.tampered(refund(account, amount, reference))
      const usd = (nanos: number) => `$${(nanos / 1e9).toFixed(9)}`
      expect(found.filter((each) => each.startsWith('refund'))).toEqual(
        account === 1
          ? [
              `refund of ${reference}: its amount is ${usd(amount)}, the transfers come to ${usd(charged)} (off by ${amount < charged ? '-' : ''}${usd(Math.abs(amount - charged))})`,
            ]
          : [
              `refund of ${reference}: its amount is ${usd(amount)}, the transfers come to $0.000000000 (off by ${usd(amount)})`,
            ],
      )
    }
  })

  test('names a video that is made for nothing, and one that was not and is paid', async () => {
    using it = await open()
    const job = (id: string, status: string, request: string, cost: number) =>
      `INSERT INTO video_jobs (id, request, account, project, key, model, seconds, size, cost,
        created, status, progress) VALUES ('${id}', '${request}', 1, 1, 1, 'film', '4', 'auto',
        ${cost}, 1, '${status}', 0)`
    const found = await it.tampered(
      job('vid_paid', 'completed', 'req_first', 40),
      job('vid_kept', 'failed', 'req_second', 2),
      job('vid_gift', 'completed', 'req_free', 5),
      job('vid_gone', 'cancelled', 'req_free', 5),
    )
    expect(found.toSorted()).toEqual([
      'video vid_gift: its cost is $0.000000005, the transfers come to $0.000000000 (off by $0.000000005)',
      'video vid_kept: its cost is $0.000000000, the transfers come to $0.000000002 (off by -$0.000000002)',
    ])
  })

  test('names a request whose charge is gone, or went to another', async () => {
    using it = await open()
    const sentence =
      'request req_second: the cost is $0.000000002, the transfers come to $0.000000000 (off by $0.000000002)'
    expect(
      await it.tampered(`UPDATE transfers SET credit = -3 WHERE reference = 'req_second'`),
    ).toContain(sentence)
    expect(await it.tampered(`DELETE FROM transfers WHERE reference = 'req_second'`)).toContain(
      sentence,
    )
  })

  test('names a charge without its request', async () => {
    using it = await open()
    expect(
      await it.tampered(
        `INSERT INTO transfers (debit, credit, amount, kind, reference, created) VALUES (1, -1, 7, 'charge', 'req_none', 0)`,
        'UPDATE accounts SET balance = balance - 7 WHERE id = 1',
        'UPDATE accounts SET balance = balance + 7 WHERE id = -1',
      ),
    ).toEqual([
      "charge req_none: its request's cost is $0.000000000, the transfers come to $0.000000007 (off by -$0.000000007)",
    ])
  })

  test.each([
    ['key 1', `kind = 'key'`],
    ['project-month 1 2026-11', `kind = 'project-month' AND period = '2026-11'`],
    ['project-month 1 2026-12', `kind = 'project-month' AND period = '2026-12'`],
    ['account 1', `kind = 'account'`],
    ['account-day 1 2026-11-30', `kind = 'account-day' AND period = '2026-11-30'`],
    ['service-day 0 2026-12-01', `kind = 'service-day' AND period = '2026-12-01'`],
  ])('names the sum of %s when it is off or gone', async (name, where) => {
    using it = await open()
    const [changed, ...more] = await it.tampered(
      `UPDATE spent SET amount = amount + 1 WHERE ${where}`,
    )
    expect(changed).toStartWith(`spent by ${name}: kept is $0.0000000`)
    expect(changed).toEndWith('(off by $0.000000001)')
    expect(more).toEqual([])
    const [gone] = await it.tampered(`DELETE FROM spent WHERE ${where}`)
    expect(gone).toStartWith(`spent by ${name}: kept is $0.000000000`)
  })

  test('names a sum of something that never spent', async () => {
    using it = await open()
    const stray = `INSERT INTO spent (kind, id, period, amount) VALUES ('key', 77, '', 5)`
    expect(await it.tampered(stray)).toEqual([
      'spent by key 77: kept is $0.000000005, the transfers come to $0.000000000 (off by $0.000000005)',
    ])
  })

  test('writes nothing and leaves no transaction open', async () => {
    using it = await open()
    const version = it.storage.version()
    await it.storage.audit()
    await it.storage.audit()
    expect(it.storage.version()).toBe(version)
    await it.storage.directory.createAccount({ name: 'after' })
  })

  test('tells at most a hundred differences of a kind', async () => {
    using it = await open()
    const many = `WITH RECURSIVE n (i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO spent (kind, id, period, amount) SELECT 'key', i, '', 5 FROM n`
    expect(await it.tampered(many)).toHaveLength(100)
  })
})
