import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Finding } from '../../src/business/operations/finding'
import { systemClock } from '../../src/domain/clock'
import { nanoUsd } from '../../src/domain/money'
import { writeBackup } from '../../src/business/data/backup/backup'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { openTerminal, type Terminal } from '../cli/terminal'
import { serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { ask } from '../support/gateway'
import { openStandIn, type StandIn } from '../support/stand-in'
import { customer, ending, ledgerOf, opening, testFolder } from './folder'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

test('a damaged byte in the middle of the spool loses the one call that it told of, and is told', async () => {
  using folder = testFolder()
  const storage = folder.open(true)
  const caller = await customer(storage, { usd: '1' })
  const ledger = ledgerOf(storage)
  const ids = ['req_1', 'req_2', 'req_3']
  for (const id of ids) {
    const call = opening(caller, folder.clock.now(), id)
    const hold = await ledger.hold({ caller, amount: nanoUsd(100), opening: call })
    hold.settle(ending(nanoUsd(5)))
    await ledger.spooled()
  }
  await storage.close()
  const file = join(folder.path, 'endings.spool')
  const bytes = readFileSync(file)
  const at = bytes.indexOf('req_2')
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)

  const damages: { readonly bytes: number; readonly copy: string }[] = []
  const next = openStorage({
    folder: folder.path,
    exclusive: true,
    clock: systemClock,
    onSpoolDamaged: (damage) => void damages.push(damage),
  })
  closing.push(() => next.close())
  await next.ledger.recover()
  const found = await Promise.all(ids.map((id) => next.ledger.find(id as never)))
  expect(found.map((each) => each?.cost ?? null)).toEqual([nanoUsd(5), null, nanoUsd(5)])
  expect(damages).toHaveLength(1)
  expect(damages[0]?.bytes).toBeWithin(100, 2000)
  expect(readFileSync(damages[0]?.copy ?? '').equals(bytes)).toBe(true)
  expect((await next.audit()).differences).toEqual([])
})

describe('a data folder', () => {
  let terminal: Terminal
  let backup = ''
  beforeEach(async () => {
    terminal = openTerminal()
    await terminal.run('account', 'create', '--name', 'a')
    backup = join(terminal.data, '..', 'kept.backup')
    await writeBackup(terminal.data, backup, systemClock)
  })
  afterEach(() => terminal.close())

  const database = () => join(terminal.data, 'chapar.db')
  const doctor = async () =>
    (await terminal.run('doctor', '--json')).json<{ data: readonly Finding[] }>().data

  const losses: readonly (readonly [string, () => void])[] = [
    ['is gone', () => rmSync(database())],
    ['is empty', () => truncateSync(database())],
  ]
  const signs: readonly (readonly [string, () => void])[] = [
    ['its key', () => {}],
    [
      'its spool',
      () => {
        rmSync(join(terminal.data, 'secret.key'))
        writeFileSync(join(terminal.data, 'endings.spool'), 'something')
      },
    ],
  ]
  const cases = losses.flatMap(([loss, lose]) =>
    signs.map(([sign, leave]) => [loss, sign, lose, leave] as const),
  )
  test.each(cases)(
    'whose database %s beside %s is refused, with what helps',
    async (_, __, lose, leave) => {
      // It was not made just now, by another process that goes on with the database.
      utimesSync(join(terminal.data, 'secret.key'), 1, 1)
      lose()
      leave()
      expect(() =>
        openStorage({ folder: terminal.data, exclusive: true, clock: systemClock }),
      ).toThrow(/chapar restore FILE --force/)
      const listed = await terminal.run('account', 'list')
      expect(listed.code).toBe(1)
      expect(listed.stderr).toContain('chapar restore FILE')
      expect(await doctor()).toMatchObject([{ state: 'fail', code: 'database_gone' }])
      const restored = await terminal.run('restore', backup, '--force')
      expect([restored.code, restored.stderr]).toEqual([0, ''])
      expect((await terminal.run('account', 'list')).stdout).toContain('a')
    },
  )

  const damages: readonly (readonly [string, (bytes: Buffer) => void])[] = [
    ['in its first bytes', (bytes) => bytes.fill('x', 0, 100)],
    ['in its pages', (bytes) => bytes.fill('x', 2000)],
  ]
  test.each(damages)(
    'whose database is damaged %s says that a backup helps, and it does',
    async (_, damage) => {
      const bytes = readFileSync(database())
      damage(bytes)
      writeFileSync(database(), bytes)
      for (const rest of ['-wal', '-shm']) rmSync(database() + rest, { force: true })
      const listed = await terminal.run('account', 'list')
      expect(listed.code).toBe(1)
      expect(listed.stderr).toContain('chapar restore FILE')
      const restored = await terminal.run('restore', backup, '--force')
      expect([restored.code, restored.stderr]).toEqual([0, ''])
      expect((await terminal.run('account', 'list')).stdout).toContain('a')
    },
  )

  test('with a damaged spool put aside is told by the doctor', async () => {
    writeFileSync(join(terminal.data, 'endings.spool.damaged-1'), 'x')
    const found = (await doctor()).find(({ code }) => code === 'spool_damaged')
    expect(found).toMatchObject({ state: 'fail', facts: { files: 'endings.spool.damaged-1' } })
  })
})

describe('a gateway that serves', () => {
  let data = ''
  let key = ''
  let vendor: StandIn
  let served: Serving
  beforeEach(async () => {
    data = temporaryFolder()
    vendor = openStandIn()
    key = await setUp(data, vendor.url)
    closing.push(() => rmSync(data, { recursive: true, force: true }))
    closing.push(() => vendor.close())
    closing.push(async () => {
      served.kill('SIGKILL')
      await served.exited
    })
  })

  const call = async () =>
    (
      await fetch(`${served.url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify(ask('priced')),
      })
    ).status
  const readiness = async () => (await fetch(served.url.replace(/\/v1$/, '/readyz'))).status
  const until = async (status: number) => {
    while ((await readiness()) !== status) await Bun.sleep(50)
  }

  test('notices that its database was removed or replaced, and that it is back', async () => {
    served = await serve(['--data', data])
    expect(await call()).toBe(200)
    const [file, aside] = [join(data, 'chapar.db'), join(data, 'aside.db')]
    renameSync(file, aside)
    await until(503)
    expect(await call()).toBe(503)
    expect(served.logs()).toContain('database removed while serving')
    expect(served.logs()).toContain('chapar restore FILE')
    renameSync(aside, file)
    await until(200)
    expect(await call()).toBe(200)
    renameSync(file, aside)
    writeFileSync(file, readFileSync(aside))
    await until(503)
    expect(served.logs()).toContain('database replaced while serving')
  })

  test('says at its start which files others can use', async () => {
    const files = [data, join(data, 'chapar.db'), join(data, 'secret.key')]
    chmodSync(data, 0o777)
    for (const file of files.slice(1)) chmodSync(file, 0o644)
    served = await serve(['--data', data])
    const logged = () =>
      served
        .logs()
        .split('\n')
        .find((each) => each.includes('data folder open to others'))
    while (logged() === undefined) await Bun.sleep(20)
    const line = logged() ?? ''
    for (const file of files) expect(line).toContain(file)
    expect(line).toContain('chmod -R go=')
    expect(readdirSync(data).length).toBeGreaterThan(2)
  })
})
