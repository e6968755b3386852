/** The generated migrations must say what the schema says. */
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresSchema } from './postgres-schema-text'

const root = join(import.meta.dir, '..')
const folder = mkdtempSync(join(tmpdir(), 'chapar-migrations-'))
try {
  cpSync(join(root, 'drizzle'), folder, { recursive: true })
  const before = readdirSync(folder).length
  const run = Bun.spawnSync(
    [
      join(root, 'node_modules/.bin/drizzle-kit'),
      'generate',
      '--dialect=sqlite',
      `--schema=${join(root, 'src/storage/schema/index.ts')}`,
      `--out=${folder}`,
    ],
    { cwd: root },
  )
  const said = run.stdout.toString() + run.stderr.toString()
  if (run.exitCode !== 0 || readdirSync(folder).length !== before) {
    console.error(said)
    console.error('the schema has changed: run `bun run generate` and commit drizzle/')
    process.exitCode = 1
  }
  const postgres = Bun.file(join(root, 'drizzle/postgres/meta/schema.sql'))
  if ((await postgres.text()) !== postgresSchema()) {
    console.error(
      'the schema of PostgreSQL is another one: run `bun run generate` and commit drizzle/',
    )
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
