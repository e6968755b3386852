import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { run, serve, temporaryFolder, type Serving } from '../support/executable'

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A gateway of a folder of its own. */
async function begin(name: string, args: readonly string[], env: Record<string, string> = {}) {
  const data = join(folder, name)
  const serving = await serve(['--data', data, ...args], env)
  const findings = async () => {
    const { stdout } = await run(['doctor', '--json'], { data })
    const { data: all } = JSON.parse(stdout) as { data: { code: string; advice: string }[] }
    return all.map(({ code }) => code)
  }
  return { serving, data, findings }
}

async function end(serving: Serving): Promise<void> {
  serving.kill('SIGTERM')
  await serving.exited
}

describe('a gateway on loopback, of which nobody said where it is reached,', () => {
  let gateway: Awaited<ReturnType<typeof begin>>
  beforeAll(async () => void (gateway = await begin('loopback', [])))
  afterAll(() => end(gateway.serving))

  const ask = (host: string) => fetch(`${gateway.serving.url}/models`, { headers: { host } })

  test('is well until a request names another host, which is told once', async () => {
    await ask('localhost')
    await ask('127.0.0.1:8080')
    expect(await gateway.findings()).not.toContain('public_url_missing')
    for (let count = 0; count < 3; count++) await (await ask('ai.example.com')).text()
    expect(await gateway.findings()).toContain('public_url_missing')
    const warned = gateway.serving.logs().match(/public address not configured/g)
    expect(warned).toHaveLength(1)
    expect(gateway.serving.logs()).toContain('"host":"ai.example.com"')
  })

  test('prints the command of the first link, and not the link, where nobody is at a terminal', () => {
    const logs = gateway.serving.logs()
    expect(logs).toContain(`chapar operator link --data ${gateway.data}`)
    expect(logs).not.toContain('setup#')
  })

  test('prints no line of a demo', async () => {
    expect(gateway.serving.logs()).not.toContain('DEMO')
    expect(await gateway.findings()).not.toContain('demo')
  })
})

test.each([
  ['beyond loopback', ['--host', '0.0.0.0'], {}, ['public_url_missing']],
  ['with an address', ['--host', '0.0.0.0'], { CHAPAR_URL: 'https://ai.example.com' }, []],
  ['without pages', ['--host', '0.0.0.0'], { CHAPAR_WEB: '0' }, []],
  ['by --demo', ['--demo'], {}, ['demo']],
  ['by CHAPAR_DEMO', [], { CHAPAR_DEMO: '1' }, ['demo']],
] as const)('doctor tells of a gateway %s', async (name, args, env, told) => {
  const { serving, findings } = await begin(name.replaceAll(/\W/g, '-'), args, env)
  const found = await findings()
  expect(found.filter((code) => /^(?:public_url_missing|demo)$/.test(code))).toEqual([...told])
  if (process.getuid?.() === 0) expect(found).toContain('root')
  const isDemo = told.some((code) => code === 'demo')
  expect(serving.logs().includes('DEMO MODE')).toBe(isDemo)
  expect(serving.logs().includes('"msg":"demo mode"')).toBe(isDemo)
  await end(serving)
})

test('CHAPAR_DEMO is 0 or 1', async () => {
  const data = join(folder, 'bad')
  const failed = await run(['serve', '--port', '0', '--data', data], {
    env: { CHAPAR_DEMO: 'yes' },
  })
  expect(failed.code).toBe(1)
  expect(failed.stderr).toContain('CHAPAR_DEMO must be 0 or 1')
})
