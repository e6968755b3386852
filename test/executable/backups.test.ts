import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { run, serve, temporaryFolder } from '../support/executable'

const data = join(temporaryFolder(), 'data')
afterAll(() => rmSync(data, { recursive: true, force: true }))

test('an operator’s backups of one second are files of their own, and can be restored', async () => {
  const serving = await serve(['--data', data])
  const making = ['operator', 'key', 'create', '--name', 'night', '--role', 'owner']
  const made = await run([...making, '--expires', '2d', '--json'], { data })
  const { key: secret } = made.json<{ key: string }>()
  const back = async (): Promise<{ name: string; bytes: number }> => {
    const answer = await fetch(new URL('/admin/v1/health/backups', serving.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: '{}',
    })
    expect(answer.status).toBe(200)
    return (await answer.json()) as { name: string; bytes: number }
  }
  const [first, second] = [await back(), await back()]
  expect(second.name > first.name).toBe(true)
  serving.kill('SIGTERM')
  expect(await serving.exited).toBe(0)
  const file = join(data, 'backups', first.name)
  const elsewhere = join(data, '..', 'restored')
  expect((await run(['restore', file], { data: elsewhere })).code).toBe(0)
  expect((await run(['audit'], { data: elsewhere })).code).toBe(0)
})
