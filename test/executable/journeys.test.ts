import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run, serve, setUp, temporaryFolder } from '../support/executable'
import { ask } from '../support/gateway'
import { chunksOf, eventsOf } from '../support/sse'
import { openaiStream, openStandIn, replies, streamReply, type StandIn } from '../support/stand-in'

let vendor: StandIn
let data: string
let key: string

beforeAll(async () => {
  vendor = openStandIn()
  data = join(temporaryFolder(), 'data')
  key = await setUp(data, vendor.url)
})
afterAll(async () => {
  await vendor.close()
  rmSync(data, { recursive: true, force: true })
})

const post = (url: string, secret: string, body: object) =>
  fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  })

describe('a first run', () => {
  test('quickstart --once shows an answer, its usage, cost and balance, from an empty folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'chapar-empty-'))
    const result = await run(['quickstart', '--once', '--json', '--data', join(folder, 'd')], {
      cwd: folder,
    })
    expect(result.code).toBe(0)
    const shown = result.json<Record<string, string>>()
    expect(shown['answer']).toContain('Hello from Chapar')
    expect(Number(shown['balance_usd'])).toBeCloseTo(5 - Number(shown['cost_usd']), 9)
    expect(shown['key']).toMatch(/^sk-chapar-v1-/)
    const again = await run(['quickstart', '--once', '--data', join(folder, 'd')], { cwd: folder })
    expect(again.stdout).toContain('export OPENAI_API_KEY=')
    expect(readdirSync(folder)).toEqual(['d'])
    expect(statSync(join(folder, 'd', 'secret.key')).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'd', 'chapar.db')).mode & 0o777).toBe(0o600)
    rmSync(folder, { recursive: true, force: true })
  })

  test('serve --ephemeral gives a key, answers, keeps nothing and ends with 0', async () => {
    const serving = await serve(['--ephemeral'])
    const response = await post(serving.url, serving.key ?? '', ask('sandbox/echo'))
    expect(response.status).toBe(200)
    serving.kill('SIGTERM')
    expect(await serving.exited).toBe(0)
  })
})

describe('a serving gateway', () => {
  test('sees what commands change on its next call', async () => {
    const serving = await serve(['--data', data])
    try {
      expect((await post(serving.url, key, ask('priced'))).status).toBe(200)
      const [{ id }] = (await run(['key', 'list', '--json'], { data })).json<{
        data: [{ id: number }]
      }>().data
      const change = async (...args: string[]) => {
        const result = await run([...args, '--json'], { data })
        expect(result.code).toBe(0)
        return (await post(serving.url, key, ask('priced'))).status
      }
      expect(await change('key', 'disable', String(id))).toBe(401)
      expect(await change('key', 'enable', String(id))).toBe(200)
      expect(await change('account', 'set', '1', '--status', 'suspended')).toBe(403)
      expect(await change('account', 'set', '1', '--status', 'active')).toBe(200)
      expect(await change('project', 'set', '1', '--no-active')).toBe(403)
      expect(await change('project', 'set', '1', '--active')).toBe(200)
      expect(await change('model', 'set', 'priced', '--off')).toBe(503)
      expect(await change('model', 'set', 'priced', '--on')).toBe(200)
      expect(await change('project', 'set', '1', '--allow-model', 'other/*')).toBe(403)
      expect(await change('project', 'set', '1', '--allow-all-models')).toBe(200)
      expect(await change('key', 'set', String(id), '--spend-limit', '0.0001')).toBe(402)
      expect(await change('key', 'set', String(id), '--spend-limit', 'none')).toBe(200)
      const before = (await run(['account', 'show', '1', '--json'], { data })).json<{
        balance: { usd: string }
      }>()
      const top = (await run(['topup', '1', '5', '--json'], { data })).json<{
        balance: { usd: string }
      }>()
      expect(Number(top.balance.usd)).toBeCloseTo(Number(before.balance.usd) + 5, 9)
      const audit = await run(['audit', '--json'], { data })
      expect({ code: audit.code, ...audit.json<object>() }).toMatchObject({ code: 0, ok: true })
    } finally {
      serving.kill('SIGTERM')
    }
    expect(await serving.exited).toBe(0)
    // Sixteen programs are started one after another.
  })

  test('refuses a second one on its data folder, with a sentence', async () => {
    const serving = await serve(['--data', data])
    const second = await run(['serve', '--port', '0'], { data })
    expect(second.code).toBe(1)
    expect(second.stderr).toContain('already served')
    serving.kill('SIGTERM')
    expect(await serving.exited).toBe(0)
  })

  test.each([
    ['SIGTERM', ['SIGTERM']],
    ['SIGHUP', ['SIGHUP', 'SIGHUP', 'SIGTERM']],
  ] as const)(
    'lets streams finish on %s, takes no new call, flushes and ends with 0',
    async (_, signals) => {
      vendor.play(() => streamReply(openaiStream('word '.repeat(20)), { delayMs: 25 }))
      const serving = await serve(['--data', data])
      const response = await post(serving.url, key, ask('priced', { stream: true }))
      for (const signal of signals) serving.kill(signal)
      await Bun.sleep(100)
      const refused = await post(serving.url, key, ask('priced')).catch(() => null)
      expect(refused?.status ?? 0).not.toBe(200)
      const text = await response.text()
      expect(chunksOf(text).at(-1)?.usage).toMatchObject({ total_tokens: 150 })
      expect(await serving.exited).toBe(0)
      expect((await run(['audit', '--json'], { data })).json<object>()).toMatchObject({
        ok: true,
        pending: 0,
      })
      vendor.play(replies())
    },
  )

  test.if(process.platform === 'linux')('started by nohup it outlives its terminal', async () => {
    const serving = await serve(['--data', data], {}, ['nohup'])
    serving.kill('SIGHUP')
    await Bun.sleep(100)
    expect((await post(serving.url, key, ask('priced'))).status).toBe(200)
    serving.kill('SIGTERM')
    expect(await serving.exited).toBe(0)
  })

  test('cuts streams in order where the drain limit ends', async () => {
    vendor.play(() => streamReply(openaiStream('word '.repeat(400)), { delayMs: 25 }))
    const serving = await serve(['--data', data], { CHAPAR_DRAIN: '1' })
    const response = await post(serving.url, key, ask('priced', { stream: true }))
    serving.kill('SIGTERM')
    const text = await response.text()
    expect(chunksOf(text).find((each) => each.error)?.error?.code).toBe('stream_interrupted')
    expect(eventsOf(text).at(-1)).toBe('[DONE]')
    expect(await serving.exited).toBe(0)
    expect((await run(['audit', '--json'], { data })).json<object>()).toMatchObject({
      ok: true,
      pending: 0,
    })
    vendor.play(replies())
  })
})
