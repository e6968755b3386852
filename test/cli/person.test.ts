import { expect, test } from 'bun:test'
import { openTerminal } from './terminal'
import { openStorage } from '../../src/storage/sqlite/open-storage'
import { systemClock } from '../../src/domain/clock'
import type { Phone } from '../../src/people/phone'

test('an operator lists people, moves a number, and takes that back', async () => {
  const terminal = openTerminal()
  const storage = openStorage({ folder: terminal.data, exclusive: false, clock: systemClock })
  await storage.people.begin('+989123456789' as Phone, { account: 'a', project: 'b' })
  await storage.close()
  expect((await terminal.run('person', 'list')).stdout).toContain('0912 ··· 6789')
  const none = await terminal.json<object>('person', 'list', '--phone', '09120000000')
  expect(none).toEqual({ object: 'list', data: [] })
  expect((await terminal.run('person', 'move', '1')).stderr).toContain('--to, or --away')
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
