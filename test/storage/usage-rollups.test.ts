import { describe, expect, test } from 'bun:test'
import type { CallsPage } from '../../src/domain/reports/account-reader'
import type { AccountId, RequestId } from '../../src/domain/ids'
import type { Ms } from '../../src/domain/clock'
import { serviceUsageGroups, type ServiceUsageGroup } from '../../src/domain/reports/report'
import type { Storage } from '../../src/business/data/storage'
import { manyCalls } from '../support/many-calls'
import { charge, customer, opening, type TestFolder } from './folder'

const big = { calls: 6000, accounts: 60, keys: 10, unsummed: 40 }
const all = { fromDay: 0, toDay: 99_999 }

/** What records come to, by hand. */
function recordsBy(
  raw: ReturnType<TestFolder['raw']>,
  group: ServiceUsageGroup,
  account: number | null,
) {
  const columns = {
    day: `date(r.created / 1000, 'unixepoch')`,
    model: 'r.model',
    key: 'r.key',
    project: 'r.project',
    account: 'r.account',
  }
  const rows = raw
    .prepare<{ key: string; requests: number; errors: number; tokens: number; cost: number }, []>(
      `SELECT CAST(${columns[group]} AS TEXT) AS key, count(*) AS requests, sum(r.status = 'error') AS errors,
        sum(r.input_tokens) AS tokens, sum(r.cost - coalesce(t.amount, 0)) AS cost
      FROM requests r LEFT JOIN transfers t ON t.kind = 'refund' AND t.reference = r.id
      WHERE r.status <> 'pending' ${account === null ? '' : `AND r.account = ${account}`} GROUP BY 1`,
    )
    .all()
  return new Map(rows.map(({ key, ...row }) => [key, row]))
}

async function reportsBy({ reports }: Storage, group: ServiceUsageGroup, account: number | null) {
  const sums = await reports.serviceUsage({ ...all, group, account: account as AccountId | null })
  return new Map(
    sums.map(({ key, requests, errors, inputTokens: tokens, cost }) => [
      key,
      { requests, errors, tokens, cost: Number(cost) },
    ]),
  )
}

describe('usage over all projects', () => {
  test('comes to the records', async () => {
    using folder = manyCalls(big)
    const storage = folder.open()
    await storage.ledger.recover()
    const caller = await customer(storage, { usd: '10' })
    const raw = folder.raw()
    for (let round = 0; round < 4; round++) {
      // Of a new project, and of one with many calls.
      const first = { ...caller, account: { id: 1 }, project: { id: 1 }, key: { id: 1 } } as never
      for (const who of [caller, first]) {
        const call = opening(
          who,
          folder.clock.now(),
          `req_${Date.now().toString(16).padStart(12, '0')}${crypto.randomUUID().slice(0, 18)}`,
        )
        await storage.ledger.commit(charge(call, 700), false)
      }
      if (round % 2 === 0) await storage.ledger.sumUp(Number.POSITIVE_INFINITY)
      for (const account of [null, 1, caller.account.id])
        for (const group of serviceUsageGroups)
          expect(await reportsBy(storage, group, account)).toEqual(recordsBy(raw, group, account))
      const project = { ...all, project: 1 as never, group: 'day' as const }
      const days = recordsBy(raw, 'day', 1)
      for (const { key, cost } of await storage.reports.usage(project))
        expect(Number(cost)).toBe(days.get(key)?.cost ?? -1)
      expect((await storage.audit()).differences).toEqual([])
    }
  })

  test('of an account by any filter comes to its records', async () => {
    using folder = manyCalls(big)
    const storage = folder.open()
    await storage.ledger.recover()
    const raw = folder.raw()
    const { key, model } = raw
      .prepare<{ key: number; model: string }, []>(
        'SELECT key, model FROM requests WHERE account = 1 ORDER BY id LIMIT 1',
      )
      .get() as { key: number; model: string }
    for (const by of ['model', 'key', 'project'] as const)
      for (const filter of [
        { project: null, key: null, model: null },
        { project: 1, key: null, model: null },
        { project: null, key, model: null },
        { project: null, key: null, model },
        { project: 1, key, model },
        { project: 2, key: null, model: null },
      ]) {
        const where = Object.entries(filter)
          .flatMap(([name, value]) => (value === null ? [] : ` AND r.${name} = '${value}'`))
          .join('')
        const records = raw
          .prepare<{ group: string; requests: number; cost: number }, []>(
            `SELECT CAST(r.${by} AS TEXT) AS "group", count(*) AS requests,
              sum(r.cost - coalesce(t.amount, 0)) AS cost
            FROM requests r LEFT JOIN transfers t ON t.kind = 'refund' AND t.reference = r.id WHERE r.account = 1 AND r.status <> 'pending'${where} GROUP BY 1`,
          )
          .all()
        const page = await storage.accountReader.usage({
          ...all,
          ...(filter as { project: null; key: null; model: null }),
          account: 1 as AccountId,
          by,
          maxGroups: 100,
          maxDrawn: 3,
        })
        expect(
          page.groups
            .map(({ group, requests, cost }) => ({ group, requests, cost: Number(cost) }))
            .toSorted((one, other) => (one.group < other.group ? -1 : 1)),
        ).toEqual(records)
        const ofDays = page.days.reduce((sum, { requests }) => sum + requests, 0)
        expect(ofDays).toBe(page.total.requests)
      }
  })

  test('of a few days is that of those days', async () => {
    using folder = manyCalls(big)
    const storage = folder.open()
    const [today] = [Math.floor(Date.now() / 86_400_000)]
    for (const [from, to] of [
      [today - 40, today - 3],
      [today - 5, today - 5],
      [today - 89, today],
    ] as const) {
      const totals = await Promise.all(
        serviceUsageGroups.map(async (group) =>
          (
            await storage.reports.serviceUsage({ account: null, fromDay: from, toDay: to, group })
          ).reduce((sum, { requests }) => sum + requests, 0),
        ),
      )
      const { count } = folder
        .raw()
        .prepare<{ count: number }, [number, number]>(
          `SELECT count(*) AS count FROM requests WHERE created / 86400000 BETWEEN ? AND ?`,
        )
        .get(from, to) ?? { count: -1 }
      expect(totals).toEqual(serviceUsageGroups.map(() => count))
    }
  })
})

describe('a list of calls with a filter', () => {
  test('has every call of it once, among thousands that it does not ask for', async () => {
    using folder = manyCalls({ ...big, calls: 12_000, accounts: 40 })
    const raw = folder.raw()
    const now = Date.now()
    const rare = (ms: number, model: string, n: number) =>
      raw.run(
        `UPDATE requests SET model = ? WHERE id IN
          (SELECT id FROM requests WHERE created >= ? AND status = 'success' AND account = 1 ORDER BY id LIMIT ?)`,
        [model, now - ms, n],
      )
    // In the sums too, as the gateway had written them.
    rare(80 * 86_400_000, 'acme/rare', 3)
    rare(20 * 86_400_000, 'acme/rare', 2)
    raw.run(`INSERT INTO usage_days SELECT project, created / 86400000, key, model, count(*), 0, 700, 200, 0, 0
      FROM requests WHERE model = 'acme/rare' GROUP BY 1, 2, 3, 4`)
    const storage = folder.open()
    for (const account of [null, 1, 7, 40] as const)
      for (const [name, filter] of Object.entries({
        model: { model: 'acme/rare' },
        none: { model: 'nobody/has-it' },
        error: { status: 'error' },
        both: { model: 'acme/model-3', status: 'error' },
        cancelled: { status: 'cancelled' },
        pending: { status: 'pending' },
        key: { key: 9 },
        project: { project: 9 },
      } as const)) {
        const any = { project: null, key: null, model: null, status: null, account }
        const asked: Record<string, string | number | null> = { ...any, ...filter }
        const listed: string[] = []
        let before: string | null = null
        do {
          const page: { calls: readonly { id: string }[]; next: string | null } =
            await storage.operatorReader.allCalls({
              ...asked,
              account: account as AccountId | null,
              from: 0 as Ms,
              to: (now + 1) as Ms,
              before: before as RequestId | null,
              max: 100,
            } as never)
          listed.push(...page.calls.map(({ id }) => id))
          before = page.next
        } while (before !== null)
        const conditions = Object.entries(asked).flatMap(([column, value]) =>
          value === null ? [] : [`${column} = '${String(value)}'`],
        )
        const wanted = raw
          .prepare<{ id: string }, []>(
            `SELECT id FROM requests WHERE ${['1 = 1', ...conditions].join(' AND ')} ORDER BY id DESC`,
          )
          .all()
          .map(({ id }) => id)
        expect({ account, name, listed }).toEqual({
          account,
          name,
          listed: wanted,
        })
      }
  })

  test('has what runs, and what is in no sum yet', async () => {
    using folder = manyCalls(big)
    const storage = folder.open()
    const caller = { account: { id: 1 }, project: { id: 1 }, key: { id: 1 } } as never
    const old = Date.now() - 60 * 86_400_000
    const idAt = (n: number) => `req_${(old + n).toString(16).padStart(12, '0')}${'f'.repeat(20)}`
    const made = [0, 1].map((n) => ({
      ...opening(caller, (old + n) as Ms, idAt(n)),
      model: 'acme/late',
    }))
    const [runs, ended] = made
    if (runs === undefined || ended === undefined) throw new Error('none')
    await storage.ledger.commit({ ...charge(ended, 9), opened: [runs] }, false)
    const any = { project: null, key: null, status: null, max: 10 }
    for (const account of [null, 1 as AccountId]) {
      const asked = { ...any, account, model: 'acme/late', from: 0 as Ms, to: Date.now() as Ms }
      const listed: string[] = []
      let before: RequestId | null = null
      // A page that takes long is given as it is.
      do {
        const page: CallsPage = await storage.operatorReader.allCalls({ ...asked, before })
        listed.push(...page.calls.map(({ id }) => id))
        before = page.next as RequestId | null
      } while (before !== null)
      expect(listed).toEqual([ended.id, runs.id])
    }
  })
})
