import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ReadRefused, type AccountReader } from '../../src/domain/reports/account-reader'
import type { Caller } from '../../src/domain/caller'
import type { Ms } from '../../src/domain/clock'
import { connect } from '../../src/storage/sqlite/connect'
import {
  openThreadReader,
  type ThreadReaderParts,
} from '../../src/business/data/sqlite/reader-thread'
import { charge, customer, opening, testFolder } from './folder'
import { until } from '../support/pace'

const url = new URL('../../src/business/data/sqlite/reader-worker.ts', import.meta.url)

/** A folder with one call, and a reader of it whose threads are counted. */
async function open(parts: Partial<ThreadReaderParts> = {}) {
  const folder = testFolder()
  const storage = folder.open()
  const caller = await customer(storage, { usd: '1' })
  await storage.ledger.commit(charge(opening(caller, folder.clock.now()), 5), false)
  const threads: Worker[] = []
  const faults: unknown[] = []
  const { reader, close } = openThreadReader({
    file: join(folder.path, 'chapar.db'),
    inPlace: { ...storage.accountReader, ...storage.operatorReader },
    onFault: (fault) => void faults.push(fault),
    startThread() {
      const thread = new Worker(url, { ref: false, smol: true })
      threads.push(thread)
      return thread
    },
    ...parts,
  })
  return {
    folder,
    storage,
    caller,
    reader,
    close,
    threads,
    faults,
    [Symbol.dispose]() {
      close()
      folder[Symbol.dispose]()
    },
  }
}

const projectsOf = (reader: AccountReader, { account }: Caller) =>
  reader.projects({ account: account.id, after: null, text: null, max: 9 })

const usageOf = ({ account }: Caller) => ({
  account: account.id,
  project: null,
  key: null,
  model: null,
  fromDay: 0,
  toDay: 99_999,
})

/** So many rows of days that a read of them takes seconds. */
function manyDays(file: string, { project }: Caller): void {
  const connection = connect(file)
  for (const [table, place] of [
    ['usage_zone_days', `n % 4000, 'm'`],
    // What a summary by model is read from.
    ['usage_zone_model_days', `'m' || (n % 4000)`],
  ])
    connection.raw.run(`
      WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1200000)
      INSERT INTO ${table} SELECT ${project.id}, n / 4000, ${place}, 1, 0, 1, 1, 0, 1 FROM n`)
  connection.close()
}

describe('reads in a thread', () => {
  test('say what reads in place say, of everything that is committed by then', async () => {
    using it = await open()
    const { caller, storage, reader, folder } = it
    expect(it.threads).toHaveLength(0)
    const { account, project, key } = caller
    const span = { from: 0 as Ms, to: (2 ** 46) as Ms }
    const any = { account: account.id, project: null, key: null, model: null, status: null }
    const days = { fromDay: 0, toDay: 99_999 }
    const statement = { account: account.id, ...days, before: null, max: 9 }
    const reads: readonly ((from: AccountReader) => Promise<unknown>)[] = [
      (from) => projectsOf(from, caller),
      (from) => from.keys({ ...any, before: null, revoked: false, max: 9 }),
      (from) => from.keyNames(account.id, [key.id]),
      (from) => from.projectNames(account.id, [project.id]),
      (from) => from.lastDays([{ id: key.id, project: project.id, created: 0 as Ms }]),
      (from) => from.usage({ ...usageOf(caller), by: 'key', maxGroups: 9, maxDrawn: 5 }),
      (from) => from.usageRows({ ...usageOf(caller), after: null, max: 9 }),
      (from) => from.projectUsage({ project: project.id, ...days, group: 'day' }),
      (from) => from.statement({ ...statement, by: 'day' }),
      (from) => from.statement({ ...statement, by: 'call' }),
      (from) => from.calls({ ...any, ...span, before: null, max: 9 }),
    ]
    for (let calls = 1; calls < 4; calls++) {
      const all = await Promise.all(reads.map((read) => read(reader)))
      expect(all).toEqual(await Promise.all(reads.map((read) => read(storage.accountReader))))
      expect(all.at(-1)).toMatchObject({ calls: { length: calls } })
      await storage.ledger.commit(charge(opening(caller, folder.clock.now()), 5), false)
      await storage.ledger.sumUp(calls)
    }
    expect(it.threads).toHaveLength(1)
    expect(it.faults).toEqual([])
  })

  test('that last too long are ended in the midst of a statement, and the loop goes on beside them', async () => {
    using it = await open({ maxReadMs: 120 })
    const { caller, reader, folder } = it
    await projectsOf(reader, caller)
    manyDays(join(folder.path, 'chapar.db'), caller)
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const long = reader.usage({ ...usageOf(caller), by: 'model', maxGroups: 9, maxDrawn: 5 })
    expect(await long.then(String, (thrown: unknown) => thrown)).toEqual(
      new ReadRefused('too_long'),
    )
    clearInterval(timer)
    expect(turns).toBeGreaterThan(10)
    // No snapshot is left, and the thread is the same.
    const raw = folder.raw()
    expect(raw.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()).toMatchObject({ busy: 0 })
    expect(await projectsOf(reader, caller)).toHaveLength(1)
    expect(it.threads).toHaveLength(1)
    // Rows of it can be had all the same, some at a time.
    const rows = await reader.usageRows({ ...usageOf(caller), after: null, max: 500 })
    expect(rows).toHaveLength(500)
  })

  test('are refused once too many wait', async () => {
    using it = await open({ maxWaiting: 3 })
    const asked = Array.from({ length: 6 }, () => projectsOf(it.reader, it.caller))
    const said = await Promise.allSettled(asked)
    // One runs, three wait.
    expect(said.map(({ status }) => status)).toEqual([
      ...Array.from({ length: 4 }, () => 'fulfilled' as const),
      ...Array.from({ length: 2 }, () => 'rejected' as const),
    ])
    expect(await projectsOf(it.reader, it.caller)).toHaveLength(1)
  })

  test('of one account neither fill the line nor go before those of another', async () => {
    using it = await open({ maxOfAccount: 20 })
    const other = await customer(it.storage, { usd: '1' })
    await projectsOf(it.reader, it.caller)
    const done: string[] = []
    const noted = (caller: Caller, name: string) =>
      projectsOf(it.reader, caller).then(
        () => done.push(name),
        () => done.push('refused'),
      )
    const asked = Array.from({ length: 30 }, () => noted(it.caller, 'busy'))
    asked.push(noted(other, 'other'))
    await Promise.all(asked)
    // One runs, twenty wait.
    expect(done.filter((each) => each === 'refused')).toHaveLength(9)
    expect(done.filter((each) => each !== 'refused').indexOf('other')).toBeLessThan(3)
  })

  test('go on in a new thread after one was lost: only the read that it was at fails', async () => {
    using it = await open()
    await projectsOf(it.reader, it.caller)
    const asked = Array.from({ length: 4 }, () => projectsOf(it.reader, it.caller))
    it.threads[0]?.terminate()
    const said = await Promise.allSettled(asked)
    expect(said.filter(({ status }) => status === 'rejected').length).toBeLessThanOrEqual(1)
    await until(() => it.faults.length === 1)
    expect(await projectsOf(it.reader, it.caller)).toHaveLength(1)
    expect(it.threads).toHaveLength(2)
  })

  test('fail in words where there is no database, and come in place where threads are forbidden', async () => {
    using broken = await open({ file: '/nowhere/chapar.db' })
    const lost = projectsOf(broken.reader, broken.caller)
    expect(await lost.then(String, String)).toContain('unable to open database')
    using it = await open({
      startThread() {
        throw new TypeError('Failed to spawn worker thread')
      },
    })
    expect(await projectsOf(it.reader, it.caller)).toHaveLength(1)
    expect(it.faults.map(String)).toEqual(['TypeError: Failed to spawn worker thread'])
  })

  test('end with their owner: what waits is refused, and nothing is left beside the database', async () => {
    using it = await open()
    const asked = [projectsOf(it.reader, it.caller), projectsOf(it.reader, it.caller)]
    it.close()
    for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected')
    const late = projectsOf(it.reader, it.caller).then(String, (thrown: unknown) => thrown)
    expect(await late).toEqual(new ReadRefused('too_many'))
    await it.storage.close()
    for (const rest of ['-wal', '-shm'])
      expect(existsSync(join(it.folder.path, `chapar.db${rest}`))).toBe(false)
  })
})

test('a process that serves reads in a thread, and one that does not, or keeps all in memory, in place', async () => {
  using folder = testFolder()
  const serving = folder.open(true)
  const caller = await customer(serving, { usd: '1' })
  manyDays(join(folder.path, 'chapar.db'), caller)
  const asked = { ...usageOf(caller), by: 'model', maxGroups: 9, maxDrawn: 5 } as const
  const turnsWhile = async (reader: AccountReader) => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const summary = await reader.usage(asked).catch(() => null)
    clearInterval(timer)
    return { turns, summary }
  }
  const beside = await turnsWhile(serving.accountReader)
  expect(beside.turns).toBeGreaterThan(50)
  const inPlace = await turnsWhile(folder.open().accountReader)
  expect(inPlace.turns).toBeLessThan(5)
  if (beside.summary !== null) expect(beside).toMatchObject({ summary: inPlace.summary ?? {} })
})
