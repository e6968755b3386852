import { afterEach, beforeEach, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import { parsePhone } from '../../src/domain/phone'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { parseNationalCode } from '../../src/business/verification/national-code'
import { mailUser, openMailStandIn, readLetter } from '../support/mail-server'
import { run } from '../support/executable'
import { openTerminal, type Terminal } from './terminal'

let terminal: Terminal
beforeEach(async () => {
  terminal = openTerminal()
  await terminal.make()
})
afterEach(() => terminal.close())

const code = '0012345679'

/** Accounts of people who wait to be verified by one code. */
async function submitted(...phones: readonly string[]): Promise<void> {
  const storage = openStorage({ folder: terminal.data, exclusive: false, clock: systemClock })
  try {
    for (const typed of phones) {
      const phone = parsePhone(typed)
      const nationalCode = parseNationalCode(code)
      if (phone === null || nationalCode === null) throw new Error('no phone, or no code')
      const who = await storage.people.begin(phone, { account: 'Sara', project: 'one' })
      const identity = {
        firstName: 'Sara',
        lastName: 'Rezaei',
        birthDate: '1990-03-21',
        nationalCode,
      }
      const submission = {
        ...who,
        identity,
        provider: 'manual' as const,
        at: systemClock.now(),
      }
      await storage.verifications.submit(submission, { personAccounts: 1, triesPerDay: 3 })
    }
  } finally {
    await storage.close()
  }
}

test('a request is listed, shown and decided; its code is whole for whoever asks, who is in the trail', async () => {
  await submitted('09123456789')
  const list = await terminal.run('verification', 'list')
  expect(list.stdout).toMatch(/1 +submitted +Sara Rezaei +······5679 +0912 ··· 6789/)
  const shown = await terminal.run('verification', 'show', '1')
  expect(list.stdout + shown.stdout).not.toContain(code)
  const whole = await terminal.json<object>('verification', 'show', '1', '--national-code')
  expect(whole).toMatchObject({ national_code: code, state: 'submitted' })
  expect((await terminal.run('verification', 'approve', '1')).stdout).toContain('is verified')
  expect(await terminal.json<object>('account', 'show', '1')).toMatchObject({ verified: true })
  const again = await terminal.run('verification', 'approve', '1')
  expect([again.code, again.stderr]).toEqual([
    1,
    'chapar: the verification of account 1 is approved already\n',
  ])
  await terminal.run('verification', 'reject', '1', '--reason', 'forged')
  expect(await terminal.json<object>('account', 'show', '1')).toMatchObject({ verified: false })
  const trail = await terminal.run('trail', 'list', '--json')
  for (const what of ['submit', 'reveal', 'approve', 'reject'])
    expect(trail.stdout).toContain(`verification.${what}`)
  expect(trail.stdout).not.toContain(code)
  expect(readFileSync(join(terminal.data, 'chapar.db')).includes(code)).toBe(false)
})

test('a code verifies as many accounts as person-accounts says', async () => {
  await submitted('09123456789', '09120000001')
  await terminal.run('verification', 'approve', '1')
  const second = await terminal.run('verification', 'approve', '2')
  expect(second.stderr).toContain('another account is verified by this national code')
  await terminal.run('settings', 'set', 'person-accounts', '2')
  expect((await terminal.run('verification', 'approve', '2')).code).toBe(0)
})

test('what is not there is said so', async () => {
  for (const words of [['show'], ['approve'], ['reject', '--reason', 'why']]) {
    const [verb = '', ...rest] = words
    const { code: exit, stderr } = await terminal.run('verification', verb, '7', ...rest)
    expect([exit, stderr.includes('account 7 has sent nothing')]).toEqual([1, true])
  }
})

test('a service that decides is set up with a sealed secret, and taken away', async () => {
  const words = ['verification', 'set', '--url', 'https://check.example/shahkar']
  const set = await run([...words, '--pointer', '/ok', '--secret-stdin', '--json'], {
    data: terminal.data,
    stdin: 'very-secret-key\n',
  })
  expect(set.json<object>()).toMatchObject({
    object: 'verification_checker',
    url: 'https://check.example/shahkar',
    body: '{"national_code":"{national_code}","mobile":"{mobile}"}',
    pointer: '/ok',
    header: 'authorization',
    secret: '•••',
  })
  const shown = await terminal.run('verification', 'service')
  const trail = await terminal.run('trail', 'list', '--json')
  expect(set.stdout + shown.stdout + trail.stdout).not.toContain('very-secret-key')
  expect(readFileSync(join(terminal.data, 'chapar.db')).includes('very-secret-key')).toBe(false)
  for (const [option, value, why] of [
    ['--url', 'http://check.example', 'not an https address'],
    ['--body', '{"mobile":"{mobile}"}', 'with {national_code} in it'],
    ['--pointer', 'data', 'not a JSON pointer'],
    ['--header', 'a b', 'name of a header'],
  ] as const)
    expect((await terminal.run(...words, option, value)).stderr).toContain(why)
  expect((await terminal.run('verification', 'unset')).code).toBe(0)
  expect((await terminal.run('verification', 'unset')).stderr).toContain('people do')
})

test('the mail server is set up with a sealed password, tried and removed', async () => {
  const mail = await openMailStandIn()
  try {
    const words = ['mail', 'set', '--host', 'localhost', '--port', String(mail.port)]
    const more = ['--security', 'none', '--user', mailUser.user, '--from', 'Chapar <a@example.com>']
    const set = await run([...words, ...more, '--password-stdin'], {
      data: terminal.data,
      stdin: `${mailUser.password}\n`,
    })
    expect(set.code).toBe(0)
    const sent = await terminal.run('mail', 'test', 'sara@example.com')
    expect([sent.code, sent.stderr]).toEqual([0, ''])
    const [letter] = await mail.until(1)
    expect(letter?.to).toEqual(['sara@example.com'])
    expect(readLetter(letter?.raw ?? '')).toMatchObject({ subject: 'chapar: This is a sample' })
    const shown = await terminal.run('mail', 'show')
    const trail = await terminal.run('trail', 'list', '--json')
    expect(shown.stdout).toContain('•••')
    expect(shown.stdout + trail.stdout).not.toContain(mailUser.password)
    mail.refuse(550)
    const refused = await terminal.run('mail', 'test', 'sara@example.com')
    expect([refused.code, refused.stderr]).toEqual([
      1,
      'chapar: localhost did not take the letter: 550\n',
    ])
    expect((await terminal.run('mail', 'remove')).code).toBe(0)
    expect((await terminal.run('mail', 'test', 'a@example.com')).stderr).toContain(
      'mail set --help',
    )
  } finally {
    await mail.close()
  }
})

test.each([
  [['--host', 'smtp.example.com', '--from', 'nobody'], 'neither an address'],
  [['--host', 'a b', '--from', 'a@example.com'], 'not the name of a host'],
  [['--host', 'smtp.example.com', '--security', 'none', '--from', 'a@example.com'], 'on its way'],
  [['--host', 'smtp.example.com', '--user', 'u', '--from', 'a@example.com'], 'needs a password'],
] as const)('a mail server %p is refused', async (options, why) => {
  const refused = await terminal.run('mail', 'set', ...options)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(why)
})

test('an account is closed by a command, its balance given up by its name', async () => {
  await submitted('09123456789')
  await terminal.run('topup', '1', '5')
  const kept = await terminal.run('account', 'close', '1')
  expect(kept.stderr).toContain('has $5.000000 left')
  const other = await terminal.run('account', 'close', '1', '--give-up', 'Reza')
  expect(other.stderr).toContain('not the name')
  expect(await terminal.json<object>('account', 'close', '1', '--give-up', 'sara')).toMatchObject({
    closed: true,
    people: 1,
  })
  expect(await terminal.json<object>('account', 'show', '1')).toMatchObject({
    name: 'closed 1',
    status: 'suspended',
    balance: { usd: '0.000000' },
  })
  expect((await terminal.run('account', 'close', '1')).stderr).toContain('account 1 is closed')
  expect(await terminal.json<object>('audit')).toMatchObject({ ok: true })
})
