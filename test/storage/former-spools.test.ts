/** A data folder that a release with worker processes served last. */
import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nanoUsd } from '../../src/domain/money'
import { spoolHead, spoolLine } from '../../src/ledger/spool-record'
import { formerWorkersEnded } from '../../src/business/data/former-spools'
import { databaseId } from '../../src/storage/sqlite/database-id'
import { connect } from '../../src/storage/sqlite/connect'
import { balanceIn, charge, customer, ending, noBatch, opening, testFolder } from './folder'

const held = nanoUsd(100)

/** Two workers were killed: one had charged two calls that nobody wrote, one was serving a pending call. */
async function served() {
  const folder = testFolder()
  const storage = folder.open(true)
  const caller = await customer(storage, { usd: '1' })
  const at = folder.clock.now()
  const [first, second, pending, written] = ['1', '2', '3', '4'].map((id) =>
    opening(caller, at, `req_${id}`),
  )
  if (!first || !second || !pending || !written) throw new Error('no calls')
  await storage.ledger.commit({ ...noBatch, opened: [pending] }, false)
  await storage.ledger.commit(charge(written, 9), false)
  await storage.close()
  const connection = connect(join(folder.path, 'chapar.db'))
  const database = databaseId(connection)
  connection.close()
  const spool = (worker: string, half: string, records: Parameters<typeof spoolLine>[0]) => {
    const place = join(folder.path, 'fronts', worker, half)
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'endings.spool'), spoolHead(database) + spoolLine(records))
  }
  spool('3', 'a', [{ opening: first, held, ending: ending(nanoUsd(5)) }])
  spool('3', 'b', [{ opening: second, held, ending: ending(nanoUsd(7)) }])
  spool('12', 'a', [{ opening: written, held, ending: ending(nanoUsd(9)) }])
  return { folder, account: caller.account.id, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

describe('a folder that worker processes served last', () => {
  test('is charged what they left, once, and keeps nothing of them', async () => {
    using it = await served()
    for (let start = 0; start < 2; start++) {
      const storage = it.folder.open(true)
      expect(await storage.ledger.recover()).toBe(start === 0 ? 3 : 0)
      expect(await balanceIn(storage, it.account)).toBe(nanoUsd(1_000_000_000 - 21))
      expect(await storage.audit()).toMatchObject({ ok: true, pending: 0, spooled: 0, requests: 4 })
      await storage.close()
      expect(existsSync(join(it.folder.path, 'fronts'))).toBe(false)
    }
  })

  test('is not taken before those that still run have ended', async () => {
    using it = await served()
    const worker = Bun.spawn(['sleep', '30'])
    const start = readFileSync(`/proc/${worker.pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19]
    writeFileSync(join(it.folder.path, 'fronts', '3', 'pid'), `${worker.pid} ${start}`)
    expect(await formerWorkersEnded(it.folder.path, 100)).toBe(false)
    const ended = formerWorkersEnded(it.folder.path, 10_000)
    worker.kill('SIGKILL')
    expect(await ended).toBe(true)
  })
})
