/**
 * Writes what the SQLite schema comes to on PostgreSQL, `drizzle/postgres/meta/schema.sql`, and the step that
 * brings databases in use there: what is new goes into a step of its own, what is another one by now is
 * for people to write.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import journal from '../drizzle/meta/_journal.json'
import { statementsIn } from '../src/storage/postgres-steps.macro'
import { breakpoint, postgresSchema } from './postgres-schema-text'

const folder = join(import.meta.dir, '../drizzle/postgres')
const file = Bun.file(join(folder, 'meta/schema.sql'))

const earlier = new Set(statementsIn(await file.text()))
const schema = postgresSchema()
const now = statementsIn(schema)
const added = now.filter((statement) => !earlier.has(statement))
const gone = earlier.difference(new Set(now))

/** `0005_limits_of_groups`, after the last step and the last migration. */
function nextName(): string {
  const number = nextNumber()
  const tag = journal.entries.at(-1)?.tag.replace(/^\d+_/, '') ?? 'start'
  return `${String(number).padStart(4, '0')}_${tag}`
}

function nextNumber(): number {
  const last = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .at(-1)
  return Number(last?.slice(0, 4) ?? -1) + 1
}

/** Keeps nodes of before from serving beside a step; whoever knows that they may takes it out. */
const beginsFormat = () => `UPDATE "world" SET "format" = ${nextNumber()}`

if (gone.size > 0) {
  console.error(`write drizzle/postgres/${nextName()}.sql by hand: these are other ones by now`)
  for (const statement of gone) console.error(`  ${statement.split('\n')[0] ?? ''}`)
  console.error('and take in what is new:')
  for (const statement of added) console.error(`  ${statement.split('\n')[0] ?? ''}`)
  console.error(
    `and, unless nodes of the release before may serve on beside it:\n  ${beginsFormat()}`,
  )
} else if (added.length > 0) {
  const name = nextName()
  await Bun.write(join(folder, `${name}.sql`), [...added, beginsFormat()].join(breakpoint) + '\n')
  console.log(`drizzle/postgres/${name}.sql: ${added.length} statements; rows are for you to add.
Its last one refuses nodes of the release before. Take that out where they may serve on beside it: where they write
what they wrote, and whoever reads misses nothing of theirs.`)
}
await Bun.write(file, schema)
