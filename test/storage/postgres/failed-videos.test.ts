import { afterAll, beforeAll, expect, test } from 'bun:test'
import { systemClock } from '../../../src/domain/clock'
import { systemIds } from '../../../src/domain/ids'
import { nanoUsd } from '../../../src/domain/money'
import { carriedOutcome } from '../../../src/gateway/endpoints/videos/contract'
import { openLeasedLedger } from '../../../src/ledger/leased/leased-ledger'
import { readDatabaseAddress } from '../../../src/storage/database-address'
import { exchangedLedger } from '../../../src/ledger/postgres/exchanged-sums'
import { registerNode } from '../../../src/ledger/postgres/nodes'
import { openPostgresStorage } from '../../../src/business/data/postgres/open-storage'
import { openSumWriter } from '../../../src/ledger/postgres/aggregate'
import { videoJob } from '../../endpoints/videos/job'
import { ending, opening, testFolder } from '../../storage/folder'
import { describeOn, startPostgres, type PostgresServer } from '../../support/postgres'
import { engineOn, newCaller, openTestDatabase, ttlMs } from './database'

const settings = {
  kycCeiling: nanoUsd(2_000_000_000),
  serviceDayCapacity: null,
  flushMs: 10,
  pendingAfterMs: 500,
}
const onFault = (fault: unknown): never => {
  throw fault
}

describeOn('npm', 'videos that fail on PostgreSQL', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres({ fsync: 'off' })
  })
  afterAll(() => server.remove())

  test.each(['before their calls are summed', 'after it'])(
    'count as errors once, %s',
    async (when) => {
      using folder = testFolder()
      const url = await server.newDatabase()
      await using sql = await openTestDatabase(url)
      const caller = await newCaller(sql, 1_000_000_000)
      const { id, started } = await registerNode(sql, { ttlMs, version: 'test', address: '' })
      const ledger = openLeasedLedger({
        node: id,
        engine: engineOn(sql, { started }, { zoneDay: () => 1 }),
        settings,
        beatMs: null,
        now: () => performance.now(),
        onFault,
      })
      const storage = await openPostgresStorage({
        address: readDatabaseAddress(url),
        folder: folder.path,
        clock: systemClock,
        ledger: exchangedLedger,
        onFault,
      })
      const order = async (cost: number, isAccepted: boolean) => {
        const begun = opening(caller, systemClock.now(), systemIds.request())
        const call = { ...begun, endpoint: 'videos' as const }
        const job = videoJob(caller, call.created, { request: call.id, cost: nanoUsd(cost) })
        await storage.videos.begin(job)
        const accepted = isAccepted ? { ...job, status: 'queued' as const, vendor: 'films' } : null
        const hold = await ledger.hold({ caller, amount: nanoUsd(100), opening: call })
        hold.carry(carriedOutcome({ id: job.id, accepted }))
        const vendor = isAccepted ? 'films' : null
        const status = isAccepted ? 'success' : 'error'
        hold.settle(ending(nanoUsd(cost), { status, vendor }))
        return accepted
      }
      const jobs = [await order(70, true), await order(0, true)]
      for (const refused of [false, false]) await order(0, refused)
      await order(70, true)
      await ledger.close()
      const sums = openSumWriter()
      const sumUp = async () => {
        for (let round = 0; round < 3; round++) await sums.write(sql)
      }
      if (when === 'after it') await sumUp()
      const changes = jobs.flatMap((job) =>
        job === null
          ? []
          : [{ job: { ...job, status: 'failed', error: 'video_failed' } as const, claimed: null }],
      )
      expect(await storage.videos.advance(changes, true)).toHaveLength(1)
      expect(await storage.videos.advance(changes, true)).toEqual([])
      const { account, project } = caller
      const days = { project: project.id, fromDay: 0, toDay: 99_999, group: 'day' } as const
      const told = async () => (await storage.reports.usage(days)).map(({ errors }) => errors)
      await sumUp()
      expect(await told()).toEqual([4])
      const page = { account: account.id, project: null, key: null, model: null, before: null }
      const { calls } = await storage.accountReader.calls({
        ...page,
        from: 0 as never,
        to: (systemClock.now() + 1000) as never,
        max: 9,
        status: 'error',
      })
      const errors = calls.map(({ error }) => error ?? 'refused')
      expect(errors.toSorted()).toEqual(['refused', 'refused', 'video_failed', 'video_failed'])
      expect(await storage.audit()).toMatchObject({ ok: true, differences: [] })
      await storage.close()
    },
  )
})
