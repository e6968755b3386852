import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { buildProgram } from '../../src/cli/program'
import { operationOf } from '../../src/cli/generated/subject-commands'
import { commandWords } from '../../src/cli/kit/command-name'
import { run, serve, temporaryFolder, type Serving } from '../support/executable'

const data = temporaryFolder()
let serving: Serving
const keys: Record<string, string> = {}

interface TrailRow {
  readonly who: string
  readonly what: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
}

const origin = () => new URL(serving.url).origin
const remote = (
  role: string,
  args: readonly string[],
  options: Omit<Parameters<typeof run>[1] & object, 'env'> = {},
) =>
  run(['--remote', origin(), ...args], {
    ...options,
    env: { CHAPAR_OPERATOR_KEY: keys[role] ?? '' },
  })

const admin = async (role: string, method: string, path: string, body: unknown) => {
  const response = await fetch(`${origin()}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${keys[role]}` },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as never }
}

beforeAll(async () => {
  serving = await serve(['--data', data, '--sandbox'])
  for (const role of ['viewer', 'staff', 'owner']) {
    const made = await run(
      ['operator', 'key', 'create', '--name', role, '--role', role, '--expires', '1d'],
      { data },
    )
    keys[role] = made.stdout.trim()
  }
})
afterAll(async () => {
  serving.kill('SIGTERM')
  await serving.exited
  rmSync(data, { recursive: true, force: true })
})

type Change = readonly [
  words: readonly string[],
  at: readonly [method: string, path: string],
  body: object,
  back: object,
]

const lastLine = async (): Promise<TrailRow> => {
  const response = await fetch(`${origin()}/admin/v1/trail?max=1`, {
    headers: { authorization: `Bearer ${keys['viewer']}` },
  })
  const { data } = (await response.json()) as { data: readonly TrailRow[] }
  const [row] = data
  if (row === undefined) throw new Error('no line')
  return row
}

const told = ({ what, subject, before, after }: TrailRow) => ({ what, subject, before, after })

const leaves = (command: Command): readonly Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)

test('every command is made from an operation, but those of the machine and of clients', () => {
  const byHand = leaves(buildProgram()).filter((command) => operationOf(command) === null)
  expect(byHand.map(commandWords).toSorted()).toEqual(
    [
      'serve',
      'quickstart',
      'wait',
      'backup',
      'restore',
      'migrate',
      'operator login',
      'operator logout',
      'secret renew',
      'secret rotate',
      'secret status',
      'chat',
      'env',
      'openapi',
    ].toSorted(),
  )
})

const limitFieldsOf = [
  'daily_cap_usd',
  'concurrency',
  'rpm',
  'max_request_kb',
  'unverified_ceiling_usd',
]

test('a key that is not known is refused in the words of commands', async () => {
  keys['nobody'] = `op-v1-${'x'.repeat(43)}`
  const refused = await remote('nobody', ['account', 'list'])
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^chapar: This API key is not known\. [ -~]+\n$/)
})

describe('a command from elsewhere', () => {
  test.each([
    [
      ['project', 'create', '--account', '1', '--name', 'x'.repeat(61)],
      '--name: at most 60 characters',
    ],
    [['key', 'show', '999'], 'there is no key 999; see chapar key list'],
  ] as const)('is refused as it is here: %j', async (words, said) => {
    const there = await remote('owner', words)
    const here = await run(words, { data })
    expect([there.code, there.stderr]).toEqual([1, `chapar: ${said}\n`])
    expect([here.code, here.stderr]).toEqual([1, `chapar: ${said}\n`])
  })

  test('does what it does here, and prints it as it would', async () => {
    const made = await remote('staff', ['account', 'create', '--name', 'Remote', '--json'])
    expect(made.code).toBe(0)
    const { id } = made.json<{ id: number }>()
    const there = await remote('viewer', ['account', 'show', String(id), '--json'])
    const here = await run(['account', 'show', String(id), '--json'], { data })
    expect(there.json<object>()).toEqual(here.json<object>())
    expect((await remote('viewer', ['account', 'list', '--csv'])).stdout).toStartWith('id,name')
  })

  test('leaves the same line in the trail as one here and as HTTP, but for who', async () => {
    const made = async (path: string, body: object) =>
      ((await admin('owner', 'POST', path, body)).body as { id: number }).id
    const account = await made('/accounts', { name: 'T' })
    const project = await made(`/accounts/${account}/projects`, { name: 'p' })
    const key = await made(`/projects/${project}/keys`, { name: 'k' })
    const group = await made('/groups', { name: 'gold' })
    const [a, p, k] = [account, project, key].map(String) as [string, string, string]
    /** A change by a command, the same by HTTP, and what sets it back. */
    const changes: readonly Change[] = [
      [
        ['account', 'set', a, '--daily-cap', '7', '--verified', '--status', 'suspended'],
        ['PATCH', `/accounts/${a}`],
        { daily_cap_usd: '7', verified: true, status: 'suspended' },
        { inherit: ['daily_cap_usd'], verified: false, status: 'active' },
      ],
      [
        ['project', 'set', p, '--monthly-budget', '9', '--inactive'],
        ['PATCH', `/projects/${p}`],
        { monthly_budget_usd: '9', active: false },
        { monthly_budget_usd: null, active: true },
      ],
      [
        ['key', 'set', k, '--spend-limit', '3', '--rpm', '7'],
        ['PATCH', `/keys/${k}`],
        { spend_limit_usd: '3', rpm_limit: 7 },
        { spend_limit_usd: null, rpm_limit: 60 },
      ],
      [['key', 'disable', k], ['PUT', `/keys/${k}/on`], { on: false }, { on: true }],
      [
        ['settings', 'set', 'streaming', 'off'],
        ['PUT', '/settings/streaming'],
        { value: 'off' },
        { value: 'on' },
      ],
      [
        ['sms', 'set', 'main', '--provider', 'webhook', '--option', 'url=https://a.example/'],
        ['PUT', '/sms-providers/main'],
        { kind: 'webhook', options: { url: 'https://a.example/' } },
        { kind: 'webhook', options: { url: 'https://b.example/' } },
      ],
      [
        ['price', 'rules', 'set', '--type', 'chat', '--markup', '10', '--fee', '0.01'],
        ['PUT', '/price-rules'],
        { kind: 'type', name: 'chat', markup_percent: '10', fee_per_call_usd: '0.01' },
        { kind: 'type', name: 'chat', markup_percent: '5', fee_per_call_usd: null },
      ],
      [
        ['group', 'set', 'gold', '--daily-cap', '7', '--concurrency', '20'],
        ['PATCH', `/groups/${group}`],
        { daily_cap_usd: '7', concurrency: 20 },
        { daily_cap_usd: null, concurrency: null },
      ],
      [
        ['price', 'rules', 'set', '--group', 'gold', '--type', 'chat', '--markup', '-10'],
        ['PUT', `/groups/${group}/price-rules`],
        { kind: 'type', name: 'chat', markup_percent: '-10' },
        { kind: 'type', name: 'chat', markup_percent: '-5' },
      ],
      [
        ['account', 'set', a, '--group', 'gold', '--inherit', 'all'],
        ['PATCH', `/accounts/${a}`],
        { group, inherit: limitFieldsOf },
        { group: null, concurrency: 9 },
      ],
      [
        ['vendor', 'set', 'v', '--off', '--timeout', '7', '--first-token-timeout', '3'],
        ['PATCH', '/vendors/v'],
        { active: false, timeout_seconds: 7, first_token_timeout_seconds: 3 },
        { active: true, timeout_seconds: 9, first_token_timeout_seconds: null },
      ],
      [
        ['vendor', 'credential', 'off', 'v', 'default'],
        ['PATCH', '/vendors/v/credentials/default'],
        { active: false },
        { active: true },
      ],
      [
        ['vendor', 'credential', 'set', 'v', 'second', '--api-key', 'sk-b', '--no-test'],
        ['PATCH', '/vendors/v/credentials/second'],
        { api_key: 'sk-b', test: false },
        { api_key: 'sk-a', test: false },
      ],
      [
        ['model', 'set', 'm', '--name', 'M', '--trait', 'reasoning=true'],
        ['PATCH', '/models/m'],
        { name: 'M', traits: { reasoning: true } },
        { name: 'other', traits: {} },
      ],
      [
        ['model', 'alias', 'add', 'm2', '--model', 'm', '--listed'],
        ['PUT', '/model-aliases/m2'],
        { model: 'm', listed: true },
        { model: 'm', listed: false },
      ],
      [
        ['mail', 'set', '--host', 'a.example', '--from', 'a@example.com'],
        ['PUT', '/mail'],
        { host: 'a.example', from: 'a@example.com', security: 'tls' },
        { host: 'b.example', from: 'a@example.com', security: 'tls' },
      ],
    ]
    // Else the first one would be of a value that was never set.
    await admin('owner', 'PUT', '/mail', {
      host: 'b.example',
      from: 'a@example.com',
      security: 'tls',
    })
    await admin('owner', 'PUT', '/sms-providers/main', {
      kind: 'webhook',
      options: { url: 'https://b.example/' },
    })
    await admin('owner', 'PUT', '/settings/streaming', { value: 'on' })
    await admin('owner', 'PATCH', `/accounts/${a}`, { concurrency: 9 })
    await admin('owner', 'PUT', `/groups/${group}/price-rules`, {
      kind: 'type',
      name: 'chat',
      markup_percent: '-5',
    })
    await admin('owner', 'PUT', '/price-rules', {
      kind: 'type',
      name: 'chat',
      markup_percent: '5',
    })
    await admin('owner', 'POST', '/vendors', {
      name: 'v',
      kind: 'openai',
      dialect: 'generic',
      base_url: 'http://127.0.0.1:9/v1',
      timeout_seconds: 9,
      api_key: 'sk-first',
      test: false,
    })
    await admin('owner', 'POST', '/vendors/v/credentials', {
      name: 'second',
      api_key: 'sk-a',
      test: false,
    })
    await admin('owner', 'POST', '/models', {
      id: 'm',
      type: 'chat',
      name: 'other',
      routes: [{ vendor: 'v', vendor_model: 'm', priority: 0, weight: 1 }],
      prices: { input_per_million: '1', output_per_million: '2' },
    })
    await admin('owner', 'PUT', '/model-aliases/m2', { model: 'm', listed: false })
    for (const [words, [method, path], body, back] of changes) {
      expect((await run(words, { data })).code).toBe(0)
      const here = await lastLine()
      await admin('owner', method, path, back)
      expect((await remote('owner', words)).code).toBe(0)
      const there = await lastLine()
      await admin('owner', method, path, back)
      expect((await admin('owner', method, path, body)).status).toBe(200)
      const http = await lastLine()
      await admin('owner', method, path, back)
      expect(told(there)).toEqual(told(here))
      expect(told(http)).toEqual(told(here))
      expect(here.who).toStartWith('command:')
      for (const { who } of [there, http]) expect(who).toStartWith('operator-key:op-v1-')
    }
  })

  test('may no more than its role, also by money', async () => {
    const refused = await remote('viewer', ['account', 'create', '--name', 'x'])
    expect([refused.code, refused.stderr]).toEqual([
      1,
      'chapar: that takes the role staff; yours is viewer\n',
    ])
    const rate = await remote('staff', ['rate', 'set', '100000', '--json'])
    expect(rate.json<object>()).toMatchObject({ error: { code: 'role_too_low' } })
    const much = await remote('staff', ['topup', '1', '100.01', '--json'])
    expect(much.json<object>()).toMatchObject({ error: { code: 'amount_above_staff' } })
    const byHttp = await admin('staff', 'POST', '/accounts/1/topups', {
      usd: '100.01',
      reference: 'much',
    })
    expect(byHttp).toMatchObject({ status: 403, body: { error: { code: 'amount_above_staff' } } })
    expect((await remote('staff', ['topup', '1', '100'])).code).toBe(0)
    expect((await remote('owner', ['topup', '1', '100.01'])).code).toBe(0)
  })

  test('names no other data and no file of the machine', async () => {
    const other = await remote('owner', ['account', 'list', '--data', '/tmp'])
    expect(other.stderr).toContain('the gateway has its own')
    const elsewhere = ['account', 'list', '--database', 'postgres://127.0.0.1:1/other']
    expect((await remote('owner', elsewhere)).stderr).toContain('the gateway has its own')
    const here = await remote('owner', ['backup', '/tmp/x.backup'])
    expect(here.stderr).toContain('is for the machine of the data')
    const logo = join(data, 'logo.svg')
    writeFileSync(logo, '<svg xmlns="http://www.w3.org/2000/svg"></svg>')
    expect((await remote('owner', ['settings', 'set', 'brand-logo', logo])).code).toBe(0)
    const source = await remote('owner', ['settings', 'set', 'prices-sources', '/etc/passwd'])
    expect(source.stderr).toContain('is for commands on the machine itself')
  })

  test('is checked here before it is sent, and told where no key is known', async () => {
    const misuse = await remote('owner', ['account', 'set'])
    expect(misuse.code).toBe(2)
    expect(misuse.stderr).toContain('missing required')
    const nobody = await run(['--remote', origin(), 'account', 'list'], {
      env: { XDG_CONFIG_HOME: data },
    })
    expect(nobody.stderr).toContain('chapar operator login')
    const wrong = await run(['--remote', origin(), 'account', 'list'], {
      env: { CHAPAR_OPERATOR_KEY: 'op-v1-wrong' },
    })
    expect(wrong.code).toBe(1)
  })

  test('uses the key that was kept, readable by its owner alone', async () => {
    const env = { XDG_CONFIG_HOME: join(data, 'config') }
    const kept = await run(['operator', 'login', origin(), '--json'], {
      env,
      stdin: keys['viewer'] ?? '',
    })
    expect(kept.json<object>()).toMatchObject({ role: 'viewer', url: origin() })
    expect((await run(['--remote', origin(), 'account', 'list'], { env })).code).toBe(0)
    const { statSync } = await import('node:fs')
    expect(statSync(join(data, 'config/chapar/operator-keys.json')).mode & 0o777).toBe(0o600)
    await run(['operator', 'logout', origin()], { env })
    expect((await run(['--remote', origin(), 'account', 'list'], { env })).code).toBe(1)
  })

  test('ends with its key', async () => {
    const made = await remote('owner', [
      'operator',
      'key',
      'create',
      '--name',
      'short',
      '--role',
      'viewer',
      '--expires',
      'none',
      '--json',
    ])
    const { id, key } = made.json<{ id: number; key: string }>()
    const env = { CHAPAR_OPERATOR_KEY: key }
    expect((await run(['--remote', origin(), 'rate', 'history'], { env })).code).toBe(0)
    await remote('owner', ['operator', 'key', 'revoke', String(id)])
    const after = await run(['--remote', origin(), 'rate', 'history'], { env })
    expect([after.code, after.stdout]).toEqual([1, ''])
    expect(after.stderr).not.toBe('')
  })
})
