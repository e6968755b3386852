import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addVendor } from '../../src/business/catalogue/vendors'
import { checkPricesInThread } from '../../src/server/price-checks/price-check-thread'
import { systemClock } from '../../src/domain/clock'
import { systemNoticeId, systemPaymentId } from '../../src/domain/ids'
import { nanoUsd } from '../../src/domain/money'
import { sampleNotice } from '../../src/business/notices/sample'
import { readDatabaseAddress } from '../../src/storage/database-address'
import { exchangedLedger } from '../../src/ledger/postgres/exchanged-sums'
import {
  openPostgresStorage,
  type PostgresStorage,
} from '../../src/business/data/postgres/open-storage'
import { DutyLost, underClaim } from '../../src/ledger/postgres/duty-fencing'
import { databaseIn } from '../../src/storage/files/data-folder'
import { connectPostgres } from '../../src/storage/postgres/blocking-connection'
import { by, litellmMap, openaiVendor, publicPrices } from '../pricing/check-desk'
import { thrownBy } from '../support/thrown-by'
import { describeOn, startPostgres, type PostgresServer } from '../support/postgres'
import { paced } from '../support/pace'

const ttlMs = paced(1500)
const duties = ['notices', 'payments', 'prices', 'vendors']

describeOn('npm', 'what one process does for all', () => {
  let server: PostgresServer
  let url: string
  let home: string
  let storage: PostgresStorage
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
    url = await server.newDatabase()
    home = mkdtempSync(join(tmpdir(), 'chapar-duties-'))
    mkdirSync(join(home, 'desk'))
    storage = await openPostgresStorage({
      address: readDatabaseAddress(url),
      folder: join(home, 'desk'),
      clock: systemClock,
      ledger: exchangedLedger,
    })
  })
  afterAll(async () => {
    await storage.close()
    await server.remove()
    rmSync(home, { recursive: true, force: true })
  })

  /** A process with a folder of its own, and what it said. */
  const begin = (mark: string, payment: string) => {
    const folder = join(home, mark)
    mkdirSync(folder)
    copyFileSync(join(home, 'desk', 'secret.key'), join(folder, 'secret.key'))
    const goFile = join(home, `${mark}.go`)
    const order = { url, folder, ttlMs, mark, payment, goFile }
    const run = Bun.spawn(
      [process.execPath, join(import.meta.dir, 'duty-child.ts'), JSON.stringify(order)],
      { stdout: 'pipe', stderr: 'inherit' },
    )
    let said = ''
    const heard = (async () => {
      const decoder = new TextDecoder()
      for await (const bytes of run.stdout) said += decoder.decode(bytes, { stream: true })
    })()
    const has = (words: readonly string[]) => words.every((word) => said.includes(`${word}\n`))
    return {
      pid: run.pid,
      go: () => writeFileSync(goFile, ''),
      async says(...words: readonly string[]) {
        while (!has(words)) {
          if (run.exitCode !== null) await heard
          if (run.exitCode !== null && !has(words)) throw new Error(`it ended, and said ${said}`)
          await Bun.sleep(5)
        }
      },
      said: () => said.split('\n').filter((line) => /^(?:written|refused|failed) /.test(line)),
      end: async () => {
        run.kill('SIGKILL')
        await heard
      },
    }
  }

  const payment = async () => {
    const { id: account } = await storage.directory.createAccount({ name: 'a', verified: true })
    const id = systemPaymentId()
    const now = systemClock.now()
    await storage.cardPayments.begin(
      {
        id,
        account,
        person: null,
        gateway: 'bank',
        kind: 'zarinpal',
        amount: nanoUsd(1_000_000_000),
        coins: null,
        charge: { currency: 'irr', amount: 1_000_000 },
        receipt: null,
        card: null,
        created: now,
        due: now,
      } as never,
      { since: now, max: 10 },
    )
    return id
  }

  test('whoever was frozen and lost it writes nothing under its old claim', async () => {
    const paid = await payment()
    const notice = sampleNotice(systemNoticeId(), systemClock.now())
    await storage.notices.add({ notice, channels: ['desk'] })
    const first = begin('first', paid)
    await first.says(...duties.map((duty) => `begun ${duty}`))
    const second = begin('second', paid)
    try {
      // It lives for a whole lease before it may take over.
      await Bun.sleep(1.5 * ttlMs)
      expect(second.said()).toEqual([])
      process.kill(first.pid, 'SIGSTOP')
      await second.says(...duties.map((duty) => `begun ${duty}`))
      second.go()
      await second.says(...duties.map((duty) => `written ${duty}`))
      first.go()
      process.kill(first.pid, 'SIGCONT')
      await first.says(...duties.map((duty) => `refused ${duty}`))
    } finally {
      await Promise.all([first.end(), second.end()])
    }
    const [listed] = await storage.notices.list({ pending: true, most: 10 })
    expect(listed?.deliveries).toMatchObject([{ attempts: 1, error: 'second' }])
    expect(await storage.cardPayments.find(paid)).toMatchObject({ code: 'second' })
    expect(await storage.priceChecks.read()).toMatchObject({ seen: ['second'] })
    const shared = (await storage.vendorStates.all()).find(({ vendor }) => vendor === 'shared')
    expect(shared?.failureCode).toBe('second')
  })

  test('a claim that another process has by now writes nothing', async () => {
    const none = storage.under({ duty: 'prices', node: 999, claim: 1 })
    const lost = await thrownBy(none.priceChecks.write({ at: 2, sources: [], seen: ['nobody'] }))
    expect(lost).toBeInstanceOf(DutyLost)
    expect((await storage.priceChecks.read())?.seen).not.toEqual(['nobody'])
  })

  test('what throws under a claim leaves nothing of it behind', async () => {
    const connection = connectPostgres({ address: readDatabaseAddress(url), name: 'test' })
    try {
      const { raw } = connection
      raw.run(`INSERT INTO duties (name, node, claim, until) VALUES ('mine', 7, 3, 0)`)
      const rename = (name: string) =>
        void raw.run(`UPDATE duties SET node = 8 WHERE name = '${name}'`)
      const claim = { duty: 'mine', node: 7, claim: 3 }
      const failing = async () => {
        rename('mine')
        throw new RangeError('no more')
      }
      expect(() => underClaim(connection, claim, failing)).toThrow(RangeError)
      underClaim(connection, claim, async () => rename('mine'))
      expect(() => underClaim(connection, claim, () => {})).toThrow(DutyLost)
    } finally {
      connection.close()
    }
  })

  test('public prices are compared with the catalogue of the database', async () => {
    const parts = { storage, discovery: { found: [], local: [] }, sandbox: async () => false }
    await addVendor(parts, openaiVendor, { marginPercent: null, by })
    const map = join(home, 'map.json')
    writeFileSync(map, litellmMap({ ...publicPrices, 'gpt-4o': { input: 3, output: 10 } }))
    const folder = join(home, 'desk')
    const check = await checkPricesInThread({
      folder,
      database: readDatabaseAddress(url),
      claim: null,
      actor: 'service',
      sources: [map],
      whole: true,
      policy: 'off',
      discovery: parts.discovery,
      sandbox: false,
    })
    expect(check.proposed).toMatchObject([{ kind: 'cost', model: 'gpt-4o' }])
    expect([...(await storage.prices.state()).pendingCosts.keys()]).toEqual(['main gpt-4o'])
    expect(existsSync(databaseIn(folder))).toBe(false)
  })
})
