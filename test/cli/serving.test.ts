import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import type { ChatAnswer } from '../../src/cli/local/chat-client'
import { openDemoAccount } from '../../src/cli/local/demo-account'
import { configOf, runServe, type RunningServer } from '../../src/cli/local/serve'
import { openStandIn, openaiStream, streamReply } from '../support/stand-in'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
let server: RunningServer
let key: string

beforeAll(async () => {
  terminal = openTerminal()
  key = (await openDemoAccount(terminal.data)).key
  server = await runServe({
    dataFolder: terminal.data,
    host: '127.0.0.1',
    port: 0,
    ephemeral: false,
    readyFile: null,
    quiet: true,
  })
})
afterAll(async () => {
  await server.stop()
  terminal.close()
})

/** What a shell holds after it has evaluated the lines. */
async function evaluated(shell: string, lines: string): Promise<Record<string, string>> {
  const child = Bun.spawn([shell, '-c', `${lines}\nenv -0`], { env: { PATH: '/usr/bin:/bin' } })
  const text = await new Response(child.stdout).text()
  return Object.fromEntries(
    text
      .split('\0')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

describe('env', () => {
  test('names the gateway that serves the folder, with the key of quickstart', async () => {
    const { stdout } = await terminal.run('env')
    expect(await evaluated('sh', stdout)).toMatchObject({
      OPENAI_BASE_URL: `${server.url}/v1`,
      OPENAI_API_KEY: key,
    })
    // Clients of the Messages format add the version themselves.
    expect(await terminal.json<object>('env')).toEqual({
      OPENAI_BASE_URL: `${server.url}/v1`,
      OPENAI_API_KEY: key,
      CODEX_API_KEY: key,
      ANTHROPIC_BASE_URL: server.url,
      ANTHROPIC_AUTH_TOKEN: key,
    })
  })

  test('writes values that a shell never runs', async () => {
    const hostile = `k'$(touch /tmp/never)"\\`
    const { stdout } = await terminal.run('env', '--key', hostile)
    expect((await evaluated('sh', stdout))['OPENAI_API_KEY']).toBe(hostile)
    const fish = await terminal.run('env', '--shell', 'fish', '--key', hostile)
    expect(fish.stdout).toBe(
      `set -gx OPENAI_BASE_URL ${server.url}/v1\n` +
        String.raw`set -gx OPENAI_API_KEY 'k\'$(touch /tmp/never)"\\'` +
        '\n' +
        String.raw`set -gx CODEX_API_KEY 'k\'$(touch /tmp/never)"\\'` +
        `\nset -gx ANTHROPIC_BASE_URL ${server.url}\n` +
        String.raw`set -gx ANTHROPIC_AUTH_TOKEN 'k\'$(touch /tmp/never)"\\'` +
        '\n',
    )
  })

  test('takes an address with its version and without', async () => {
    for (const url of ['https://api.example', 'https://api.example/v1/'])
      expect(await terminal.json<object>('env', '--url', url)).toMatchObject({
        OPENAI_BASE_URL: 'https://api.example/v1',
      })
  })
})

describe('chat', () => {
  test('shows the answer, then usage and cost', async () => {
    const words = ['chat', 'one two', '--model', 'sandbox/echo-priced']
    const { result } = await charged(() => terminal.run(...words))
    expect(result.code).toBe(0)
    expect(result.stdout).toMatch(
      /one two[^]*\n\n\d+ tokens in, \d+ out · \$0\.0{3}\d+ · req_\w+\n$/,
    )
  })

  test('is one object with --json, whose cost is what the account paid', async () => {
    const words = ['chat', 'one two', '--model', 'sandbox/echo-priced']
    const { result, paid } = await charged(() => terminal.json<ChatAnswer>(...words))
    expect(result.id).toMatch(/^req_/)
    expect(result.model).toBe('sandbox/echo-priced')
    expect(result.text).toContain('one two')
    expect(result.usage.prompt_tokens).toBeGreaterThan(0)
    expect(Number(result.cost_usd)).toBeGreaterThan(0)
    expect(paid).toBeCloseTo(Number(result.cost_usd), 9)
  })

  test('reads standard input for -', async () => {
    const stdin = spyOn(Bun.stdin, 'text').mockResolvedValue('from the pipe')
    const { text } = await terminal.json<{ text: string }>('chat', '-')
    stdin.mockRestore()
    expect(text).toContain('from the pipe')
  })

  test('keeps to the ceiling of its answer', async () => {
    const long = ['chat', 'word '.repeat(50), '--max-tokens', '3']
    const { usage } = await terminal.json<ChatAnswer>(...long)
    expect(usage.completion_tokens).toBe(3)
  })

  test('asks the usual model, or the first that is on sale', async () => {
    expect(await terminal.json<object>('chat', 'hi')).toMatchObject({ model: 'sandbox/echo' })
    await terminal.run('model', 'set', 'sandbox/echo', '--off')
    const { model } = await terminal.json<ChatAnswer>('chat', 'hi')
    await terminal.run('model', 'set', 'sandbox/echo', '--on')
    expect(model).not.toBe('sandbox/echo')
    expect(model).toStartWith('sandbox/echo-')
  })

  test('fails with what the gateway says', async () => {
    const ran = await terminal.run('chat', 'hi', '--model', 'nothing')
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 1, stdout: '' })
    expect(ran.stderr).toMatch(/^chapar: .*nothing.*\n$/)
    const wrong = await terminal.run('chat', 'hi', '--key', 'sk-chapar-v1-wrong', '--json')
    expect(wrong.code).toBe(1)
    expect(wrong.json<{ error: { message: string } }>().error.message).not.toBe('')
  })

  test('fails in the middle of an answer with a line of its own', async () => {
    const ran = await terminal.run('chat', 'a b c d', '--model', 'sandbox/error-stream_interrupted')
    expect(ran.code).toBe(1)
    expect(ran.stdout).toMatch(/\S\n$/)
    expect(ran.stderr).toMatch(/^chapar: .+\n$/)
  })

  test('takes an answer without its end for a failure', async () => {
    const cut = openStandIn(() => streamReply(openaiStream('half').slice(0, 2)))
    const ran = await terminal.run('chat', 'hi', '--url', cut.url, '--key', 'k', '--model', 'm')
    await cut.close()
    expect(ran).toMatchObject({ code: 1, stderr: 'chapar: the answer broke off\n' })
  })

  test('sends quickstart’s key to the gateway it was made for, and to no other', async () => {
    const other = openStandIn()
    const to = ['chat', 'hi', '--model', 'm', '--url', other.url]
    expect((await terminal.run(...to)).stderr).toContain('give a key')
    process.env['OPENAI_API_KEY'] = 'sk-other'
    const ran = await terminal.run(...to)
    delete process.env['OPENAI_API_KEY']
    await other.close()
    expect(ran.stdout).toContain('Hello from the vendor')
    expect(ran.stdout).toContain('cost unknown')
    expect(other.seen.map(({ path, headers }) => [path, headers.get('authorization')])).toEqual([
      ['/v1/chat/completions', 'Bearer sk-other'],
    ])
    expect((await terminal.run('chat', 'hi', '--url', `${server.url}/v1/`)).code).toBe(0)
  })
})

const balance = async (): Promise<number> =>
  Number((await terminal.json<{ balance: { usd: string } }>('account', 'show', '1')).balance.usd)

/** A call that costs something, and what the account paid for it once that is written. */
async function charged<T>(call: () => Promise<T>): Promise<{ result: T; paid: number }> {
  const before = await balance()
  const result = await call()
  while ((await balance()) === before) await Bun.sleep(2)
  return { result, paid: before - (await balance()) }
}

describe('a folder that nobody serves', () => {
  test.each([[['env']], [['chat', 'hi']]])('is told to %p with what to start', async (args) => {
    const idle = openTerminal()
    const ran = await idle.run(...args)
    idle.close()
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('start chapar serve')
  })
})

describe('doctor', () => {
  test('tells of a proxy whose word is not taken, and what to set', async () => {
    const proxies = async () => {
      const { data } = await terminal.json<{ data: readonly { check: string }[] }>('doctor')
      return data.filter(({ check }) => check === 'proxies')
    }
    expect(await proxies()).toEqual([])
    await fetch(`${server.url}/healthz`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
    expect(await proxies()).toMatchObject([
      {
        state: 'warn',
        found: expect.stringContaining('127.0.0.1 sends X-Forwarded-For') as string,
        advice: expect.stringContaining('CHAPAR_TRUSTED_PROXIES=127.0.0.1 ') as string,
      },
    ])
  })
})

test('an ephemeral gateway refuses nothing for lag, whatever the environment says', () => {
  const { CHAPAR_OVERLOAD_LAG: before } = process.env
  process.env['CHAPAR_OVERLOAD_LAG'] = '300'
  try {
    expect(configOf({ ephemeral: false }).fixed.overloadLag).toBe('300')
    expect(configOf({ ephemeral: true }).fixed.overloadLag).toBe('0')
  } finally {
    if (before === undefined) delete process.env['CHAPAR_OVERLOAD_LAG']
    else process.env['CHAPAR_OVERLOAD_LAG'] = before
  }
})
