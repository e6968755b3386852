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
