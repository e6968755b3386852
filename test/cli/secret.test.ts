import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDemoAccount } from '../../src/cli/local/demo-account'
import { run } from '../support/executable'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
let file = ''
beforeEach(async () => {
  terminal = openTerminal()
  await openDemoAccount(terminal.data)
  file = join(terminal.data, 'secret.key')
  const credential = ['--base-url', 'https://vendor.example/v1', '--api-key', 'a-credential-kept']
  await terminal.run(
    'vendor',
    'add',
    '--name',
    'kept',
    '--kind',
    'openai',
    '--no-test',
    ...credential,
  )
})
afterEach(() => terminal.close())

test.each(['gone', 'of another'])(
  'a folder whose secret.key is %s opens again with a new one, and its money is as it was',
  async (state) => {
    await run(['gateway', 'set', 'cards', '--kind', 'zibal', '--secret-stdin'], {
      data: terminal.data,
      stdin: 'merchant',
    })
    await terminal.run('code', 'create', '--usd', '1', '--count', '2')
    const before = await terminal.json<object>('account', 'show', '1')
    rmSync(file)
    if (state === 'of another') writeFileSync(file, Buffer.alloc(64), { mode: 0o600 })
    const lost = await terminal.run('account', 'show', '1')
    expect({ code: lost.code, stderr: lost.stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('chapar secret renew') as string,
    })

    const asked = await terminal.run('secret', 'renew')
    expect(asked.stderr).toContain('every key would be revoked')
    expect((await terminal.run('account', 'show', '1')).code).toBe(1)

    expect(await terminal.json<object>('secret', 'renew', '--yes')).toEqual({
      object: 'secret',
      revoked: 1,
      vendors: ['kept'],
      sms_providers: [],
      gateways: ['cards'],
      redeem_codes: 2,
      sister: false,
      connections: [],
      webhooks: 0,
      verifications: 0,
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await terminal.json<object>('account', 'show', '1')).toEqual(before)
    expect(await terminal.json<object>('audit')).toMatchObject({ ok: true })
    const keys = await terminal.json<{ data: object[] }>('key', 'list')
    expect(keys.data).toMatchObject([{ status: 'revoked' }])
    const vendors = await terminal.json<{ data: object[] }>('vendor', 'list')
    expect(vendors.data).toMatchObject([{ name: 'kept', active: false, api_key: null }])
    expect((await terminal.run('key', 'create', '--project', '1', '--name', 'new')).code).toBe(0)
    const kept = readdirSync(terminal.data).filter((name) => name.startsWith('secret.key.'))
    expect(kept).toHaveLength(state === 'gone' ? 0 : 1)
  },
)

test('nobody renews what the machines on a shared database have in common', async () => {
  const shared = await terminal.run(
    'secret',
    'renew',
    '--yes',
    '--database',
    'postgres://chapar@127.0.0.1/chapar',
  )
  expect(shared).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('all machines on a database have the same') as string,
  })
})

test('there is nothing to renew where there is no database', async () => {
  const { code, stderr } = await terminal.run('secret', 'renew', '--yes', '--data', `${file}.none`)
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no database') as string,
  })
})
