import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Steps of the PostgreSQL schema in order, read when the program is bundled and inlined into it. */
export function postgresSteps(): { name: string; statements: string[] }[] {
  const folder = join(import.meta.dir, '../../drizzle/postgres')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({
      name: name.replace(/\.sql$/, ''),
      statements: [...statementsIn(readFileSync(join(folder, name), 'utf8'))],
    }))
}

/** Statements of a migration's text, each on its own. */
export const statementsIn = (text: string): readonly string[] =>
  text.split('--> statement-breakpoint').map((statement) => statement.trim())
