import { afterEach, beforeEach, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { openVisitor } from '../console/visitor'
import { run, serve, temporaryFolder } from '../support/executable'
import { until } from '../support/pace'

let data = ''
let service: ReturnType<typeof Bun.serve>
const asked: string[] = []
let isUp = false
const hung: (() => void)[] = []
beforeEach(() => {
  data = temporaryFolder()
  asked.length = 0
  isUp = false
  service = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 255,
    async fetch(request) {
      asked.push(await request.text())
      // Until it is up it says nothing, and the process that waits is killed.
      if (!isUp) await new Promise<void>((resolve) => hung.push(resolve))
      return new Response('ok')
    },
  })
})
afterEach(async () => {
  for (const resolve of hung) resolve()
  await service.stop(true)
  rmSync(data, { recursive: true, force: true })
})

test('killed while an SMS is on its way, the next process sends it, and makes no second notice', async () => {
  const first = await serve(['--data', data, '--demo'])
  const sara = openVisitor(first)
  await sara.signIn('09123456789')
  const option = (name: string, value: string) => ['--option', `${name}=${value}`]
  const set = await run(
    [
      'sms',
      'set',
      'main',
      '--provider',
      'webhook',
      ...option('url', `http://127.0.0.1:${service.port}/`),
      ...option('notice-body', '{"text":"{text}"}'),
    ],
    { data },
  )
  expect(set.code).toBe(0)
  await sara.send('PUT', '/notice-ways/choice', { way: 'sms', topic: 'key_made', on: true })
  const { data: projects } = (await sara.send('GET', '/projects')).body as {
    data: { id: number }[]
  }
  await sara.send('POST', '/keys', { project: projects[0]?.id, name: 'laptop' })
  await until(() => asked.length === 1)
  first.kill('SIGKILL')
  await first.exited
  isUp = true
  const second = await serve(['--data', data, '--demo'])
  await until(() => asked.length === 2)
  expect(asked[1]).toBe(asked[0] ?? '')
  second.kill('SIGTERM')
  await second.exited
  const list = await run(['notices', 'list', '--json'], { data })
  expect(list.json<{ data: object[] }>().data).toMatchObject([
    { kind: 'key_made', deliveries: [{ channel: 'holders', state: 'delivered' }] },
  ])
})
