import { expect, test } from 'bun:test'
import { openTerminal } from './terminal'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { systemClock } from '../../src/domain/clock'
import { openMembers } from '../../src/business/users/members'
import type { Phone } from '../../src/domain/phone'

test('an operator lists people, moves a number, and takes that back', async () => {
  const terminal = openTerminal()
  const storage = openStorage({ folder: terminal.data, exclusive: false, clock: systemClock })
  await storage.people.begin('+989123456789' as Phone, { account: 'a', project: 'b' })
  await storage.close()
  expect((await terminal.run('person', 'list')).stdout).toContain('0912 ··· 6789')
  const none = await terminal.json<object>('person', 'list', '--phone', '09120000000')
  expect(none).toEqual({ object: 'list', data: [] })
  expect((await terminal.run('person', 'move', '1')).stderr).toContain('--to: is needed')
  expect((await terminal.run('person', 'move', '1', '--to', '09123456789')).stderr).toContain(
    'number already',
  )
  const moved = await terminal.run('person', 'move', '1', '--to', '09120000001')
  expect(moved.stdout).toContain('signs in by 0912 000 0001')
  expect((await terminal.run('person', 'keep', '1')).code).toBe(0)
  expect((await terminal.run('person', 'keep', '1')).code).toBe(1)
  const unlocked = await terminal.json<object>('person', 'unlock', '۰۹۱۲۳۴۵۶۷۸۹')
  expect(unlocked).toMatchObject({ phone: '0912 ··· 6789', codes: 0, wrong: 0 })
  const trail = await terminal.run('trail', 'list', '--subject', 'person:1')
  expect(trail.stdout).toContain('person.plan_move')
  expect(trail.stdout).toContain('person.cancel_move')
  expect(trail.stdout).toContain('person.unlock')
  terminal.close()
})

test('a move tells of keys that the person made, and revokes them where it is told to', async () => {
  const terminal = openTerminal()
  const storage = openStorage({ folder: terminal.data, exclusive: false, clock: systemClock })
  const names = { account: 'a', project: 'b' }
  const { person, account } = await storage.people.begin('+989123456789' as Phone, names)
  const [project] = await storage.directory.listProjects(account)
  const key = { project: project?.id ?? expect.unreachable(), prefix: 'sk', madeBy: person }
  for (const name of ['laptop', 'server'])
    await storage.directory.createKey({ ...key, name }, `hash of ${name}`)
  await storage.close()
  const kept = await terminal.run('person', 'move', '1', '--away')
  expect(kept.stdout).toContain(
    `keys that they made go on working: 1 laptop (account ${account}), 2 server (account ${account}); --revoke-keys ends them`,
  )
  const moved = await terminal.json<object>('person', 'move', '1', '--away', '--revoke-keys')
  expect(moved).toMatchObject({ keys: [{ id: 1 }, { id: 2 }], keys_revoked: true })
  expect((await terminal.run('key', 'list')).stdout).toContain('revoked')
  expect((await terminal.run('person', 'move', '1', '--away')).stdout).not.toContain('keys that')
  terminal.close()
})

test('a move tells of everything else by which whoever had the number stays in', async () => {
  const terminal = openTerminal()
  const storage = openStorage({ folder: terminal.data, exclusive: false, clock: systemClock })
  const names = { account: 'a', project: 'b' }
  const { person, account } = await storage.people.begin('+989123456789' as Phone, names)
  const members = openMembers({
    store: storage.memberships,
    clock: systemClock,
    tellInvited: () => {},
  })
  const owner = { person, account, role: 'owner' } as const
  const guest = await storage.people.begin('+989120000001' as Phone, names)
  const { id } = await members.invite(owner, '09120000001', 'owner')
  await members.accept(guest.person, id)
  await members.invite(owner, '09120000002', 'member')
  const url = 'https://hooks.example.com/secret'
  await storage.accountWebhooks.save(person, account, { url, secret: 's' })
  const code = { email: 'sara@example.com', hash: 'h', sent: systemClock.now(), wrong: 0 }
  await storage.holderSettings.emailCode(person, () => ({
    code: { ...code, expires: systemClock.now(), count: 1, since: systemClock.now() },
    answer: null,
  }))
  await storage.holderSettings.confirmEmail(person)
  await storage.close()
  const { stdout } = await terminal.run('person', 'move', '1', '--away')
  expect(stdout).toContain('their e-mail address stays: s···@example.com')
  expect(stdout).toContain(`webhooks that they set stay: https://hooks.example.com/··· (account 1)`)
  expect(stdout).toContain('open invitations by them end then: 0912 ··· 0002 as member (account 1)')
  expect(stdout).toContain(
    'members by their invitations stay: person 2 0912 ··· 0001 as owner (account 1)',
  )
  expect(await terminal.json<object>('person', 'move', '1', '--away')).toMatchObject({
    email: 's···@example.com',
    webhooks: [{ account: 1, url: 'https://hooks.example.com/···' }],
    invitations: [{ account: 1, phone: '0912 ··· 0002', role: 'member' }],
    members: [{ account: 1, person: 2, phone: '0912 ··· 0001', role: 'owner' }],
  })
  terminal.close()
})
