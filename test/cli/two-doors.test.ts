import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { operationRows } from '../../src/business/operations/table'
import { operatorRoles, type OperatorRole } from '../../src/domain/fields/operator-fields'
import { mayAs } from '../../src/domain/role'
import { registry } from '../../src/gateway/settings/registry'
import { run, serve, temporaryFolder, type Serving } from '../support/executable'

/*
 * A rule holds whichever way a change comes in: as an operation of HTTP, or as a command with `--remote`.
 */

const data = temporaryFolder()
let serving: Serving
const keys: Record<string, string> = {}

interface Told {
  readonly error?: { readonly code?: string }
}

const byCommand = async (role: string, args: readonly string[], stdin = ''): Promise<string> => {
  const { code, stdout, stderr } = await run(['--remote', serving.url, ...args, '--json'], {
    env: { CHAPAR_OPERATOR_KEY: keys[role] ?? '' },
    stdin,
  })
  if (code === 0) return 'done'
  if (stdout === '') return stderr
  const { error } = JSON.parse(stdout) as Told & { error?: { message: string } }
  return error?.code ?? `no code: ${error?.message}`
}

const byHttp = async (
  role: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly code: string; readonly body: never }> => {
  const response = await fetch(`${new URL(serving.url).origin}/admin/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${keys[role]}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Told
  return { code: response.ok ? 'done' : (answer.error?.code ?? ''), body: answer as never }
}

const made = async (path: string, body: object): Promise<number> =>
  ((await byHttp('owner', 'POST', path, body)).body as { id: number }).id

const newKey = async (role: OperatorRole): Promise<string> => {
  const words = ['operator', 'key', 'create', '--name', role, '--role', role, '--expires', '1d']
  return (await run(words, { data })).stdout.trim()
}

interface Place {
  readonly account: number
  readonly closed: number
  readonly project: number
  readonly key: number
  readonly revoked: number
  readonly group: number
}
let place: Place

beforeAll(async () => {
  serving = await serve(['--data', data, '--sandbox'])
  for (const role of operatorRoles) keys[role] = await newKey(role)
  const account = await made('/accounts', { name: 'A' })
  const closed = await made('/accounts', { name: 'B' })
  const project = await made(`/accounts/${account}/projects`, { name: 'p' })
  const limits = { spend_limit_usd: '1' }
  const key = await made(`/projects/${project}/keys`, { name: 'k', ...limits })
  const revoked = await made(`/projects/${project}/keys`, { name: 'r', ...limits })
  await byHttp('owner', 'DELETE', `/keys/${revoked}`)
  const group = await made('/groups', { name: 'gold' })
  await run(['account', 'close', String(closed)], { data })
  place = { account, closed, project, key, revoked, group }
})
afterAll(async () => {
  serving.kill('SIGTERM')
  await serving.exited
  rmSync(data, { recursive: true, force: true })
})

describe('commands of operations', () => {
  test('an operation that commands do not do has no twin under another name', () => {
    const apart = operationRows
      .filter(({ commands }) => commands.length === 0)
      .map(({ name }) => name)
    // These are pages, searches and parts of commands that have other names.
    expect(apart).toEqual([
      'identity.get',
      'account.phones',
      'account.look',
      'note.list',
      'note.add',
      'note.remove',
      'person.unlock',
      'group.rule.list',
      'group.rule.set',
      'group.rule.remove',
      'account.statement',
      'project.list',
      'key.list',
      'request.refused',
      'live.list',
      'live.stop',
      'realtime.list',
      'verification.code',
      'notice.sample',
      'checklist.get',
      'search.find',
      'trail.undo',
      'model.import_preview',
      'price_check.last',
      'vendor.kinds',
      'bill.fetch',
      'overview.get',
      'health.get',
      'health.doctor',
      'health.backup',
      'operator.link',
    ])
  })
})

interface Guarded {
  readonly what: string
  readonly words: (place: Place) => readonly string[]
  readonly http: (place: Place) => readonly [method: string, path: string, body: object]
  /** What an owner comes to; other roles come to the same, or to `role_too_low`. */
  readonly owner: string
  readonly staff?: string
}

/** Every rule that an operation or its command refuses by, which is not a matter of what was typed. */
const guarded: readonly Guarded[] = [
  {
    what: 'an SMS provider that runs a program',
    words: () => ['sms', 'set', 'x', '--provider', 'command', '--option', 'command=/bin/true'],
    http: () => ['PUT', '/sms-providers/x', { kind: 'command', options: { command: '/bin/true' } }],
    owner: 'only_on_machine',
  },
  {
    what: 'prices from a file',
    words: () => ['settings', 'set', 'prices-sources', '/etc/passwd'],
    http: () => ['PUT', '/settings/prices-sources', { value: '/etc/passwd' }],
    owner: 'only_on_machine',
  },
  {
    what: 'prices from the address of a file',
    words: () => ['settings', 'set', 'prices-sources', 'FILE:///etc/passwd'],
    http: () => ['PUT', '/settings/prices-sources', { value: 'FILE:///etc/passwd' }],
    owner: 'only_on_machine',
  },
  {
    what: 'addresses of operators without one’s own',
    words: () => ['settings', 'set', 'operator-addresses', '10.0.0.0/8'],
    http: () => ['PUT', '/settings/operator-addresses', { value: '10.0.0.0/8' }],
    owner: 'locks_you_out',
  },
  {
    what: 'a setting that is not valid',
    words: () => ['settings', 'set', 'day-capacity', 'much'],
    http: () => ['PUT', '/settings/day-capacity', { value: 'much' }],
    owner: 'setting_invalid',
  },
  {
    what: 'a top-up of a closed account',
    words: ({ closed }) => ['topup', String(closed), '1'],
    http: ({ closed }) => ['POST', `/accounts/${closed}/topups`, { usd: '1', reference: 'closed' }],
    owner: 'account_closed',
  },
  {
    what: 'coins without a rate',
    words: ({ account }) => ['topup', String(account), '--coins', '500000'],
    http: ({ account }) => [
      'POST',
      `/accounts/${account}/topups`,
      { coins: 500_000, reference: 'coins' },
    ],
    owner: 'rate_not_set',
  },
  {
    what: 'a change of a closed account',
    words: ({ closed }) => ['account', 'set', String(closed), '--name', 'again'],
    http: ({ closed }) => ['PATCH', `/accounts/${closed}`, { name: 'again' }],
    owner: 'account_closed',
  },
  {
    what: 'a change of no account',
    words: () => ['account', 'set', '99', '--name', 'x'],
    http: () => ['PATCH', '/accounts/99', { name: 'x' }],
    owner: 'account_not_found',
  },
  {
    what: 'an account in a group',
    words: () => ['account', 'create', '--name', 'grouped', '--group', 'gold'],
    http: ({ group }) => ['POST', '/accounts', { name: 'grouped', group }],
    owner: 'done',
    staff: 'role_too_low',
  },
  {
    what: 'another group',
    words: ({ account }) => ['account', 'set', String(account), '--group', 'gold'],
    http: ({ account, group }) => ['PATCH', `/accounts/${account}`, { group }],
    owner: 'done',
    staff: 'role_too_low',
  },
  {
    what: 'an account as verified',
    words: ({ account }) => ['account', 'set', String(account), '--verified'],
    http: ({ account }) => ['PATCH', `/accounts/${account}`, { verified: true }],
    owner: 'done',
    staff: 'role_too_low',
  },
  {
    what: 'another ceiling before verification',
    words: ({ account }) => ['account', 'set', String(account), '--unverified-ceiling', '900'],
    http: ({ account }) => ['PATCH', `/accounts/${account}`, { unverified_ceiling_usd: '900' }],
    owner: 'done',
    staff: 'role_too_low',
  },
  {
    what: 'a project of a closed account',
    words: ({ closed }) => ['project', 'create', '--account', String(closed), '--name', 'x'],
    http: ({ closed }) => ['POST', `/accounts/${closed}/projects`, { name: 'x' }],
    owner: 'account_closed',
  },
  {
    what: 'a change of no project',
    words: () => ['project', 'set', '99', '--name', 'x'],
    http: () => ['PATCH', '/projects/99', { name: 'x' }],
    owner: 'project_not_found',
  },
  {
    what: 'a key without a limit',
    words: ({ project }) => ['key', 'create', '--project', String(project), '--name', 'open'],
    http: ({ project }) => ['POST', `/projects/${project}/keys`, { name: 'open' }],
    owner: 'done',
    staff: 'key_limit_needed',
  },
  {
    what: 'a key with a large limit',
    words: ({ project }) => [
      'key',
      'create',
      '--project',
      String(project),
      '--name',
      'large',
      '--spend-limit',
      '101',
    ],
    http: ({ project }) => [
      'POST',
      `/projects/${project}/keys`,
      { name: 'large', spend_limit_usd: '101' },
    ],
    owner: 'done',
    staff: 'amount_above_staff',
  },
  {
    what: 'a key faster than an account without a ceiling',
    words: ({ project }) => [
      'key',
      'create',
      '--project',
      String(project),
      '--name',
      'fast',
      '--spend-limit',
      '1',
      '--rpm',
      '2000000',
    ],
    http: ({ project }) => [
      'POST',
      `/projects/${project}/keys`,
      { name: 'fast', spend_limit_usd: '1', rpm_limit: 2_000_000 },
    ],
    owner: 'done',
  },
  {
    what: 'a revoked key that is switched on',
    words: ({ revoked }) => ['key', 'enable', String(revoked)],
    http: ({ revoked }) => ['PUT', `/keys/${revoked}/on`, { on: true }],
    owner: 'key_revoked',
  },
  {
    what: 'a change of a revoked key',
    words: ({ revoked }) => ['key', 'set', String(revoked), '--name', 'x'],
    http: ({ revoked }) => ['PATCH', `/keys/${revoked}`, { name: 'x' }],
    owner: 'key_revoked',
  },
  {
    what: 'a limit that is lifted',
    words: ({ key }) => ['key', 'set', String(key), '--spend-limit', 'none'],
    http: ({ key }) => ['PATCH', `/keys/${key}`, { spend_limit_usd: null }],
    owner: 'done',
    staff: 'key_limit_needed',
  },
  {
    what: 'a large correction',
    words: ({ account }) => ['account', 'adjust', String(account), '100.01', '--reason', 'x'],
    http: ({ account }) => [
      'POST',
      `/accounts/${account}/adjustments`,
      { usd: '100.01', reason: 'x', reference: `large-${Bun.randomUUIDv7()}` },
    ],
    owner: 'done',
    staff: 'amount_above_staff',
  },
  {
    what: 'many codes',
    words: () => ['code', 'create', '--usd', '50', '--count', '3'],
    http: () => ['POST', '/codes', { usd: '50', count: 3 }],
    owner: 'done',
    staff: 'amount_above_staff',
  },
  {
    what: 'the last owner',
    words: () => ['operator', 'remove', 'nobody'],
    http: () => ['DELETE', '/operators/nobody', {}],
    owner: 'operator_not_found',
  },
  {
    what: 'the refund of no call',
    words: () => ['requests', 'refund', 'req_none'],
    http: () => ['POST', '/requests/req_none/refund', {}],
    owner: 'call_not_found',
  },
  {
    what: 'the verification of nobody',
    words: () => ['verification', 'approve', '99'],
    http: () => ['POST', '/verifications/99/approval', {}],
    owner: 'verification_not_found',
  },
]

describe.each([...operatorRoles])('a key of a %s', (role) => {
  test.each(guarded.map((each) => [each.what, each] as const))(
    'comes to the same by HTTP and by command: %s',
    async (_, { words, http, owner, staff = owner }) => {
      const [method, path, body] = http(place)
      const there = await byHttp(role, method, path, body)
      const sent = await byCommand(role, words(place))
      expect(sent).toBe(there.code)
      const least = operationRows.find(
        (row) =>
          row.method === method &&
          new RegExp(`^${row.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
      )?.role
      const expected = { owner, staff, viewer: 'role_too_low' }[role]
      expect(there.code).toBe(mayAs(role, least ?? 'owner') ? expected : 'role_too_low')
      if (there.code === 'done') await putBack()
    },
  )
})

/** What the rows above change, so that each finds what it says. */
const putBack = async (): Promise<void> => {
  const { account, key } = place
  const asBefore = { group: null, verified: false, unverified_ceiling_usd: null }
  await byHttp('owner', 'PATCH', `/accounts/${account}`, asBefore)
  await byHttp('owner', 'PATCH', `/keys/${key}`, { spend_limit_usd: '1' })
}

describe('a command alone', () => {
  test('moves a person for owners only', async () => {
    expect(await byCommand('staff', ['person', 'move', '1', '--away'])).toBe('role_too_low')
    expect(await byCommand('owner', ['person', 'move', '1', '--away'])).toBe('person_not_found')
  })

  test('counts a balance that staff gives up by closing an account', async () => {
    const holding = async (usd: string): Promise<number> => {
      const account = await made('/accounts', { name: 'rich' })
      const paid = { usd, reference: `rich-${account}` }
      expect((await byHttp('owner', 'POST', `/accounts/${account}/topups`, paid)).code).toBe('done')
      return account
    }
    const close = (role: OperatorRole, account: number) =>
      byCommand(role, ['account', 'close', String(account), '--give-up', 'rich'])
    const balanceOf = async (account: number) =>
      (await byHttp('owner', 'GET', `/accounts/${account}`)).body as object
    const rich = await holding('5000')
    expect(await close('staff', rich)).toBe('amount_above_staff')
    expect(await balanceOf(rich)).toMatchObject({ balance_usd: '5000.000000', status: 'active' })
    const { staffDay } = registry
    const setDay = (value: string) =>
      byHttp('owner', 'PUT', `/settings/${staffDay.name}`, { value })
    await setDay('80')
    const [first, second] = [await holding('60'), await holding('60')]
    expect(await close('staff', first)).toBe('done')
    expect(await close('staff', second)).toBe('staff_day_used')
    expect(await balanceOf(second)).toMatchObject({ balance_usd: '60.000000', status: 'active' })
    await setDay(staffDay.preset)
    for (const account of [second, rich]) expect(await close('owner', account)).toBe('done')
  })

  test('finds people by a phone for staff only', async () => {
    const words = ['person', 'list', '--phone', '09120000001']
    expect(await byCommand('viewer', words)).toBe('role_too_low')
    expect(await byCommand('staff', words)).toBe('done')
    expect(await byCommand('viewer', ['person', 'list'])).toBe('done')
  })

  test('reads no file of prices by an address', async () => {
    for (const source of ['/etc/passwd', 'file:///etc/passwd'])
      expect(await byCommand('owner', ['prices', 'check', '--source', source])).toBe(
        'only_on_machine',
      )
  })

  test('tells a national code to staff only', async () => {
    const words = ['verification', 'show', '1', '--national-code']
    expect(await byCommand('staff', words)).toBe('verification_not_found')
    expect(await byCommand('viewer', words)).toBe('role_too_low')
  })
})
