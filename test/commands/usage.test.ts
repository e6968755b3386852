import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { openDemoAccount } from '../../src/commands/demo-account'
import { runServe, type RunningServer } from '../../src/commands/serve'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
let server: RunningServer
let key = ''
beforeEach(async () => {
  terminal = openTerminal()
  key = openDemoAccount(terminal.data).key
  server = await runServe({
    dataFolder: terminal.data,
    host: '127.0.0.1',
    port: 0,
    ephemeral: false,
    readyFile: null,
    quiet: true,
  })
})
afterEach(async () => {
  await server.stop()
  terminal.close()
})

/** One call that costs money. @returns its id */
async function call(): Promise<string> {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: 'sandbox/echo-priced',
      messages: [{ role: 'user', content: 'Hello there' }],
    }),
  })
  return ((await response.json()) as { id: string }).id
}

/** What a command prints, once the server has written what it knows. */
async function told(...words: readonly string[]): Promise<unknown> {
  for (let tries = 0; ; tries++) {
    const { code, stdout } = await terminal.run(...words, '--json')
    const value = code === 0 ? (JSON.parse(stdout) as { data?: unknown[] }) : null
    if (tries > 100 || (value !== null && value.data?.length !== 0)) return value
    await Bun.sleep(5)
  }
}

describe('usage', () => {
  test('adds up calls by day, model or project, beside a serving gateway', async () => {
    await call()
    const sum = { requests: 1, errors: 0, input_tokens: 2, output_tokens: 2 }
    const today = new Date().toISOString().slice(0, 10)
    expect(await told('usage')).toMatchObject({ group: 'day', data: [{ key: today, ...sum }] })
    expect(await told('usage', '--group', 'model')).toMatchObject({
      data: [{ key: 'sandbox/echo-priced', ...sum }],
    })
    expect(await told('usage', '--group', 'project', '--account', '1')).toMatchObject({
      data: [{ ...sum }],
    })
    const { stdout } = await terminal.run('usage', '--account', '77')
    expect(stdout).toContain('$0.000000 in all')
  })

  test.each([
    [['--from', '2026-02-30'], 'A day is needed'],
    [['--group', 'key'], 'One of day, model, project.'],
    [['--from', '2026-02-02', '--to', '2026-02-01'], '--from is after --to'],
  ])('refuses %j', async (options, words) => {
    const { code, stderr } = await terminal.run('usage', ...options)
    expect(code).not.toBe(0)
    expect(stderr).toContain(words)
  })
})

describe('requests show', () => {
  test('shows a call with its receipt', async () => {
    const id = await call()
    const view = await told('requests', 'show', id)
    expect(view).toMatchObject({
      id,
      status: 'success',
      vendor: 'sandbox',
      account: 1,
      receipt: {
        lines: [
          { meter: 'input', units: 2 },
          { meter: 'output', units: 2 },
        ],
      },
    })
    const { stdout } = await terminal.run('requests', 'show', id)
    expect(stdout).toContain('UNIT PRICE')
    expect(stdout).toContain('charged of')
  })

  test('says when there is none', async () => {
    const { code, stderr } = await terminal.run('requests', 'show', 'req_nobody')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'chapar: there is no request req_nobody, or it is not written yet\n',
    })
  })
})
