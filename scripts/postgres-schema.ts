/**
 * Writes what the SQLite schema comes to on PostgreSQL, `drizzle/postgres/meta/schema.sql`, and the step that
 * brings databases in use there. What `postgresStep` cannot do is for people to write: it ends with 1.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import journal from '../drizzle/meta/_journal.json'
import { statementsIn } from '../src/storage/postgres-steps.macro'
import { breakpoint, postgresSchema } from './postgres-schema-text'
import { postgresStep } from './postgres-step'

const folder = join(import.meta.dir, '../drizzle/postgres')
const file = Bun.file(join(folder, 'meta/schema.sql'))

const earlier = statementsIn(await file.text())
const schema = postgresSchema()
const { statements, byHand } = postgresStep(earlier, statementsIn(schema))

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

if (byHand.length > 0) {
  console.error(`write drizzle/postgres/${nextName()}.sql by hand, for these:`)
  for (const each of byHand) console.error(`  ${each}`)
  if (statements.length > 0) console.error('and take in what could be written:')
  for (const statement of statements) console.error(`${statement};`)
  console.error(
    `and, unless nodes of the release before may serve on beside it:\n  ${beginsFormat()}`,
  )
  process.exitCode = 1
} else if (statements.length > 0) {
  const name = nextName()
  await Bun.write(
    join(folder, `${name}.sql`),
    [...statements, beginsFormat()].join(breakpoint) + '\n',
  )
  console.log(`drizzle/postgres/${name}.sql: ${statements.length} statements; rows are for you to add.
Its last one refuses nodes of the release before. Take that out where they may serve on beside it: where they write
what they wrote, and whoever reads misses nothing of theirs.`)
}
await Bun.write(file, schema)
