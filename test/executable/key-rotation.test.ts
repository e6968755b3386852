import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { run, serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { ask } from '../support/gateway'
import { openStandIn, type StandIn } from '../support/stand-in'
import { until } from '../support/pace'

interface Status {
  readonly generation: number
  readonly before: number | null
  readonly in_file: readonly number[]
  readonly kinds: readonly { readonly kind: string; readonly count: number; readonly old: number }[]
}

let vendor: StandIn
let folder: string
let data: string
let key: string
let serving: Serving

const json = async <T>(...args: readonly string[]): Promise<T> => {
  const result = await run([...args, '--json'], { data })
  if (result.code !== 0) throw new Error(result.stdout + result.stderr)
  return result.json<T>()
}
const madeKey = async (name: string): Promise<string> => {
  const words = ['key', 'create', '--project', '1', '--name', name, '--rpm', '1000000']
  return (await json<{ key: string }>(...words)).key
}
const post = async (
  secret: string,
): Promise<{ readonly status: number; readonly code: string }> => {
  const response = await fetch(`${serving.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify(ask('priced')),
  })
  const { error } = (await response.json()) as { error?: { code: string } }
  return { status: response.status, code: error?.code ?? '' }
}
const oldKeys = async (): Promise<number> =>
  (await json<Status>('secret', 'status')).kinds.find(({ kind }) => kind === 'key')?.old ?? -1

beforeAll(async () => {
  vendor = openStandIn()
  folder = temporaryFolder()
  data = join(folder, 'data')
  key = await setUp(data, vendor.url)
  serving = await serve(['--data', data], { CHAPAR_ADDRESS_RPM: '1000000' })
})
afterAll(async () => {
  serving.kill('SIGTERM')
  await serving.exited
  await vendor.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a key rotation under load refuses no call, and moves keys as they are used', async () => {
  const keys = [key, await madeKey('second'), await madeKey('third')]
  const unused = await madeKey('unused')
  expect(await run(['operator', 'link'], { data })).toMatchObject({ code: 0 })
  const load = { isOver: false }
  const statuses: number[] = []
  const calls = Promise.all(
    keys.map(async (each) => {
      while (!load.isOver) statuses.push((await post(each)).status)
    }),
  )
  await until(async () => statuses.length > 20)
  copyFileSync(join(data, 'secret.key'), join(folder, 'before.key'))
  const rotated = await json<Status & { in_use: boolean }>('secret', 'rotate')
  expect(rotated).toMatchObject({ generation: 2, before: 1, in_use: true })
  expect(statSync(join(data, 'secret.key')).mode & 0o777).toBe(0o600)
  const during = statuses.length
  await until(async () => (await oldKeys()) === 1)
  await until(async () => statuses.length > during + 50)
  load.isOver = true
  await calls
  expect(new Set(statuses)).toEqual(new Set([200]))

  // By the secret, as one has it of a key that leaked.
  expect(await json<object>('key', 'show', unused)).toMatchObject({ name: 'unused' })
  const later = await madeKey('later')
  expect((await post(later)).status).toBe(200)
  expect(await oldKeys()).toBe(1)

  const asked = await run(['secret', 'rotate', '--finish'], { data })
  expect({ code: asked.code, stdout: asked.stdout }).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('1 keys revoked') as string,
  })
  expect((await post(key)).status).toBe(200)
  const finished = await json<object>('secret', 'rotate', '--finish', '--yes')
  expect(finished).toMatchObject({
    dropped: [1],
    revoked: [{ kind: 'key', count: 1 }, { kind: 'operator_link' }],
  })
  for (const each of [...keys, later]) expect(await post(each)).toEqual({ status: 200, code: '' })
  expect(await post(unused)).toEqual({ status: 401, code: 'invalid_api_key' })
  expect(await json<Status>('secret', 'status')).toMatchObject({
    generation: 2,
    before: null,
    in_file: [2],
  })
})

test('a gateway that starts after a rotation serves keys of before, and not with the file of before', async () => {
  await json('secret', 'rotate')
  serving.kill('SIGTERM')
  expect(await serving.exited).toBe(0)
  copyFileSync(join(data, 'secret.key'), join(folder, 'now.key'))
  copyFileSync(join(folder, 'before.key'), join(data, 'secret.key'))
  const refused = await run(['serve', '--data', data, '--port', '0'])
  expect({ code: refused.code, stderr: refused.stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it has generations 2 and 3') as string,
  })
  copyFileSync(join(folder, 'now.key'), join(data, 'secret.key'))
  serving = await serve(['--data', data], { CHAPAR_ADDRESS_RPM: '1000000' })
  expect((await post(key)).status).toBe(200)
})

test('a backup has both generations, and one of before a rotation brings its own', async () => {
  const [backup, elsewhere] = [join(folder, 'both.backup'), join(folder, 'elsewhere')]
  await json('backup', backup)
  const restored = await run(['restore', backup, '--data', elsewhere])
  expect(restored.code).toBe(0)
  const there = await run(['secret', 'status', '--json'], { data: elsewhere })
  expect(there.json<Status>()).toMatchObject({ generation: 3, before: 2, in_file: [2, 3] })
  expect((await run(['vendor', 'list', '--json'], { data: elsewhere })).code).toBe(0)
})
