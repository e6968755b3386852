import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dialects } from '../../src/gateway/vendors/openai/dialects'
import { seedModels } from '../../src/gateway/catalogue/seed'
import { openStandIn, type Script, type StandIn } from '../support/stand-in'
import { systemClock, type Ms } from '../../src/domain/clock'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { openTerminal, type Terminal } from './terminal'

const secret = 'sk-vendor-0123456789-tail'
const refusesAllBut =
  (key: string): Script =>
  (seen) =>
    seen.headers.get('authorization') === `Bearer ${key}`
      ? Response.json({ object: 'list', data: [{ id: 'a' }, { id: 'b' }] })
      : Response.json({ error: { message: 'no' } }, { status: 401 })

let terminal: Terminal
let vendor: StandIn
beforeEach(async () => {
  terminal = openTerminal()
  await terminal.make()
  vendor = openStandIn(refusesAllBut(secret))
})
afterEach(async () => {
  await vendor.close()
  terminal.close()
})

const add = (...settings: readonly string[]) =>
  terminal.run('vendor', 'add', '--name', 'v', '--kind', 'openai', '--no-test', ...settings)

describe('vendor add', () => {
  test('keeps the vendor; its dialect is known by its address', async () => {
    const address = ['--base-url', 'https://api.deepseek.com/', '--timeout', '30']
    const added = await add(...address, '--margin', '12.50%', '--api-key', secret, '--json')
    const models = seedModels('deepseek').map(({ id }) => id)
    const { on_sale: onSale, ...view } = added.json<{ on_sale: string[] }>()
    expect(onSale.toSorted()).toEqual(models.toSorted())
    expect<object>(view).toEqual({
      object: 'vendor',
      name: 'v',
      kind: 'openai',
      dialect: 'deepseek',
      base_url: 'https://api.deepseek.com',
      api_key: '…tail',
      timeout_seconds: 30,
      first_token_timeout_seconds: null,
      transport: 'own',
      margin_percent: '12.5',
      active: true,
      source: 'command',
      state: 'ok',
      trouble_since: null,
      cooling_until: null,
      balance: null,
      last_failure: null,
      recent_calls: null,
      credentials: [
        {
          name: 'default',
          api_key: '…tail',
          active: true,
          state: 'ok',
          cooling_until: null,
          balance: null,
          checked: null,
        },
      ],
      models_with_public_prices: models.length,
      proposed: [],
    })
  })

  test('says what went on sale, and what is on sale is so', async () => {
    const [first] = seedModels('deepseek')
    expect(first).toBeDefined()
    const { stdout } = await add('--base-url', 'https://api.deepseek.com', '--api-key', secret)
    expect(stdout).toContain(`${seedModels('deepseek').length} of its models`)
    expect(stdout).toContain(first?.id ?? '')
    expect((await terminal.run('model', 'list')).stdout).toContain(`\n${first?.id ?? ''} `)
  })

  test('switched off it puts nothing on sale and says so', async () => {
    const { stdout } = await add('--base-url', 'https://api.deepseek.com', '--no-active')
    expect(stdout).toContain('switched off')
    expect((await terminal.run('model', 'list')).stdout).not.toContain('v:')
  })

  test('reads the key from standard input, which no list shows again', async () => {
    const stdin = spyOn(Bun.stdin, 'text').mockResolvedValue(`${secret}\n`)
    await add('--base-url', vendor.url, '--api-key-stdin')
    stdin.mockRestore()
    expect((await terminal.run('vendor', 'test', 'v')).stdout).toBe(
      '✓ v answers and lists 2 models\n',
    )
    await terminal.run('vendor', 'list')
    await terminal.run('vendor', 'list', '--json')
    await terminal.run('vendor', 'remove', 'v')
    expect(terminal.printed.join('')).toContain('…tail')
    expect(terminal.printed.join('')).not.toContain(secret.slice(0, -4))
  })

  test('shows nothing of a key that is too short to be cut', async () => {
    await add('--base-url', vendor.url, '--api-key', 'abcd')
    expect((await terminal.run('vendor', 'list', '--json')).stdout).toContain('"api_key":"…"')
    expect(terminal.printed.join('')).not.toContain('abcd')
  })

  test('of a name that exists is refused, and points to what changes it', async () => {
    await add('--base-url', vendor.url, '--api-key', secret)
    const before = await terminal.json<object>('vendor', 'show', 'v')
    const again = await add('--base-url', vendor.url, '--api-key', 'another')
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('chapar vendor set v')
    expect(await terminal.json<object>('vendor', 'show', 'v')).toEqual(before)
  })

  test('knows the address of vendors with a format of their own, and their models', async () => {
    for (const kind of ['anthropic', 'google', 'elevenlabs', 'deepgram']) {
      const added = await add('--name', kind, '--kind', kind, '--api-key', secret, '--json')
      expect(added.json<object>()).toMatchObject({
        kind,
        dialect: kind,
        models_with_public_prices: seedModels(kind).length,
      })
    }
    const { stdout } = await terminal.run('model', 'list')
    expect(stdout).toContain('claude-')
    expect(stdout).toContain('gemini-')
    expect(stdout).toContain('eleven_v3')
    expect(stdout).toContain('aura-2')
  })

  test('takes another address of such a format for one of which no prices are known', async () => {
    const proxy = ['--kind', 'anthropic', '--base-url', 'https://proxy.example/v1', '--json']
    expect((await add(...proxy)).json<object>()).toMatchObject({ dialect: 'generic' })
    const told = await add('--name', 'told', ...proxy, '--dialect', 'anthropic')
    expect(told.json<object>()).toMatchObject({ dialect: 'anthropic' })
    const wrong = await add('--name', 'w', ...proxy.slice(0, -1), '--dialect', 'deepseek')
    expect(wrong.code).toBe(1)
    expect(wrong.stderr).toContain('anthropic, generic')
  })

  test('needs an address where there is none of its own', async () => {
    const { code, stderr } = await add()
    expect(code).toBe(1)
    expect(stderr).toContain('--base-url')
  })

  test.each([
    [['--kind', 'sandbox'], 'there are: openai'],
    [['--base-url', 'api.openai.com'], 'not an http address'],
    [['--base-url', 'ftp://host/v1'], 'not an http address'],
    [['--base-url', 'https://me:pass@host/v1'], 'no user'],
    [['--dialect', 'klingon'], `there are: ${Object.keys(dialects).join(', ')}`],
    [['--margin', '-100'], 'not a percentage'],
    [['--margin', 'much'], 'not a percentage'],
    [['--name', 'sandbox'], 'not sandbox'],
    [['--name', 'a/b'], 'letters, digits'],
    [['--api-key', ' '], 'the key is empty'],
    [['--api-key', 'x', '--api-key-stdin'], 'not by both'],
  ])('refuses %p and keeps nothing', async (settings, why) => {
    const { code, stderr } = await add('--base-url', 'https://host.example/v1', ...settings)
    expect(code).toBe(settings[0] === '--margin' ? 2 : 1)
    expect(stderr).toContain(why)
    expect(await terminal.json<object>('vendor', 'list')).toEqual({ object: 'list', data: [] })
  })

  test('refuses the gateway itself', async () => {
    await terminal.run('vendor', 'list')
    const url = 'http://127.0.0.1:4567'
    writeFileSync(join(terminal.data, 'serving.json'), JSON.stringify({ pid: process.pid, url }))
    const { code, stderr } = await add('--base-url', `${url}/v1`)
    expect(code).toBe(1)
    expect(stderr).toContain('its own vendor')
  })
})

describe('vendor show', () => {
  test('tells the last calls to it, as the gateway wrote them down', async () => {
    await add('--base-url', 'https://api.deepseek.com', '--api-key', secret)
    const storage = openStorage({ folder: terminal.data, exclusive: false, clock: systemClock })
    const at = Date.parse('2026-11-20T12:00:00Z') as Ms
    await storage.vendorStates.save({
      states: [
        {
          vendor: 'v',
          credential: '',
          trouble: null,
          since: null,
          coolingUntil: null,
          balance: null,
          checked: null,
          failureCode: 'upstream_error',
          failedAt: at,
          recent: {
            attempts: 40,
            failures: 3,
            p50Ms: 420,
            p95Ms: 1900,
            since: (at - 60_000) as Ms,
            until: at,
            lastFailures: [{ code: 'upstream_error', status: 503, at }],
          },
        },
      ],
      gone: [],
      notices: [],
    })
    await storage.close()
    const { recent_calls: recent } = await terminal.json<{ recent_calls: unknown }>(
      'vendor',
      'show',
      'v',
    )
    expect(recent).toEqual({
      calls: 40,
      failed: 3,
      failed_percent: 7.5,
      p50_ms: 420,
      p95_ms: 1900,
      since: '2026-11-20T11:59:00.000Z',
      until: '2026-11-20T12:00:00.000Z',
      last_failures: [{ code: 'upstream_error', status: 503, at: '2026-11-20T12:00:00.000Z' }],
    })
    const { stdout } = await terminal.run('vendor', 'show', 'v')
    expect(stdout).toMatch(/recent_p95_ms\s+1900/)
    expect(stdout).toMatch(/12:00:00 UTC\s+upstream_error\s+503/)
  })
})

describe('vendor test', () => {
  test('signs the call as the vendor wants it and counts the models', async () => {
    await add('--base-url', vendor.url, '--api-key', secret)
    expect(await terminal.json<object>('vendor', 'test', 'v')).toEqual({
      object: 'vendor.test',
      name: 'v',
      ok: true,
      status: 200,
      models: 2,
      problem: null,
      balance: null,
    })
    expect(vendor.seen.map(({ path }) => path)).toEqual(['/v1/models'])
  })

  test('signs and reads as vendors with formats of their own want it', async () => {
    vendor.play((seen) =>
      seen.headers.get('x-api-key') === secret && seen.headers.get('anthropic-version') !== null
        ? Response.json({ data: [{ type: 'model', id: 'claude' }], has_more: false })
        : seen.headers.get('x-goog-api-key') === secret
          ? Response.json({ models: [{ name: 'models/a' }, { name: 'models/b' }] })
          : seen.headers.get('xi-api-key') === secret
            ? Response.json([{ model_id: 'eleven_v3' }])
            : seen.headers.get('authorization') === `Token ${secret}`
              ? Response.json({ stt: [{ name: 'nova' }], tts: [{ name: 'a' }, { name: 'b' }] })
              : Response.json({}, { status: 401 }),
    )
    for (const [kind, count] of [
      ['anthropic', 1],
      ['google', 2],
      ['elevenlabs', 1],
      ['deepgram', 3],
    ] as const) {
      await add('--name', kind, '--kind', kind, '--base-url', vendor.url, '--api-key', secret)
      const { stdout } = await terminal.run('vendor', 'test', kind)
      expect(stdout).toMatch(new RegExp(`lists ${count} models?\\b`))
    }
  })

  test.each([
    [refusesAllBut('another'), 'it refuses our key (401)'],
    [() => Response.json({}, { status: 404 }), 'it answered 404'],
    [() => new Response('<html>'), 'it answered with no list of models'],
    [() => Response.redirect('http://127.0.0.1:1/', 302), 'it answered 302'],
  ] satisfies [Script, string][])('exits 1 and says what is wrong: %#', async (script, problem) => {
    vendor.play(script)
    await add('--base-url', vendor.url, '--api-key', secret)
    const { code, stdout } = await terminal.run('vendor', 'test', 'v')
    expect(code).toBe(1)
    expect(stdout).toContain(`✗ v: ${problem}`)
    expect(stdout).not.toContain(secret)
  })

  test('exits 1 when nobody answers', async () => {
    const { url } = vendor
    await vendor.close()
    await add('--base-url', url)
    const { code, stdout } = await terminal.run('vendor', 'test', 'v')
    expect({ code, stdout }).toEqual({ code: 1, stdout: `✗ v: ${url} does not answer\n` })
  })

  test('knows the vendors of the environment, and refuses what nobody knows', async () => {
    Object.assign(process.env, {
      CHAPAR_DETECT: '1',
      OPENAI_API_KEY: secret,
      OPENAI_BASE_URL: vendor.url,
    })
    expect((await terminal.run('vendor', 'test', 'openai')).stdout).toContain('lists 2 models')
    expect(await terminal.run('vendor', 'test', 'nobody')).toMatchObject({ code: 1 })
  })
})

describe('model import', () => {
  const listing = (...ids: readonly string[]): Script => {
    return () => Response.json({ data: ids.map((id) => ({ id })) })
  }
  const onSale = async () =>
    (await terminal.json<{ data: { id: string; routes: string[] }[] }>('model', 'list')).data

  test('sells what is listed and has a known cost, and names what has none', async () => {
    vendor.play(listing('gpt-4o', 'gpt-4o-mini', 'house-blend'))
    await add('--base-url', vendor.url, '--api-key', secret, '--margin', '10')
    const { imported, uncosted } = await terminal.json<Record<string, string[]>>(
      ...'model import v gpt-4o house-*'.split(' '),
    )
    expect({ imported, uncosted }).toEqual({ imported: ['gpt-4o'], uncosted: ['house-blend'] })
    const sold = (await onSale()).find(({ id }) => id === 'gpt-4o')
    expect(sold).toMatchObject({ routes: ['v:gpt-4o'], pricing: { input_per_million: '2.75' } })
    const again = await terminal.run('model', 'import', 'v')
    expect(again.stdout).toContain('1 on sale now: gpt-4o-mini')
    expect(again.stdout).toContain('1 were known before')
    expect(again.stdout).toContain('nobody knows their cost: house-blend')
    expect((await onSale()).map(({ id }) => id)).not.toContain('house-blend')
  })

  test('says why a vendor lists nothing', async () => {
    vendor.play(refusesAllBut('another'))
    await add('--base-url', vendor.url, '--api-key', secret)
    const { code, stderr } = await terminal.run('model', 'import', 'v')
    expect(code).toBe(1)
    expect(stderr).toContain('it refuses our key (401)')
  })
})
