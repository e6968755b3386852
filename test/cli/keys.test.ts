import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(async () => {
  terminal = openTerminal()
  await terminal.run('account', 'create', '--name', 'Sara', '--rpm', '60')
  await terminal.run('project', 'create', '--account', '1', '--name', 'web')
})
afterEach(() => terminal.close())

interface Key extends Record<string, unknown> {
  readonly id: number
  readonly prefix: string
  readonly key: string
}

const create = (...settings: readonly string[]) =>
  terminal.json<Key>('key', 'create', '--project', '1', '--name', 'laptop', ...settings)

describe('project', () => {
  test('create and set give the project; lists and budgets can be lifted', async () => {
    const settings = ['--monthly-budget', '50', '--allow-model', 'a/*', '--allow-model', 'b']
    const create = ['project', 'create', '--account', '1', '--name', 'app']
    const made = await terminal.json<object>(...create, ...settings)
    expect(made).toEqual({
      id: 2,
      object: 'project',
      account: 1,
      name: 'app',
      active: true,
      allowed_models: ['a/*', 'b'],
      monthly_budget_usd: '50.000000',
    })
    const lifted = ['--monthly-budget', 'none', '--allow-all-models', '--inactive']
    expect(await terminal.json<object>('project', 'set', '2', ...lifted)).toEqual({
      ...made,
      active: false,
      allowed_models: null,
      monthly_budget_usd: null,
    })
    expect(await terminal.json<object>('project', 'set', '2', '--active')).toMatchObject({
      active: true,
      name: 'app',
    })
  })

  test('refuses an account that is not there', async () => {
    const ran = await terminal.run('project', 'create', '--account', '4', '--name', 'x')
    expect(ran).toMatchObject({ code: 1, stderr: 'chapar: there is no account 4\n' })
  })
})

describe('key create', () => {
  test('gives the secret, and the limits in the words of the interface', async () => {
    const settings = ['--rpm', '30', '--spend-limit', '5', '--expires', '2099-01-31']
    const made = await create(...settings, '--allow-model', 'a/*', '--allow-address', '10.0.0.0/8')
    expect(made).toMatchObject({
      id: 1,
      object: 'key',
      name: 'laptop',
      project: 1,
      account: 1,
      status: 'active',
      rpm_limit: 30,
      spend_limit_usd: '5.000000',
      spent_usd: '0.000000',
      allowed_models: ['a/*'],
      allowed_addresses: ['10.0.0.0/8'],
      expires_at: '2099-01-31T00:00:00.000Z',
    })
    expect(made.key).toMatch(/^sk-chapar-v1-[0-9A-Za-z]{43}$/)
    expect(made.key.startsWith(made.prefix)).toBe(true)
  })

  test('prints the secret alone, and beside the output that it is the only time', async () => {
    const { stdout, stderr } = await terminal.run(
      'key',
      'create',
      '--project',
      '1',
      '--name',
      'laptop',
    )
    expect(stdout).toMatch(/^sk-chapar-v1-[0-9A-Za-z]{43}\n$/)
    expect(stderr).toContain('only time')
  })

  test('never shows a secret again, whatever is asked', async () => {
    const { key, prefix } = await create('--spend-limit', '5')
    const before = terminal.printed.length
    for (const json of [[], ['--json']]) {
      await terminal.run('key', 'list', ...json)
      await terminal.run('key', 'set', '1', '--name', 'desk', ...json)
      await terminal.run('key', 'disable', key, ...json)
      await terminal.run('key', 'enable', prefix, ...json)
      await terminal.run('key', 'disable', `${key}x`, ...json)
      await terminal.run('account', 'list', ...json)
      await terminal.run('account', 'show', '1', ...json)
      await terminal.run('project', 'list', ...json)
      await terminal.run('audit', ...json)
    }
    const later = terminal.printed.slice(before).join('')
    expect(later).toContain(prefix)
    expect(later).not.toContain(key.slice(prefix.length))
  })

  test('keeps no secret in the data folder', async () => {
    const { key } = await create()
    const files = [...new Bun.Glob('**/*').scanSync(terminal.data)]
    expect(files).toContain('chapar.db')
    for (const file of files)
      expect(await Bun.file(join(terminal.data, file)).text()).not.toContain(key)
  })

  test.each([
    ['30d', 30 * 86_400_000],
    ['12h', 12 * 3_600_000],
    ['2w', 14 * 86_400_000],
  ])('takes the span %s until it expires', async (span, ms) => {
    const [before, made, after] = [Date.now(), await create('--expires', span), Date.now()]
    const expires = Date.parse(String(made['expires_at']))
    expect(expires).toBeGreaterThanOrEqual(before + ms)
    expect(expires).toBeLessThanOrEqual(Math.max(after, Date.now()) + ms)
  })

  test.each([
    [['--expires', 'soon'], 2, 'A date such as'],
    [['--expires', '2020-01-01'], 1, 'has passed'],
    [['--allow-address', 'office'], 1, 'neither an address nor a range'],
    [['--rpm', '61'], 1, 'the account allows 60 requests per minute'],
  ])('refuses %p', async (settings, code, why) => {
    const args = ['key', 'create', '--project', '1', '--name', 'laptop', ...settings]
    const ran = await terminal.run(...args)
    expect(ran.code).toBe(code)
    expect(ran.stderr).toContain(why)
    expect((await terminal.json<{ data: Key[] }>('key', 'list')).data).toEqual([])
  })
})

describe('a key', () => {
  test('is changed by set; every limit can be lifted', async () => {
    const limits = ['--rpm', '30', '--spend-limit', '5', '--expires', '30d']
    const lists = ['--allow-model', 'a/*', '--allow-address', '10.0.0.1']
    await create(...limits, ...lists)
    const none = ['--rpm', 'none', '--spend-limit', 'none', '--expires', 'none']
    const every = ['--allow-all-models', '--allow-all-addresses']
    expect(await terminal.json<object>('key', 'set', '1', ...none, ...every)).toMatchObject({
      name: 'laptop',
      rpm_limit: null,
      spend_limit_usd: null,
      expires_at: null,
      allowed_models: null,
      allowed_addresses: null,
    })
  })

  test('may not be set above the ceiling of its account', async () => {
    await create()
    const ran = await terminal.run('key', 'set', '1', '--rpm', '61')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('chapar account set 1 --rpm 61')
    await terminal.run('account', 'set', '1', '--rpm', '61')
    expect(await terminal.json<object>('key', 'set', '1', '--rpm', '61')).toMatchObject({
      rpm_limit: 61,
    })
  })

  test('is named by id, by prefix as lists show it, or by its secret', async () => {
    const { key, prefix } = await create()
    const status = async (...args: string[]) =>
      (await terminal.json<{ status: string }>('key', ...args)).status
    expect(await status('disable', '1')).toBe('disabled')
    expect(await status('enable', prefix)).toBe('active')
    expect(await status('disable', `${prefix}…`)).toBe('disabled')
    expect(await status('enable', key)).toBe('active')
  })

  test('that is revoked stays revoked', async () => {
    await create()
    await terminal.run('key', 'revoke', '1')
    const ran = await terminal.run('key', 'enable', '1')
    expect(ran).toMatchObject({ code: 1 })
    expect(ran.stderr).toContain('revoked for good')
    const { data } = await terminal.json<{ data: Key[] }>('key', 'list', '--project', '1')
    expect(data).toMatchObject([{ id: 1, status: 'revoked' }])
  })

  test('is not guessed: an unknown one is refused, a prefix of several asks for the id', async () => {
    const first = await create()
    await create()
    expect((await terminal.run('key', 'revoke', '7')).stderr).toContain('there is no key 7')
    expect((await terminal.run('key', 'revoke', 'laptop')).stderr).toContain('there is no key')
    const database = new Database(join(terminal.data, 'chapar.db'))
    database.run('UPDATE keys SET prefix = ?', [first.prefix])
    database.close()
    const ran = await terminal.run('key', 'revoke', first.prefix)
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('say which by id (1, 2)')
    const { data } = await terminal.json<{ data: Key[] }>('key', 'list')
    expect(data.map((key) => key['status'])).toEqual(['active', 'active'])
  })
})
