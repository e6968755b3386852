import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../support/executable'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(async () => {
  terminal = openTerminal()
  await terminal.make()
})
afterEach(() => terminal.close())

test('a provider is set up, listed and removed; its key is sealed and in no output', async () => {
  const { data } = terminal
  const words = ['sms', 'set', 'main', '--provider', 'kavenegar', '--option']
  const set = await run([...words, 'template=chapar', '--key-stdin', '--json'], {
    data,
    stdin: 'very-secret-key\n',
  })
  expect(set.json<object>()).toMatchObject({
    object: 'sms_provider',
    name: 'main',
    provider: 'kavenegar',
    options: { template: 'chapar' },
    key: '•••',
  })
  // What is not said again stays as it is kept.
  const again = await terminal.run(...words, 'template=other')
  expect(again.code).toBe(0)
  const list = await terminal.run('sms', 'list')
  expect(list.stdout).toContain('template=other')
  expect(list.stdout).toContain('•••')
  const trail = await terminal.run('trail', 'list', '--json')
  expect(set.stdout + list.stdout + trail.stdout).not.toContain('very-secret-key')
  expect(readFileSync(join(data, 'chapar.db')).includes('very-secret-key')).toBe(false)
  expect((await terminal.run('sms', 'remove', 'main')).code).toBe(0)
  expect((await terminal.run('sms', 'remove', 'main')).stderr).toContain('no provider main')
})

test.each([
  [['kavenegar', '--option', 'template=x'], 'needs a key'],
  [['command'], 'needs --option command='],
  [['command', '--option', 'command=a', '--option', 'colour=red'], 'no option colour'],
] as const)('a provider %p is refused', async ([kind, ...rest], why) => {
  const refused = await terminal.run('sms', 'set', 'main', '--provider', kind, ...rest)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(why)
})

/** Does something in a shell that begins gateways in demo mode. */
async function inDemo<T>(work: () => Promise<T>): Promise<T> {
  process.env['CHAPAR_DEMO'] = '1'
  try {
    return await work()
  } finally {
    delete process.env['CHAPAR_DEMO']
  }
}

test('a third provider is refused, and one that prints codes outside of demo mode', async () => {
  const set = (name: string) => terminal.run('sms', 'set', name, '--provider', 'log')
  expect((await set('a')).stderr).toContain('CHAPAR_DEMO=1')
  await inDemo(async () => {
    expect((await set('a')).code).toBe(0)
    expect((await set('b')).code).toBe(0)
    expect((await set('c')).stderr).toContain('2 providers')
  })
})

test('a provider is tried with a code of its own', async () => {
  const test = () => terminal.run('sms', 'test', 'a', '۰۹۱۲۳۴۵۶۷۸۹')
  await inDemo(async () => {
    await terminal.run('sms', 'set', 'a', '--provider', 'log')
    expect((await test()).stdout).toContain(': 123456')
  })
  expect((await test()).stderr).toContain('not_in_demo')
  expect((await terminal.run('sms', 'test', 'a', '123')).stderr).toContain(
    '<phone>: must be an Iranian mobile number',
  )
})
