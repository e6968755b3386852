import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { finishRotation, rotateSecrets } from '../../src/business/operators/rotate-secrets'
import { run } from '../support/executable'
import { describeOn } from '../support/postgres'
import { openFleet, type Fleet } from './fleet'
import { pacedSeconds } from '../support/pace'

interface Status {
  readonly generation: number
  readonly waiting: readonly { readonly node: number }[]
  readonly in_file: readonly number[]
  readonly kinds: readonly { readonly kind: string; readonly old: number }[]
}

describeOn('npm', 'a key rotation of machines that share a database', () => {
  let fleet: Fleet
  const keyIn = (name: string) => join(fleet.folder(name), 'secret.key')
  const command = (name: string, ...args: readonly string[]) =>
    run([...args, '--json'], { data: fleet.folder(name), env: { CHAPAR_DATABASE: fleet.url } })
  const statusAt = async (name: string) => (await command(name, 'secret', 'status')).json<Status>()
  const statusOf = async (at: number, secret: string) => (await fleet.call(at, secret)).status

  beforeAll(async () => {
    fleet = await openFleet(['one', 'two'], { ttlSeconds: pacedSeconds(10) })
  })
  afterAll(() => fleet.close())

  test('waits for every node to read the new file, and then loses nothing', async () => {
    const { secret } = await fleet.customer('10')
    const { secret: unused } = await fleet.customer('10')
    for (const at of [0, 1]) expect(await statusOf(at, secret)).toBe(200)
    copyFileSync(keyIn('one'), join(fleet.folder('one'), 'before.key'))

    const first = await command('one', 'secret', 'rotate')
    expect(first.code).toBe(1)
    expect(first.json<object>()).toMatchObject({ in_use: false, waiting: [{}] })
    for (const at of [0, 1]) expect(await statusOf(at, secret)).toBe(200)
    expect((await statusAt('one')).waiting).toHaveLength(1)
    const other = await command('two', 'secret', 'rotate')
    expect(`${other.code} ${other.stdout}`).toContain('lacks generation 2')

    copyFileSync(keyIn('one'), keyIn('two'))
    copyFileSync(keyIn('one'), keyIn('desk'))
    const second = await command('two', 'secret', 'rotate')
    expect(second.json<object>()).toMatchObject({ in_use: true, generation: 2, waiting: [] })
    const load = { isOver: false }
    const statuses: number[] = []
    const calls = Promise.all(
      [0, 1].map(async (at) => {
        while (!load.isOver) statuses.push(await statusOf(at, secret))
      }),
    )
    const oldKeys = async () =>
      (await statusAt('one')).kinds.find(({ kind }) => kind === 'key')?.old
    while ((await oldKeys()) !== 1) await Bun.sleep(100)
    const enough = statuses.length + 20
    while (statuses.length < enough) await Bun.sleep(50)
    load.isOver = true
    await calls
    expect(new Set(statuses)).toEqual(new Set([200]))

    await Bun.sleep(2500)
    const finished = await command('one', 'secret', 'rotate', '--finish', '--yes')
    expect(`${finished.stderr}${finished.stdout}`).toContain('"dropped"')
    expect(finished.json<object>()).toMatchObject({ dropped: [1] })
    for (const at of [0, 1]) expect(await statusOf(at, secret)).toBe(200)
    for (const at of [0, 1]) expect(await statusOf(at, unused)).toBe(401)
    expect((await statusAt('two')).in_file).toEqual([1, 2])
    const trimmed = await command('two', 'secret', 'rotate', '--finish')
    expect(trimmed.json<object>()).toMatchObject({ dropped: [1], revoked: [] })
    expect(await statusOf(1, secret)).toBe(200)
  })

  test('a machine with the file of before is refused', async () => {
    const folder = fleet.folder('late')
    mkdirSync(folder)
    copyFileSync(join(fleet.folder('one'), 'before.key'), join(folder, 'secret.key'))
    const env = { CHAPAR_DATABASE: fleet.url }
    const { code, stderr } = await run(['serve', '--data', folder, '--port', '0'], { env })
    expect(`${code} ${stderr}`).toContain('is not the one of the database')
  })

  test('stores on the database rotate as those of a folder', async () => {
    copyFileSync(keyIn('one'), keyIn('desk'))
    for (const gateway of fleet.gateways.splice(0)) {
      gateway.kill('SIGTERM')
      await gateway.exited
    }
    const { secrets } = fleet.storage
    expect(await rotateSecrets(secrets, { to: null, waitMs: 0 })).toMatchObject({
      state: { number: 3 },
      waiting: [],
    })
    const { secret } = await fleet.customer('1')
    expect(secret).not.toBe('')
    expect((await secrets.counts()).find(({ kind }) => kind === 'key')).toMatchObject({
      count: 2,
      old: 1,
    })
    expect(await finishRotation(secrets, { to: null })).toMatchObject({
      losses: [{ kind: 'key', count: 1 }],
      dropped: [2],
    })
  })
})
