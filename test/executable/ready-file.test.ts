import { afterEach, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { begin, run, temporaryFolder, type Begun } from '../support/executable'
import { ask } from '../support/gateway'

const folders: string[] = []
const begun: Begun[] = []
afterEach(async () => {
  for (const each of begun.splice(0)) {
    each.kill('SIGTERM')
    await each.exited
  }
  for (const each of folders.splice(0)) rmSync(each, { recursive: true, force: true })
})

function readyFile(): string {
  const folder = temporaryFolder()
  folders.push(folder)
  return join(folder, 'chapar.env')
}

function start(...args: readonly string[]): Begun {
  const child = begin(['serve', ...args])
  begun.push(child)
  return child
}

const ephemeral = (file: string, ...args: readonly string[]) =>
  start('--ephemeral', '--port', '0', '--ready-file', file, ...args)

const variables = (file: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

describe('a ready file', () => {
  test('is there as long as the gateway is, and wait tells where it serves', async () => {
    const file = readyFile()
    const gateway = ephemeral(file)
    const waited = await run(['wait', file])
    expect({ code: waited.code, stdout: waited.stdout }).toEqual({
      code: 0,
      stdout: `Chapar serves at ${variables(file)['OPENAI_BASE_URL']}\n`,
    })
    gateway.kill('SIGTERM')
    expect(await gateway.exited).toBe(0)
    expect(existsSync(file)).toBe(false)
  })

  test('tells of a gateway that ends in order from that moment on', async () => {
    for (let round = 0; round < 5; round++) {
      const file = readyFile()
      const gateway = ephemeral(file)
      while (!existsSync(file)) await new Promise<void>((seen) => setImmediate(seen))
      gateway.kill('SIGTERM')
      expect(await gateway.exited).toBe(0)
      expect(existsSync(file)).toBe(false)
    }
  })

  test('of a gateway that was killed is not taken for the next one’s', async () => {
    const file = readyFile()
    const first = ephemeral(file)
    expect((await run(['wait', file])).code).toBe(0)
    first.kill('SIGKILL')
    await first.exited
    expect(existsSync(file)).toBe(true)
    const alone = await run(['wait', file, '--timeout', '1'])
    expect(alone).toMatchObject({ code: 1, stdout: '' })
    expect(alone.stderr).toMatch(
      /^chapar: the gateway of .*chapar\.env \(process \d+\) has ended\n$/,
    )
    // Begun before the gateway that takes the old file away.
    const waiting = run(['wait', file, '--json'])
    const next = ephemeral(file)
    expect((await waiting).json<object>()).toMatchObject({ pid: next.pid })
  })
})

describe('wait', () => {
  test('fails at once, and says why, when the gateway could not start', async () => {
    const holder = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
    const port = String(holder.port)
    for (const [wrong, why] of [
      [['--port', port], `port ${port} is in use`],
      [['--prot', '0'], 'unknown option'],
      [['--credit', '5'], 'go with --ephemeral'],
    ] as const) {
      const file = readyFile()
      writeFileSync(file, 'OPENAI_API_KEY=sk-of-an-earlier-run\n')
      const gateway = start('--data', join(file, '..', 'data'), ...wrong, '--ready-file', file)
      const waited = await run(['wait', file, '--timeout', '600'])
      expect(waited.code).toBe(1)
      expect(waited.stderr).toStartWith('chapar: the gateway did not start: ')
      expect(waited.stderr).toContain(why)
      expect(await gateway.exited).not.toBe(0)
      expect(existsSync(file)).toBe(false)
      // What failed as it was asked to needs no stack.
      expect(gateway.logs()).not.toMatch(/^\s+at /m)
    }
    await holder.stop(true)
  })

  test('ends after its time where none is started, or it ended while it was starting', async () => {
    const file = readyFile()
    const waited = await run(['wait', file, '--timeout', '1'])
    expect(waited.code).toBe(1)
    expect(waited.stderr).toContain(`no gateway was started for ${file} in 1 seconds`)
    writeFileSync(`${file}.starting`, '4194304\n')
    const late = await run(['wait', file, '--timeout', '1'])
    expect(late.code).toBe(1)
    expect(late.stderr).toContain('(process 4194304) has ended before it was ready')
  })

  test.skipIf(process.platform === 'win32')(
    'tells a gateway that is still starting from one that was not started',
    async () => {
      const file = readyFile()
      const gateway = ephemeral(file)
      while (!existsSync(`${file}.starting`)) await Bun.sleep(1)
      process.kill(gateway.pid, 'SIGSTOP')
      const waited = await run(['wait', file, '--timeout', '1'])
      process.kill(gateway.pid, 'SIGCONT')
      expect(waited.code).toBe(3)
      expect(waited.stderr).toContain(`(process ${gateway.pid}) is still starting after 1 seconds`)
      expect((await run(['wait', file])).code).toBe(0)
      expect(existsSync(`${file}.starting`)).toBe(false)
    },
  )
})

describe('serve --ephemeral', () => {
  test('gives its key the money and the limits it is told', async () => {
    const file = readyFile()
    const terms = ['--credit', '0.01', '--rpm', '3', '--concurrency', '2', '--spend-limit', '0.001']
    const gateway = ephemeral(file, ...terms)
    expect((await run(['wait', file])).code).toBe(0)
    const { OPENAI_BASE_URL: url = '', OPENAI_API_KEY: key = '' } = variables(file)
    const headers = { authorization: `Bearer ${key}` }
    expect(await (await fetch(`${url}/me`, { headers })).json()).toMatchObject({
      balance: { usd: '0.010000' },
      key: { rpm_limit: 3, spend_limit_usd: '0.001000' },
      limits: { concurrency: 2 },
    })
    const post = async (body: object) => {
      const answer = await fetch(`${url}/chat/completions`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return ((await answer.json()) as { error?: { code: string } }).error?.code ?? 'answered'
    }
    const dear = ask('sandbox/echo-priced', { max_tokens: 1000 })
    expect(await post(dear)).toBe('key_spend_limit_reached')
    expect(await post(ask('sandbox/error-internal_error'))).toBe('internal_error')
    expect(await post(ask('sandbox/echo'))).toBe('rate_limit_exceeded')
    gateway.kill('SIGTERM')
    await gateway.exited
    expect(gateway.logs()).not.toMatch(/"level":"(?:warn|error)"|^\s+at /m)
  })
})

describe('serve on a new folder', () => {
  test('sells nothing, says what to do, and sells the sandbox where it is told to', async () => {
    const file = readyFile()
    const data = join(file, '..', 'data')
    const sold = async (...more: readonly string[]) => {
      const args = ['serve', '--port', '0', '--data', data, '--ready-file', file, ...more]
      const gateway = begin(args, { CHAPAR_SANDBOX: '' })
      begun.push(gateway)
      await run(['wait', file])
      const list = await fetch(`${variables(file)['OPENAI_BASE_URL']}/models`)
      const { data: models } = (await list.json()) as { data: readonly { id: string }[] }
      const { stdout } = await run(['model', 'list'], { env: { CHAPAR_SANDBOX: '' }, data })
      gateway.kill('SIGTERM')
      await gateway.exited
      return { models: models.map(({ id }) => id), said: gateway.logs(), listed: stdout }
    }
    const nothing = await sold()
    expect(nothing.models).toEqual([])
    expect(nothing.said).toContain('no model is on sale yet')
    expect(nothing.said).toContain('chapar vendor add')
    expect(nothing.said).toContain('chapar serve --sandbox')
    const sandbox = await sold('--sandbox')
    expect(sandbox.models).toContain('sandbox/echo')
    // Commands in another shell speak of the same service.
    expect(sandbox.listed).toContain('sandbox/echo')
    expect(sandbox.said).not.toContain('no model is on sale')
  })
})
