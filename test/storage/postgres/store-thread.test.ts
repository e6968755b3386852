import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ReadRefused } from '../../../src/domain/account-reader'
import { usd } from '../../../src/domain/money'
import { BelowFloor } from '../../../src/domain/movement'
import { readDatabaseAddress } from '../../../src/storage/postgres/address'
import { openPostgresStorage } from '../../../src/storage/postgres/open-storage'
import { postgresBinaries, startPostgres, type PostgresServer } from '../../support/postgres'
import { balanceIn, charge, customer, handClock, opening } from '../folder'

test('x', async () => {
  const clock = handClock()
  const folder = mkdtempSync(join(tmpdir(), 'chapar-test-'))
  const storage = await openPostgresStorage({
    address: readDatabaseAddress(process.env['CHAPAR_TEST_DATABASE']!),
    folder,
    clock,
  })
  console.log(storage.databaseId, Object.keys(storage))
  const c = await customer(storage, { usd: '5' })
  console.log(c, await balanceIn(storage, c.account.id))
  const o = opening(c, clock.now())
  await storage.ledger.commit(charge(o, 1000), true)
  for await (const call of storage.reports.eachCall({
    from: 0 as any,
    to: 9e15 as any,
    account: null,
    project: null,
    key: null,
    model: null,
    status: null,
    most: 10,
  }))
    console.log(call.id)
  const lines: any[] = []
  console.log(
    await storage.reports.ledger({ account: c.account.id, from: 0 as any, to: 9e15 as any }, (l) =>
      lines.push(l),
    ),
    lines.length,
  )
  console.log(await storage.audit())
  const t = performance.now()
  for (let i = 0; i < 300; i++) await storage.directory.account(c.account.id)
  console.log('us', (performance.now() - t) / 0.3)
  const t2 = performance.now()
  for (let i = 0; i < 100; i++) await storage.by('cli' as any).settings.set('x', String(i))
  console.log('write us', (performance.now() - t2) / 0.1)
  await storage.close()
}, 30000)
