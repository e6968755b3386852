import { expect, test } from 'bun:test'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { migrations } from '../../src/storage/migrations.macro'
import { connect } from '../../src/storage/sqlite/connect'
import { migrate } from '../../src/storage/sqlite/migrate'
import { testFolder } from './folder'

const steps = migrations()
const before = steps.slice(
  0,
  steps.findIndex(({ sql }) => sql.join().includes('price_proposals_kind')),
)

test('proposals of the release before keep their numbers, and what became of them', async () => {
  expect(before.length).toBeLessThan(steps.length)
  using folder = testFolder()
  writeFileSync(join(folder.path, 'secret.key'), randomBytes(64), { mode: 0o600 })
  const connection = connect(join(folder.path, 'chapar.db'))
  migrate(connection, { folder: folder.path, locked: false, migrations: before })
  const lines = [{ meter: 'input', unit: 'million', price: '3' }] as const
  const add = connection.raw.prepare(
    `INSERT INTO price_proposals (id, model, lines, rule, cause, created, status, by, decided)
     VALUES (?, ?, ?, 1, 'a release', 5, ?, ?, ?)`,
  )
  add.run(3, 'a', JSON.stringify(lines), 'rejected', 'command:ali', 6)
  add.run(7, 'b', JSON.stringify(lines), 'pending', null, null)
  connection.close()
  const { prices } = folder.open(true)
  const { pending, rejected } = await prices.state()
  expect([...pending.values()]).toMatchObject([{ id: 7, kind: 'sale', model: 'b', lines, rule: 1 }])
  expect(rejected.get('a')).toEqual([...lines])
  const all = await prices.proposals(null)
  expect(all.map(({ id, kind, status, by }) => ({ id, kind, status, by }))).toEqual([
    { id: 7, kind: 'sale', status: 'pending', by: null },
    { id: 3, kind: 'sale', status: 'rejected', by: 'command:ali' },
  ])
})
