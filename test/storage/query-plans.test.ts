import { Database } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import type { AccountReader } from '../../src/domain/reports/account-reader'
import type { Caller } from '../../src/domain/caller'
import { dayNumber, type Ms } from '../../src/domain/clock'
import type { ModelEntry } from '../../src/domain/model'
import type { NoticeId } from '../../src/domain/ids'
import { nanoUsd } from '../../src/domain/money'
import { profitOrders } from '../../src/domain/reports/report'
import type { Phone } from '../../src/domain/phone'
import { videoJob } from '../endpoints/videos/job'
import type { DueNotice } from '../../src/domain/notice'
import { charge, customer, noBatch, opening, testFolder, balanceIn, spentIn } from './folder'
import { wholeLedger } from './whole-ledger'

const noticeId = 'ntc_1' as NoticeId
const due: DueNotice = {
  channels: ['log'],
  notice: {
    id: noticeId,
    kind: 'service_day_capacity',
    subject: { account: null, project: null, key: null },
    threshold: 80,
    limit: nanoUsd(5),
    amount: nanoUsd(5),
    period: '2026-11-20',
    created: 0 as Ms,
  },
}
const model: Omit<ModelEntry, 'card' | 'created'> = {
  id: 'acme/large',
  type: 'chat',
  name: 'Large',
  ownedBy: 'acme',
  description: null,
  contextLength: null,
  maxOutputTokens: null,
  capabilities: {},
  traits: {},
  isFree: false,
  status: 'active',
  routes: [],
}

/** Scans that stop at their first row, or go through an index of nothing but what is wanted. */
const short = [
  /^SCAN \w+: select "id" from "\w+" order by "\w+"\."id" desc limit \?$/,
  /^SCAN requests USING INDEX requests_pending: (UPDATE|INSERT INTO usage_\w+|SELECT .* AND owed > 0$)/,
  /^(SCAN r USING INDEX requests_pending|USE TEMP B-TREE FOR GROUP BY): SELECT project, (r\.created|coalesce\(r\.zone_day,) .* INDEXED BY requests_pending/,
  // What was charged since the sums were written, which is found by the transfers' own order, and
  // the few marks of how far they are.
  /^SCAN (f|s|summed|found|\(subquery-\d+\)): .* FROM transfers t JOIN requests r ON r\.id = t\.reference/,
  /^USE TEMP B-TREE FOR (GROUP|ORDER) BY: .* FROM transfers t JOIN requests r ON r\.id = t\.reference/,
  /^SCAN summed: UPDATE summed/,
  // Where an account's ledger begins, by the kinds of what people moved.
  /^SEARCH transfers USING INDEX transfers_reference \(kind=\?\): SELECT min\(id\) AS id .* kind IN \('topup', 'adjustment', 'refund'\)/,
  /^SCAN payments USING INDEX sqlite_autoindex_payments_1: .* order by "payments"."id" desc limit \?$/,
  // Those that somebody waits for, and a page of all for operators.
  /^SCAN lines: WITH RECURSIVE lines\(vendor\) AS \( SELECT min\(vendor\) FROM video_jobs /,
  /^SCAN video_jobs USING INDEX (video_jobs_open|video_jobs_due|sqlite_autoindex_video_jobs_1): /,
  /^USE TEMP B-TREE FOR ORDER BY: select .* from "video_jobs" where "video_jobs"."status" in \('creating'/,
  /^USE TEMP B-TREE FOR GROUP BY: INSERT INTO (usage_\w+|profit_\w+) .* INDEXED BY requests_pending/,
  /^SCAN r USING INDEX requests_pending: INSERT INTO profit_/,
  // Ids of an account's keys, from indexes of nothing else; in a thread where somebody serves.
  /^USE TEMP B-TREE FOR ORDER BY: SELECT k\.id FROM projects p .* INDEXED BY keys_(kept|revoked) /,
  // Empty once a folder is open.
  /^SCAN (account_calls|usage_rollup)_fill: SELECT 1 FROM account_calls_fill /,
  /^SCAN days: WITH RECURSIVE days \(day\) AS \( SELECT max\(day\) FROM usage_zone_days/,
  // A month of days of each operator who is staff.
  /^SCAN operator_days: /,
  /^SCAN notice_deliveries USING INDEX notice_deliveries_pending: select/,
  /^SCAN notices USING INDEX sqlite_autoindex_notices_1: .* order by "notices"."id" desc limit \?$/,
]

/** The only ones that read a table from end to end: their answer is that whole table. */
const wholeLists = [
  /select .* from "accounts" where "accounts"."id" > \? order by/,
  /select .* from "projects" order by/,
  /select .* from "keys" .* order by/,
  /select .* from "(models|vendors|vendor_credentials|vendor_states|calibrations|settings)"/,
  /__drizzle_migrations|sqlite_master/,
]

/** Every statement that `work` prepares, once. */
async function prepared(
  work: () => void | Promise<void>,
  by: 'prepare' | 'query' = 'prepare',
): Promise<Set<string>> {
  const seen = new Set<string>()
  const original = Database.prototype[by]
  const spy = spyOn(Database.prototype, by).mockImplementation(function (
    this: Database,
    sql: string,
    ...rest: never[]
  ) {
    seen.add(sql.trim().replaceAll(/\s+/g, ' '))
    return Reflect.apply(original, this, [sql, ...rest]) as ReturnType<Database['prepare']>
  } as typeof original)
  try {
    await work()
  } finally {
    spy.mockRestore()
  }
  return seen
}

/** Steps of statements that read more than they find. */
function scansOf(raw: Database, statements: ReadonlySet<string>) {
  raw.function('in_time', (_column) => 1)
  const scans: string[] = []
  let explained = 0
  for (const sql of statements) {
    if (!/^(select|insert|update|delete|with)/i.test(sql)) continue
    const plan = raw
      .prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
    explained++
    const found = plan.filter((detail) => /^SCAN (?!CONSTANT)/.test(detail))
    const sorts = plan.filter((detail) => detail.includes('USE TEMP B-TREE'))
    // All transfers of a kind are as good as all transfers.
    found.push(...plan.filter((detail) => detail.endsWith('transfers_reference (kind=?)')))
    const whole = wholeLists.some((list) => list.test(sql))
    for (const detail of [...(whole ? [] : found), ...sorts]) scans.push(`${detail}: ${sql}`)
  }
  return { scans, explained }
}

/** Everything that pages ask of an account. */
async function readPages(reader: AccountReader, { account, project, key }: Caller): Promise<void> {
  const any = { account: account.id, project: null, key: null, model: null }
  const days = { fromDay: 0, toDay: 99_999 }
  await reader.projects({ account: account.id, after: null, text: null, max: 10 })
  await reader.projects({ account: account.id, after: null, text: 'web', max: 10 })
  for (const revoked of [false, true])
    await reader.keys({ account: account.id, project: null, before: null, revoked, max: 10 })
  await reader.keyNames(account.id, [key.id])
  await reader.projectNames(account.id, [project.id])
  await reader.lastDays([{ id: key.id, project: project.id, created: 0 as Ms }])
  for (const by of ['model', 'key', 'project'] as const)
    await reader.usage({ ...any, ...days, by, maxGroups: 9, maxDrawn: 5 })
  await reader.usageRows({ ...any, ...days, after: null, max: 10 })
  const span = { from: 0 as Ms, to: (2 ** 46) as Ms }
  await reader.calls({ ...any, ...span, status: null, before: null, max: 10 })
}

test('every query but a whole list finds its rows by an index, whatever the history', async () => {
  using folder = testFolder()
  const statements = await prepared(async () => {
    const storage = folder.open()
    const { ledger, directory, identity, catalogue } = storage
    const caller = await customer(storage, { usd: '1' })
    const { account, project, key } = caller
    const call = opening(caller, folder.clock.now())
    await ledger.commit({ ...noBatch, opened: [call] }, false)
    await ledger.commit(charge(call, 5, true), true)
    await ledger.commit({ ...charge(opening(caller, folder.clock.now()), 5), notices: [due] }, true)
    await balanceIn({ ledger }, account.id)
    await spentIn({ ledger }, { kind: 'key', id: key.id, period: '' })
    await ledger.find(call.id)
    await ledger.sumUp(1)
    const days = { project: project.id, fromDay: 0, toDay: 99_999 }
    for (const group of ['day', 'model', 'key'] as const)
      await storage.reports.usage({ ...days, group })
    await storage.reports.call(call.id, project.id)
    const span = { from: folder.clock.now(), to: folder.clock.now() }
    const any = { account: null, project: null, key: null, model: null, status: null }
    await storage.reports.calls({ ...span, ...any, most: 10 })
    const whole = { account: account.id, from: 0 as Ms, to: (2 ** 46) as Ms }
    expect((await wholeLedger(storage, whole, 1)).pages).toBeGreaterThan(1)
    const statement = { account: account.id, fromDay: 0, toDay: 99_999, before: null, max: 9 }
    void storage.accountReader.statement({ ...statement, by: 'day' })
    await ledger.recover()
    await identity.findByHash('hash-1')
    await identity.findByKey(key.id)
    await directory.setAccount(account.id, { concurrency: 9 })
    await directory.setProject(project.id, { name: 'x' })
    await directory.setKey(key.id, { name: 'x' })
    await directory.findAccount(account.id)
    await directory.findProject(project.id)
    await directory.findKey(key.id)
    await directory.listAccounts()
    await directory.listProjects()
    await directory.listProjects(account.id)
    await directory.listKeys()
    await directory.listKeys(project.id)
    const again = {
      account: account.id,
      amount: nanoUsd(1),
      kind: 'topup',
      reference: 'a',
    } as const
    await directory.deposit(again)
    await directory.deposit(again)
    await catalogue.saveModel(model, [{ meter: 'input', price: '1', unit: 'million' }])
    await catalogue.models()
    await catalogue.removeModel(model.id)
    await catalogue.vendors()
    await catalogue.removeVendor('acme')
    await catalogue.version()
    await catalogue.saveCalibrations(new Map([['a', 1]]), folder.clock.now())
    await catalogue.calibrations()
    const { notices, payments } = storage
    await notices.due('log', folder.clock.now(), folder.clock.now(), 4)
    await notices.nextDue('log')
    await notices.delivered(noticeId, 'log', folder.clock.now())
    await notices.list({ pending: true, most: 100 })
    await notices.list({ pending: false, most: 100 })
    expect(await notices.forget((2 ** 46) as Ms, 100)).toBe(1)
    await payments.setRate('10', 'test')
    await payments.rates(100)
    await payments.list({ account: null, most: 100 })
    await payments.list({ account: account.id, most: 100 })
    const paying = { account: account.id, coins: 50_000, reference: 'b', by: 'test' }
    await payments.pay(paying, () => nanoUsd(1))
    await payments.pay(paying, () => nanoUsd(1))
    const job = videoJob(caller, folder.clock.now())
    await storage.videos.begin(job)
    await storage.videos.open()
    await storage.videos.overdue(job.created, 10)
    await storage.videos.openOf(job.request)
    await storage.videos.countOpen()
    await storage.videos.nextDue()
    const claims = { now: job.created, until: job.created, mostRunning: 1, running: new Map() }
    await storage.videos.claim(claims)
    await storage.videos.find(job.id, project.id)
    await storage.videos.find(job.id, null)
    const page = { project: project.id, most: 10, oldestFirst: false }
    await storage.videos.list({ ...page, after: null })
    await storage.videos.list({ ...page, after: job.id, oldestFirst: true })
    await storage.videos.list({ ...page, project: null, after: null })
    await storage.videos.advance([{ job: { ...job, status: 'failed' }, claimed: null }], false)
    await storage.videos.remove(job)
    storage.version()
    await readPages(storage.accountReader, caller)
  })
  const { scans, explained } = scansOf(folder.raw(), statements)
  expect(scans.filter((scan) => !short.some((each) => each.test(scan)))).toEqual([])
  expect(explained).toBeGreaterThan(30)
})

/** What a page of first accounts goes through: the heads of indexes, and the accounts that are in them. */
const heads = [
  /^SCAN (found|cuts|of\d+|fresh|starts|ends|c|d)\b.*: (WITH RECURSIVE starts|SELECT sum\(CASE WHEN score)/,
  /^USE TEMP B-TREE FOR GROUP BY: WITH RECURSIVE starts/,
]

test('the first accounts by profit are found by the heads of their lists', async () => {
  using folder = testFolder()
  const statements = await prepared(async () => {
    const storage = folder.open()
    const caller = await customer(storage, { usd: '1' })
    await storage.ledger.commit(charge(opening(caller, folder.clock.now()), 1), false)
    await storage.ledger.sumUp(Number.POSITIVE_INFINITY)
    const today = dayNumber(folder.clock.now())
    for (const order of profitOrders)
      for (const fromDay of [today, today - 400])
        await storage.profits.topAccounts({ fromDay, toDay: today, order, max: 10 })
  }, 'query')
  const raw = folder.raw()
  const asked = new Set([...statements].filter((sql) => sql.includes('profit_account_months')))
  const { scans, explained } = scansOf(raw, asked)
  expect(scans.filter((scan) => ![...short, ...heads].some((each) => each.test(scan)))).toEqual([])
  expect(explained).toBeGreaterThan(3)
  const plans = [...asked].flatMap((sql) =>
    raw.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all(),
  )
  for (const order of profitOrders)
    expect(
      plans.some(({ detail }) =>
        detail.includes(`USING COVERING INDEX profit_account_months_${order} (month=?)`),
      ),
    ).toBe(true)
})

test('what operators have to see to is found among everything that ended', async () => {
  using folder = testFolder()
  const statements = await prepared(async () => {
    const storage = folder.open()
    const { account } = await customer(storage, { usd: '1' })
    const page = { before: null, max: 10 }
    for (const of of [null, account.id])
      await storage.cardPayments.list({ ...page, account: of, state: 'started' })
    await storage.verifications.list({ ...page, state: 'submitted' })
    const today = dayNumber(folder.clock.now())
    await storage.operatorReader.serviceSums([{ fromDay: today - 60, toDay: today }])
  })
  const raw = folder.raw()
  const { scans } = scansOf(raw, statements)
  expect(scans.filter((scan) => !short.some((each) => each.test(scan)))).toEqual([])
  const plans = [...statements]
    .filter((sql) => /from "?(card_payments|transfers INDEXED)/i.test(sql))
    .flatMap((sql) => raw.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all())
    .map(({ detail }) => detail)
  for (const index of [
    'INDEX card_payments_state (state=?)',
    'COVERING INDEX transfers_topups (created>? AND created<?)',
  ])
    expect(plans.some((detail) => detail.includes(index))).toBe(true)
})

/** As long as what a person has of their own, or as what runs. */
const ownLists = [
  /^SCAN people: select "id" from "people" order by "people"."id" desc$/,
  /^USE TEMP B-TREE FOR ORDER BY: select .* from "memberships" .* where "memberships"."person" = \?/,
  /^USE TEMP B-TREE FOR ORDER BY: select .* from "bell_notices" .* where \("bell_notices"."person" = \?/,
  /^SCAN requests USING INDEX requests_pending: select count/,
]

test('what is told to people is found by indexes', async () => {
  using folder = testFolder()
  const statements = await prepared(async () => {
    const storage = folder.open()
    const { account, key } = await customer(storage, { usd: '1' })
    const now = folder.clock.now()
    const names = { account: 'Sara', project: 'one' }
    const { person } = await storage.people.begin('+989123456789' as Phone, names)
    await storage.untold({ operators: ['log'], holders: ['holders'] }).tell(now)
    const { holderNotices, holderSettings, accountWebhooks, verifications } = storage
    await storage.notices.add(due)
    const subject = { ...due.notice.subject, account, key: { ...key, prefix: '' } }
    const deliveries = [{ way: 'sms' as const, person, error: null }]
    const notice = { ...due.notice, subject }
    await holderNotices.spread(notice, () => ({ bell: [person], deliveries }), now)
    for (const way of ['sms', 'email', 'webhook'] as const) {
      await holderNotices.due(way, now, now, 10)
      await holderNotices.nextDue(way)
    }
    await holderNotices.delivered({ notice, way: 'sms', person }, now)
    const of = { person, account: account.id }
    await holderNotices.bell(of, { before: null, max: 10 })
    await holderNotices.unread(of)
    await holderNotices.seen(of, noticeId, now)
    await holderSettings.find(person)
    await accountWebhooks.find(account.id)
    await verifications.find(account.id)
    await verifications.forget(now, 10)
    await storage.places(['holders']).visit(person, { hash: 'a', known: ['a'] }, () => notice, now)
    await storage.closings.find(account.id)
    await storage.closings.close(account.id, nanoUsd(0))
  })
  const { scans, explained } = scansOf(folder.raw(), statements)
  const all = [...short, ...ownLists]
  expect(scans.filter((scan) => !all.some((each) => each.test(scan)))).toEqual([])
  expect(explained).toBeGreaterThan(30)
})

test('what is pending is found by its own index, and what has ended is not in it', async () => {
  using folder = testFolder()
  const storage = folder.open()
  const caller = await customer(storage, { usd: '1' })
  for (let i = 0; i < 50; i++)
    await storage.ledger.commit(charge(opening(caller, folder.clock.now()), 1), false)
  const raw = folder.raw()
  const entries = () =>
    raw
      .prepare(`SELECT count(*) FROM requests INDEXED BY requests_pending WHERE status = 'pending'`)
      .values()[0]
  expect(entries()).toEqual([0])
  await storage.ledger.commit({ ...noBatch, opened: [opening(caller, folder.clock.now())] }, false)
  expect(entries()).toEqual([1])
})

test('what a commit writes of each call takes no table of its own', async () => {
  using folder = testFolder()
  const statements = await prepared(async () => {
    await folder.open(true).ledger.sumUp(1)
  })
  const raw = folder.raw()
  const written = [...statements].filter((sql) =>
    /^(INSERT INTO (requests|transfers) |UPDATE requests |UPDATE accounts .* WHERE id = \?$)/.test(
      sql,
    ),
  )
  expect(written.length).toBeGreaterThanOrEqual(5)
  const tables = written.filter((sql) =>
    raw
      .prepare<{ opcode: string }, []>(`EXPLAIN ${sql}`)
      .all()
      .some(({ opcode }) => opcode === 'OpenEphemeral'),
  )
  expect(tables.map((sql) => sql.slice(0, 40))).toEqual([])
})
