import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { nanoUsd } from '../../src/domain/money'
import { writeBackup } from '../../src/business/data/backup/backup'
import { restoreBackup } from '../../src/business/data/backup/restore'
import type { Storage } from '../../src/business/data/storage'
import { customer, ending, ledgerOf, opening, testFolder, balanceIn } from './folder'

/** A data folder whose process died when two calls were charged and none committed; one more runs. */
async function killed() {
  const folder = testFolder()
  const storage = folder.open(true)
  const caller = await customer(storage, { usd: '1' })
  const ledger = ledgerOf(storage)
  const begin = (id: string) =>
    ledger.hold({ caller, amount: nanoUsd(100), opening: opening(caller, folder.clock.now(), id) })
  const pending = await begin('req_1')
  await begin('req_3')
  await ledger.flush()
  pending.settle(ending(nanoUsd(5)))
  ;(await begin('req_2')).settle(ending(nanoUsd(7)))
  await ledger.spooled()
  await storage.close()
  const file = join(folder.path, 'endings.spool')
  return { folder, caller, file, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

const costsIn = (storage: Storage) =>
  Promise.all(['req_1', 'req_2', 'req_3'].map((id) => storage.ledger.find(id as never)))
const cost = (status: string, nanos: number) => ({ status, cost: nanoUsd(nanos) })
const paid = [cost('success', 5), cost('success', 7), cost('error', 0)]

describe('after a kill', () => {
  test('what the spool holds is charged, once, and what was pending ends', async () => {
    using it = await killed()
    for (let start = 0; start < 2; start++) {
      const storage = it.folder.open(true)
      expect(await storage.ledger.recover()).toBe(start === 0 ? 3 : 0)
      expect(await costsIn(storage)).toEqual(paid)
      expect(await balanceIn(storage, it.caller.account.id)).toBe(nanoUsd(1_000_000_000 - 12))
      expect(await storage.audit()).toMatchObject({ ok: true, pending: 0, spooled: 0, requests: 3 })
      await storage.close()
    }
  })

  test('a balance that was lowered meanwhile is left at zero: the service bears the rest', async () => {
    using it = await killed()
    const { id: account } = it.caller.account
    const storage = it.folder.open(true)
    const lower = { account, kind: 'adjustment', reference: 'all but 10' } as const
    await storage.directory.deposit({ ...lower, amount: nanoUsd(10 - 1_000_000_000) })
    await storage.ledger.recover()
    expect(await costsIn(storage)).toEqual(paid)
    expect(await balanceIn(storage, account)).toBe(nanoUsd(0))
    expect(await storage.audit()).toMatchObject({ ok: true, pending: 0, spooled: 0 })
  })

  test('what a running call owed is charged too', async () => {
    using it = await killed()
    const storage = it.folder.open(true)
    await storage.ledger.recover()
    const ledger = ledgerOf(storage)
    const created = it.folder.clock.now()
    const { usage, vendor, vendorModel } = ending(nanoUsd(9))
    const hold = await ledger.hold({
      caller: it.caller,
      amount: nanoUsd(100),
      opening: opening(it.caller, created, 'req_4'),
    })
    for (const nanos of [3, 9]) hold.owe({ usage, vendor, vendorModel, cost: nanoUsd(nanos) })
    await storage.close()
    const next = it.folder.open(true)
    await next.ledger.recover()
    expect(await next.ledger.find('req_4' as never)).toEqual(cost('error', 9))
    expect(await next.audit()).toMatchObject({ ok: true, pending: 0, spooled: 0 })
  })

  test('the audit of a stopped folder counts what waits', async () => {
    using it = await killed()
    expect(await it.folder.open().audit()).toMatchObject({ ok: true, spooled: 2, spooledCost: 12 })
  })

  test('nothing of it is written over before it is replayed', async () => {
    using it = await killed()
    const storage = it.folder.open(true)
    const ledger = ledgerOf(storage)
    const call = opening(it.caller, it.folder.clock.now(), 'req_4')
    ;(await ledger.hold({ caller: it.caller, amount: nanoUsd(10), opening: call })).settle(
      ending(nanoUsd(1)),
    )
    await ledger.spooled()
    expect((await storage.audit()).spooled).toBe(3)
    await ledger.close()
    expect((await storage.audit()).spooled).toBe(2)
  })

  test('a spool of another database is set aside, not replayed', async () => {
    using it = await killed()
    using other = testFolder()
    await other.open(true).close()
    writeFileSync(join(other.path, 'endings.spool'), readFileSync(it.file))
    const storage = other.open(true)
    expect(await storage.ledger.recover()).toBe(0)
    expect(readdirSync(other.path).filter((name) => name.startsWith('endings.spool'))).toEqual([
      'endings.spool.2026-11-20T12-00-00-000Z',
    ])
  })
})

describe('the file', () => {
  test('is its owner’s alone, does not grow with what is committed, and goes with its process', async () => {
    using it = await killed()
    const storage = it.folder.open(true)
    await storage.ledger.recover()
    const spool = storage.endings
    for (let round = 0; round < 6; round++) spool?.append('x'.repeat(1_000_000))
    spool?.clear()
    expect(statSync(it.file).size).toBeLessThan(1_000_000)
    expect(statSync(it.file).mode & 0o777).toBe(0o600)
    spool?.close(true)
    expect(existsSync(it.file)).toBe(false)
  })
})

test('lines of the same length over older ones leave nothing of those to be read', async () => {
  using it = await killed()
  const storage = it.folder.open(true)
  await storage.ledger.recover()
  const ledger = ledgerOf(storage)
  const end = async (id: string) => {
    const call = opening(it.caller, it.folder.clock.now(), id)
    const hold = await ledger.hold({ caller: it.caller, amount: nanoUsd(10), opening: call })
    hold.settle(ending(nanoUsd(1)))
  }
  for (const id of ['req_4', 'req_5', 'req_6']) await end(id)
  await ledger.spooled()
  await ledger.flush()
  await end('req_7')
  await ledger.spooled()
  await storage.close()
  // Were they read, the older ones would wait again in a database that does not know them.
  const raw = it.folder.raw()
  raw.run(`DELETE FROM requests WHERE id IN ('req_4', 'req_5', 'req_6')`)
  expect(await it.folder.open().audit()).toMatchObject({ spooled: 1, spooledCost: nanoUsd(1) })
})

describe('a backup', () => {
  test('of a folder whose process was killed has what waited, and puts what was there aside', async () => {
    using it = await killed()
    using other = await killed()
    const file = join(it.folder.path, 'backup')
    await writeBackup(it.folder.path, file, it.folder.clock)
    const { before } = restoreBackup(file, other.folder.path, {
      replace: true,
      clock: other.folder.clock,
    })
    expect(existsSync(join(before ?? '', 'endings.spool'))).toBe(true)
    expect(existsSync(other.file)).toBe(false)
    const storage = other.folder.open(true)
    expect(await storage.ledger.recover()).toBe(0)
    expect(await costsIn(storage)).toEqual(paid)
  })
})
