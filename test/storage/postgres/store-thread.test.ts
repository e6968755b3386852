import { thrownBy } from '../../support/thrown-by'
import { wholeLedger } from '../whole-ledger'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ms } from '../../../src/domain/clock'
import type { PersonId } from '../../../src/domain/ids'
import { nanoUsd } from '../../../src/domain/money'
import { BelowFloor } from '../../../src/domain/reports/movement'
import { AllowanceExceeded } from '../../../src/business/operators/allowance'
import { readDatabaseAddress } from '../../../src/storage/database-address'
import {
  openPostgresStorage,
  type PostgresStorage,
} from '../../../src/business/data/postgres/open-storage'
import { openDatabase } from '../../../src/storage/postgres/connect'
import { newSessionLock } from '../../../src/storage/postgres/single-session'
import { until } from '../../support/pace'
import { DatabaseFault } from '../../../src/storage/postgres/database-fault'
import { StatementThread } from '../../../src/storage/postgres/blocking-statement'
import type { Storage } from '../../../src/business/data/storage'
import { describeOn, startPostgres, type PostgresServer } from '../../support/postgres'
import {
  balanceIn,
  charge,
  customer,
  memoryStorage,
  opening,
  testFolder,
  type TestFolder,
} from '../folder'
import { systemClock } from '../../../src/domain/clock'
import { guess } from '../../support/guess'
import type { Phone } from '../../../src/domain/phone'
import { PeopleRefusal } from '../../../src/business/users/refusal'
import { EmailRefusal, openEmailCodes } from '../../../src/business/notices/recipients/email-codes'
import { PaymentRefusal } from '../../../src/business/payments/payment-refusal'
import { openRedeem } from '../../../src/business/payments/voucher'
import { openSignInCodes } from '../../../src/business/users/sign-in-codes'

const always = { from: 0 as Ms, to: 9e15 as Ms }
const anyCall = { account: null, project: null, key: null, model: null, status: null }

describeOn('npm', 'stores in a thread', () => {
  let server: PostgresServer
  let folder: TestFolder
  let url: string
  let storage: PostgresStorage
  const faults: unknown[] = []
  const open = (more: { readonly statementTimeoutMs?: number } = {}) =>
    openPostgresStorage({
      ...more,
      address: readDatabaseAddress(url),
      folder: folder.path,
      clock: folder.clock,
      onFault: (fault) => void faults.push(fault),
    })
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
  })
  afterAll(() => server.remove())
  beforeEach(async () => {
    folder = testFolder()
    url = await server.newDatabase()
    storage = await open()
  })
  afterEach(async () => {
    await storage.close()
    folder[Symbol.dispose]()
  })

  test('bound what an operator gives in a day, whichever process gives it', async () => {
    const { account } = await customer(storage, { usd: '1' })
    const beside = await open()
    const allowance = {
      operator: 'operator:reza',
      perAct: nanoUsd(20_000_000_000),
      perDay: nanoUsd(100_000_000_000),
      verificationsPerDay: 1,
    } as const
    const [here, there] = [storage, beside].map((each) => each.by('operator:reza', allowance))
    if (here === undefined || there === undefined) throw new Error('no stores')
    const given = await Promise.allSettled(
      Array.from({ length: 30 }, (_, at) =>
        (at % 2 === 0 ? here : there).directory.deposit({
          account: account.id,
          amount: nanoUsd(7_000_000_000),
          kind: 'topup',
          reference: `gift-${at}`,
        }),
      ),
    )
    await beside.close()
    expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(14)
    const refused = given.flatMap((each): unknown[] =>
      each.status === 'rejected' ? [each.reason] : [],
    )
    expect(refused).toHaveLength(16)
    for (const reason of refused) {
      expect(reason).toBeInstanceOf(AllowanceExceeded)
      expect(reason).toMatchObject({ limit: 'day', max: '100.000000', left: '2.000000' })
    }
    expect(await balanceIn(storage, account.id)).toBe(nanoUsd(99_000_000_000))
  })

  test('keep what they were told, for whoever opens the database next', async () => {
    const { account } = await customer(storage, { usd: '5' })
    await storage.close()
    storage = await open()
    expect(await balanceIn(storage, account.id)).toBe(nanoUsd(5_000_000_000))
    expect(await storage.audit()).toMatchObject({ ok: true, accounts: 1, transfers: 1 })
  })

  test('read on a connection that is there while somebody reads', async () => {
    await storage.close()
    const address = readDatabaseAddress(url)
    const { path, clock } = folder
    storage = await openPostgresStorage({ address, folder: path, clock, readsIdleMs: 300 })
    await using sql = openDatabase({ address, max: 1, name: 'test' })
    const connections = async () => {
      const rows: { name: string }[] = await sql.unsafe(
        `SELECT regexp_replace(application_name, ' \\S+$', '') AS name FROM pg_stat_activity WHERE application_name LIKE 'chapar %'
          AND datname = current_database() ORDER BY 1`,
      )
      return rows.map(({ name }) => name)
    }
    expect(await connections()).toEqual(['chapar stores'])
    for (let time = 0; time < 2; time++) {
      expect(await storage.reports.call('none', null)).toBeNull()
      expect(await connections()).toEqual(['chapar reads', 'chapar stores'])
      while ((await connections()).length > 1) await Bun.sleep(20)
    }
  })

  test('have on a new connection what was set for the one before', async () => {
    const thread = new StatementThread({
      address: readDatabaseAddress(url),
      name: 'idle',
      statementTimeoutMs: 5000,
      idleMs: 50,
      lock: newSessionLock(),
    })
    try {
      thread.ask('SET statement_timeout = 1234', [])
      const backend = () => thread.ask('SELECT pg_backend_pid()', []).rows[0]?.[0]
      const before = backend()
      await Bun.sleep(500)
      expect(thread.ask('SHOW statement_timeout', []).rows).toEqual([['1234ms']])
      expect(backend()).not.toBe(before)
    } finally {
      thread.close()
    }
  })

  test('begin again on a new connection where no answer comes, once the one before is gone', async () => {
    const thread = new StatementThread({
      address: readDatabaseAddress(url),
      name: 'hung',
      statementTimeoutMs: 300,
      idleMs: null,
      lock: newSessionLock(),
      graceMs: 200,
    })
    thread.ask('SET statement_timeout = 1234', [])
    const backend = () => Number(thread.ask('SELECT pg_backend_pid()', []).rows[0]?.[0])
    const hung = backend()
    process.kill(hung, 'SIGSTOP')
    try {
      for (let time = 0; time < 3; time++) expect(backend).toThrow('did not answer')
    } finally {
      process.kill(hung, 'SIGCONT')
    }
    const next = () => {
      try {
        return backend()
      } catch {
        return hung
      }
    }
    await until(() => next() !== hung)
    expect(thread.ask('SHOW statement_timeout', []).rows).toEqual([['1234ms']])
    thread.close()
  })

  test('tell refusals apart by their class, with what they say', async () => {
    const { account } = await customer(storage, { usd: '5' })
    const taking = storage.directory.deposit({
      account: account.id,
      amount: nanoUsd(-9_000_000_000),
      kind: 'adjustment',
      reference: 'too much',
      floor: nanoUsd(0),
    })
    const thrown = await thrownBy(taking)
    expect(thrown).toBeInstanceOf(BelowFloor)
    expect(thrown).toMatchObject({ balance: 5_000_000_000 })
    expect(await balanceIn(storage, account.id)).toBe(nanoUsd(5_000_000_000))
    expect(
      await thrownBy(
        storage.directory.deposit({
          account: 99 as never,
          amount: nanoUsd(1),
          kind: 'topup',
          reference: 'nobody',
        }),
      ),
    ).toEqual(expect.objectContaining({ message: 'there is no account 99' }))
  })

  test('go on after a transaction that failed while it began', async () => {
    const { account } = await customer(storage, { usd: '5' })
    await storage.close()
    storage = await open({ statementTimeoutMs: 300 })
    const topUp = () =>
      storage.directory.deposit({
        account: account.id,
        amount: nanoUsd(1_000_000_000),
        kind: 'topup',
        reference: 'late',
      })
    await using other = openDatabase({ address: readDatabaseAddress(url), max: 1, name: 'test' })
    await other.begin(async (held) => {
      await held.unsafe('SELECT 1 FROM world WHERE id = 1 FOR UPDATE')
      expect(await thrownBy(topUp())).toMatchObject({ code: '57014' })
    })
    await topUp()
    expect(await balanceIn(storage, account.id)).toBe(nanoUsd(6_000_000_000))
  })

  test('audit for as long as it takes, and keep no page waiting', async () => {
    const { account } = await customer(storage, { usd: '5' })
    await storage.close()
    storage = await open({ statementTimeoutMs: 300 })
    await using other = openDatabase({ address: readDatabaseAddress(url), max: 1, name: 'test' })
    const { audited } = await other.begin(async (held) => {
      await held.unsafe('LOCK TABLE transfers IN ACCESS EXCLUSIVE MODE')
      const begun = storage.audit()
      await Bun.sleep(1200)
      expect((await storage.accountReader.keyNames(account.id, [])).size).toBe(0)
      return { audited: begun }
    })
    expect((await audited).differences).toEqual([])
  })

  test('ask back in the middle of a transaction, and undo it when that throws', async () => {
    const seen: unknown[] = []
    class Refused extends Error {}
    const deciding = storage.signIn.check('+989120000000' as never, always.from, (facts) => {
      seen.push(facts)
      throw new Refused('no')
    })
    expect(await thrownBy(deciding)).toBeInstanceOf(Refused)
    expect(seen).toEqual([{ codes: [], places: [] }])
  })

  test('keep sign-in codes, places of numbers and their counts', async () => {
    const phone = '+989120000002' as Phone
    const codes = openSignInCodes({
      store: storage.signIn,
      clock: systemClock,
      pepper: storage.pepper,
      limits: () => ({ lifeMs: 120_000, perServiceHour: 100 }),
      wrongAlarm: () => 1000,
      onAlarm: () => Promise.resolve(),
    })
    const browser = (token: string) => ({ address: '192.0.2.1', token })
    const issued: string[] = []
    for (const token of ['a', 'b', 'c', 'd', 'e'])
      issued.push((await codes.issue(phone, browser(token))).code ?? '')
    const [first = '', , , , last = ''] = issued
    const check = (code: string, token: string) =>
      thrownBy(codes.check(guess, { phone, code }, browser(token)))
    expect(await check(last, 'a')).toBeNull()
    expect(
      await check(
        first.replace(/.$/, (digit) => `${(Number(digit) + 1) % 10}`),
        'a',
      ),
    ).toEqual(new PeopleRefusal('code_wrong', { left: 9 }))
    expect(await check(first, 'a')).toBeNull()
    await codes.remember(phone, browser('a'))
    expect(await codes.knownBrowser(phone, browser('a'))).toStartWith('browser:')
    await codes.unsent(phone, browser('b'))
    expect(await storage.signInLimits.unlock(phone)).toEqual({ codes: 4, wrong: 1 })
  })

  test('refuse codes by refusals that are told apart', async () => {
    const { account } = await customer(storage, { usd: '5' })
    const phone = '+989120000003' as Phone
    const { person } = await storage.people.begin(phone, { account: 'a', project: 'p' })
    const redeem = openRedeem({
      store: storage.redeemCodes,
      hashesOf: (code) => [code],
      wrongAlarm: () => 1000,
      onAlarm: () => Promise.resolve(),
      onRedeemed: () => {},
    })
    const who = { account: account.id, person, address: '192.0.2.1' }
    expect(await thrownBy(redeem(guess, who, '1'.repeat(20)))).toBeInstanceOf(PaymentRefusal)
    const emailCodes = openEmailCodes({
      store: storage.holderSettings,
      clock: systemClock,
      pepper: storage.pepper,
      parse: (typed) => typed,
      send: () => Promise.resolve(),
    })
    expect(await thrownBy(emailCodes.check(guess, person, '1'))).toBeInstanceOf(EmailRefusal)
  })

  test('give lists one after the other, and large ones whole', async () => {
    const caller = await customer(storage, { usd: '5' })
    const calls = Array.from({ length: 250 }, () => opening(caller, folder.clock.now()))
    for (const call of calls) await storage.ledger.commit(charge(call, 7), false)
    const found: string[] = []
    for await (const { id } of storage.reports.eachCall({ ...always, ...anyCall, most: 1000 }))
      found.push(id)
    expect(found.toSorted()).toEqual(calls.map(({ id }) => id).toSorted() as string[])
    const { id: account } = caller.account
    let deposits = 0
    const ledger = await wholeLedger(storage, { ...always, account }, 100, async () => {
      const deposit = { account, amount: nanoUsd(7), kind: 'topup', reference: `${++deposits}` }
      await storage.directory.deposit(deposit as never)
    })
    expect(deposits).toBe(2)
    expect(ledger.lines).toHaveLength(251)
    const moved = ledger.lines.reduce((sum, { amount }) => sum + amount, 0)
    expect([ledger.opening, Number(ledger.closing)]).toEqual([0, moved])
    const text = 'x'.repeat(3_000_000)
    await storage.settings.set('service-name', text)
    expect(await storage.settings.get('service-name')).toBe(text)
  })

  test('never do half of a transaction whose connection is lost, and go on with the next', async () => {
    const { account } = await customer(storage, { usd: '5' })
    const deciding = storage.signIn.check('+989120000001' as never, always.from, () => {
      // The answer is awaited by the thread: nothing of this process could be in between.
      Bun.spawnSync([process.execPath, '-e', endEverybody], { env: { ...process.env, URL: url } })
      return { code: null, wrongOf: null, wasWrong: false, answer: true }
    })
    expect(await thrownBy(deciding)).toBeInstanceOf(DatabaseFault)
    expect(await balanceIn(storage, account.id)).toBe(nanoUsd(5_000_000_000))
    expect((await storage.audit()).ok).toBe(true)
  })

  test('refuse a secret that is not the database’s', async () => {
    using other = testFolder()
    writeFileSync(join(other.path, 'secret.key'), new Uint8Array(64))
    expect(
      await thrownBy(
        openPostgresStorage({
          address: readDatabaseAddress(url),
          folder: other.path,
          clock: folder.clock,
        }),
      ),
    ).toEqual(
      expect.objectContaining({
        message: expect.stringMatching(
          /is not the one of the database: copy that of a machine/,
        ) as string,
      }),
    )
  })

  test('make no secret for a database that has one', async () => {
    const empty = join(folder.path, 'empty')
    mkdirSync(empty)
    const opening = openPostgresStorage({
      address: readDatabaseAddress(url),
      folder: empty,
      clock: folder.clock,
    })
    expect(await thrownBy(opening)).toEqual(
      expect.objectContaining({
        message: expect.stringContaining(`no secret.key in ${empty}: copy that of`) as string,
      }),
    )
    expect(readdirSync(empty)).toEqual([])
  })

  test('two processes that pay at once pay once', async () => {
    const other = await open()
    try {
      const { account } = await customer(storage)
      const paying = (from: Storage, n: number) =>
        from.directory.deposit({
          account: account.id,
          amount: nanoUsd(1000),
          kind: 'topup',
          reference: `payment ${n}`,
        })
      const all = Array.from({ length: 20 }, (_, n) => [paying(storage, n), paying(other, n)])
      const paid = await Promise.all(all.flat())
      expect(paid.filter(({ repeated }) => repeated)).toHaveLength(20)
      expect(await balanceIn(storage, account.id)).toBe(nanoUsd(20_000))
      expect((await storage.audit()).ok).toBe(true)
    } finally {
      await other.close()
    }
  })

  test('are lost with the database, and found again with it', async () => {
    const { account } = await customer(storage, { usd: '5' })
    await server.stop('immediate')
    expect(await thrownBy(balanceIn(storage, account.id))).toBeInstanceOf(DatabaseFault)
    await server.start()
    expect(await balanceIn(storage, account.id)).toBe(nanoUsd(5_000_000_000))
  })

  test('say what SQLite says where nobody asks otherwise', async () => {
    const lite = memoryStorage(folder.clock)
    try {
      expect(await said(storage)).toEqual(await said(lite))
    } finally {
      await lite.close()
    }
  })
})
const endEverybody = `
  const sql = new Bun.SQL(process.env.URL, { max: 1 })
  await sql.unsafe('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()')
  process.exit(0)`

/** What storage answers to what other tests of stores leave out. */
async function said(storage: Storage): Promise<unknown> {
  const caller = await customer(storage, { usd: '5' })
  const { account } = caller
  for (let call = 1; call <= 5; call++)
    await storage.ledger.commit(
      charge(opening(caller, 1_795_176_000_000 as Ms, `req_same${call}`), call % 2 ? call * 11 : 0),
      false,
    )
  const { reports, catalogue, operatorAccess, operators, refusals, service, settings } = storage
  const person = 1 as PersonId
  return {
    calls: await reports.calls({ ...always, ...anyCall, most: 3 }),
    counted: await reports.countCalls({ ...always, ...anyCall }),
    alias: [await catalogue.alias('none'), await catalogue.model('none')],
    vendor: await catalogue.vendor('none'),
    ended: await operatorAccess.endAll(1 as never),
    sessions: await operatorAccess.sessions(1 as never, always.from),
    keys: await operators.keys(),
    refused: await refusals.list({ ...always, account: account.id, project: null, key: null }),
    service: [await service.read(), await settings.get('service-zone')],
    webhooks: [
      await storage.accountWebhooks.remove(person, account.id),
      await storage.holderSettings.removeEmail(person),
    ],
    gateways: await storage.cardGateways.remove('none'),
    proposals: await storage.prices.proposals('pending'),
    sums: await storage.operatorReader.serviceSums([{ fromDay: 20_000, toDay: 21_000 }]),
    verifications: await storage.verifications.list({ state: 'submitted', before: null, max: 5 }),
    samples: await storage.notices.removeSamples(),
    usage: await storage.accountReader.usage({
      account: account.id,
      fromDay: 20_000,
      toDay: 21_000,
      project: null,
      key: null,
      model: null,
      by: 'model',
      maxGroups: 5,
      maxDrawn: 5,
    }),
  }
}
