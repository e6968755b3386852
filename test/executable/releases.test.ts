/** A release and the one after it on one data folder, by turns. */
import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { run, serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { nextRelease, type NextRelease } from '../support/next-release'
import { openStandIn, replies, type StandIn } from '../support/stand-in'

let data: string
let vendor: StandIn
let key: string
let next: NextRelease
const running: Serving[] = []

beforeEach(async () => {
  data = join(temporaryFolder(), 'data')
  vendor = openStandIn(replies())
  key = await setUp(data, vendor.url)
})
afterEach(async () => {
  for (const each of running.splice(0)) {
    each.kill('SIGKILL')
    await each.exited
  }
  await vendor.close()
  next.remove()
  rmSync(data, { recursive: true, force: true })
})

const begin = async (command?: readonly string[]): Promise<Serving> => {
  const serving = await serve(['--data', data], {}, [], command)
  running.push(serving)
  return serving
}
const stop = async (serving: Serving): Promise<void> => {
  serving.kill('SIGTERM')
  expect(await serving.exited).toBe(0)
}

const call = async ({ url }: Serving): Promise<number> => {
  const answer = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'priced', messages: [{ role: 'user', content: 'hello' }] }),
  })
  await answer.arrayBuffer()
  return answer.status
}

const rowsIn = (table: string): number => {
  using raw = new Database(join(data, 'chapar.db'), { readonly: true })
  return raw.prepare(`SELECT 1 FROM ${table}`).all().length
}
const steps = (): number => rowsIn('__drizzle_migrations')

describe('a release whose schema only adds', () => {
  const own = (args: readonly string[]) => run(args, { data })
  const newer = (args: readonly string[]) => run(args, { data, command: next.command })
  beforeEach(() => {
    next = nextRelease('0.2.0', {
      sqlite: [
        'CREATE TABLE `later` (`id` integer PRIMARY KEY)',
        'ALTER TABLE `accounts` ADD `later` text',
      ],
    })
  })

  test('reads beside the gateway of before, changes nothing, and names the program to use', async () => {
    const before = steps()
    const serving = await begin()
    for (const args of [['account', 'list'], ['usage'], ['doctor'], ['audit']])
      expect({ args, said: (await newer(args)).stderr }).toEqual({ args, said: '' })
    const file = join(data, '../nightly.backup')
    expect(await newer(['backup', file])).toMatchObject({ code: 0 })
    const refused = await newer(['account', 'create', '--name', 'late'])
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('are of an earlier release: use its program')
    expect(steps()).toBe(before)
    expect(await call(serving)).toBe(200)
    await stop(serving)
    expect(await call(await begin())).toBe(200)
  })

  test('may be taken back, and loses nothing of what was called meanwhile', async () => {
    const first = await begin()
    expect(await call(first)).toBe(200)
    await stop(first)
    const before = steps()
    const second = await begin(next.command)
    expect(steps()).toBe(before + 1)
    expect(await call(second)).toBe(200)
    // As it dies, with what it had not written yet.
    second.kill('SIGKILL')
    await second.exited
    const third = await begin()
    expect(await call(third)).toBe(200)
    expect(await own(['account', 'create', '--name', 'between'])).toMatchObject({ code: 0 })
    const file = join(data, '../taken-back.backup')
    expect(await own(['backup', file])).toMatchObject({ code: 0 })
    await stop(third)
    const last = await begin(next.command)
    expect(await call(last)).toBe(200)
    await stop(last)
    expect(steps()).toBe(before + 1)
    expect(rowsIn('requests')).toBe(4)
    expect(await newer(['audit'])).toMatchObject({ code: 0 })
    // The backup of the older program has what the newer one added.
    const other = join(data, '../restored')
    expect(await run(['restore', file], { data: other })).toMatchObject({ code: 0 })
    using raw = new Database(join(other, 'chapar.db'), { readonly: true })
    expect(raw.prepare('SELECT later FROM accounts LIMIT 1').get()).toEqual({ later: null })
  })
})

test('a release that changes what is there keeps a copy, and the one before refuses, naming it', async () => {
  next = nextRelease('0.2.0', { sqlite: [`UPDATE accounts SET name = 'later' WHERE id > 0`] })
  await stop(await begin(next.command))
  const { code, stderr } = await run(['account', 'list'], { data })
  expect(code).toBe(1)
  expect(stderr).toContain('made by a newer version of this program')
  expect(stderr).toMatch(/kept from before an upgrade: before-migration-\d+\.db/)
})
