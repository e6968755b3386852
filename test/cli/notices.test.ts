import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseUsd } from '../../src/domain/money'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { openDesk } from '../notices/desk'
import { customer, handClock } from '../storage/folder'
import { openReceiver, receiverSecret, type Receiver } from '../support/receiver'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
let receiver: Receiver
beforeEach(() => {
  terminal = openTerminal()
  receiver = openReceiver()
  process.env['CHAPAR_LOG'] = 'silent'
})
afterEach(async () => {
  terminal.close()
  await receiver.close()
})

/** A key that spent its limit, and an account below its floor. */
async function spendAll(): Promise<void> {
  const clock = handClock()
  const storage = openStorage({ folder: terminal.data, exclusive: true, clock })
  const caller = await customer(storage, {
    usd: '5',
    account: { name: 'Sara', noticeFloor: parseUsd('4.5') },
    key: { name: 'laptop', spendLimit: parseUsd('1') },
  })
  const { ledger, spend } = openDesk(storage, clock)
  await spend(caller, '1')
  const [first] = await storage.notices.due('log', clock.now(), clock.now(), 1)
  if (first !== undefined) await storage.notices.delivered(first.notice.id, 'log', clock.now())
  await ledger.close()
  await storage.close()
}

interface Listed {
  readonly data: readonly Record<string, unknown>[]
}

describe('notices list', () => {
  test('shows what was told and how far it came', async () => {
    await spendAll()
    const { data } = await terminal.json<Listed>('notices', 'list')
    expect(data).toMatchObject([
      { kind: 'balance_floor', threshold: null, limit: '4.500000', balance: '4.000000' },
      { kind: 'key_spend_limit', threshold: 100, spent: '1.000000', period: 'lifetime' },
      {
        kind: 'key_spend_limit',
        threshold: 80,
        subject: { type: 'key', account: { name: 'Sara' }, key: { name: 'laptop' } },
        deliveries: [{ channel: 'log', state: 'delivered', attempts: 1, error: null }],
      },
    ])
    const { stdout } = await terminal.run('notices', 'list', '--limit', '1')
    expect(stdout).toContain('account 1 (Sara)')
    expect(stdout).toContain('log pending')
    expect(stdout.trimEnd().split('\n')).toHaveLength(3)
    expect(stdout).toContain('… 2 more: --limit 3')
  })

  test('--pending leaves out what has arrived', async () => {
    await spendAll()
    const { data } = await terminal.json<Listed>('notices', 'list', '--pending')
    expect(data.map(({ kind, threshold }) => [kind, threshold])).toEqual([
      ['balance_floor', null],
      ['key_spend_limit', 100],
    ])
  })
})

describe('notices test', () => {
  beforeEach(() => terminal.run('account', 'create', '--name', 'Sara'))
  const asked = () => terminal.run('notices', 'test')

  test('says that there is only the log when nothing is set', async () => {
    expect(await asked()).toMatchObject({
      code: 0,
      stdout: '✓ log\nonly the log: see CHAPAR_NOTICE_WEBHOOK and CHAPAR_NOTICE_COMMAND\n',
    })
  })

  test('sends a signed sample to the webhook and to the command', async () => {
    const file = join(terminal.data, '..', 'sample.json')
    Object.assign(process.env, {
      CHAPAR_NOTICE_WEBHOOK: receiver.url,
      CHAPAR_NOTICE_SECRET: receiverSecret,
      CHAPAR_NOTICE_COMMAND: JSON.stringify(['tee', file]),
    })
    expect(await asked()).toMatchObject({ code: 0, stdout: '✓ log\n✓ webhook\n✓ command\n' })
    expect(receiver.posted).toMatchObject([{ signed: true, body: { kind: 'sample' } }])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ kind: 'sample' })
  })

  test('exits 1 and says how it went when a channel fails', async () => {
    receiver.answer(() => new Response('no', { status: 401 }))
    Object.assign(process.env, {
      CHAPAR_NOTICE_WEBHOOK: receiver.url,
      CHAPAR_NOTICE_SECRET: receiverSecret,
      CHAPAR_NOTICE_COMMAND: 'false',
    })
    expect(await asked()).toMatchObject({
      code: 1,
      stdout: '✓ log\n✗ webhook: it answered 401\n✗ command: it ended with code 1\n',
    })
  })

  const wrong: readonly [string, Record<string, string>, string][] = [
    ['another scheme', { CHAPAR_NOTICE_WEBHOOK: 'file:///etc/passwd' }, 'http or https address'],
    ['no address', { CHAPAR_NOTICE_WEBHOOK: 'example.com/x' }, 'http or https address'],
    ['no secret', { CHAPAR_NOTICE_WEBHOOK: 'https://example.com' }, 'CHAPAR_NOTICE_SECRET'],
    ['a user name', { CHAPAR_NOTICE_WEBHOOK: 'https://me:x@example.com' }, 'user name'],
    ['a broken list', { CHAPAR_NOTICE_COMMAND: '["a"' }, 'CHAPAR_NOTICE_COMMAND'],
    ['no time', { CHAPAR_NOTICE_TIMEOUT: '0' }, 'CHAPAR_NOTICE_TIMEOUT'],
  ]
  test.each(wrong)('refuses settings with %s', async (_, env, said) => {
    Object.assign(process.env, env)
    const { code, stderr } = await asked()
    expect(code).toBe(1)
    expect(stderr).toContain(said)
  })
})

test('the floor of an account is set and lifted', async () => {
  const floor = async (...args: string[]) =>
    (await terminal.json<{ notice_floor_usd: string | null }>('account', ...args)).notice_floor_usd
  expect(await floor('create', '--name', 'Sara', '--notice-floor', '5')).toBe('5.000000')
  expect(await floor('set', '1', '--notice-floor', '2.5')).toBe('2.500000')
  expect(await floor('set', '1', '--notice-floor', 'none')).toBeNull()
})
