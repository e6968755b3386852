import { afterAll, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import packageJson from '../../package.json'
import { run, serve, temporaryFolder } from './executable'
import { ask } from './gateway'

const data = temporaryFolder()
afterAll(() => rmSync(data, { recursive: true, force: true }))

const chat = (url: string, key: string | null) =>
  fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(ask('sandbox/echo')),
  })

test('the program tells its version and refuses what it does not know', async () => {
  const version = await run(['--version'])
  expect(version.code).toBe(0)
  expect(version.stdout).toStartWith(`${packageJson.version} (`)
  const wrong = await run(['no-such-command'])
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('no-such-command')
})

test('a serving program tells address, process and key, answers, and is gone when ended', async () => {
  const serving = await serve(['--ephemeral'])
  expect(serving.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/)
  expect(process.kill(serving.pid, 0)).toBe(true)
  expect((await chat(serving.url, serving.key)).status).toBe(200)
  serving.kill('SIGTERM')
  expect(await serving.exited).toBe(0)
  expect(() => process.kill(serving.pid, 0)).toThrow()
})

test('a kill -9 is one: the exit code says so', async () => {
  const serving = await serve(['--data', data])
  expect(serving.key).toBeNull()
  serving.kill('SIGKILL')
  expect(await serving.exited).toBe(137)
})

test('a program that cannot serve is an error that holds what it said', async () => {
  const opened = serve(['--data', data], { CHAPAR_FAILED_ATTEMPTS: 'many' })
  expect(await opened.then(String, String)).toContain('CHAPAR_FAILED_ATTEMPTS')
})
