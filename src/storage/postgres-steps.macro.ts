import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import squashed from '../../drizzle/meta/_squashed.json'

/**
 * Steps of the PostgreSQL schema in order, read when the program is bundled and inlined into it. Steps that the first
 * one stands for come before it, without statements.
 */
export function postgresSteps(): PostgresStep[] {
  const folder = join(import.meta.dir, '../../drizzle/postgres')
  const former = squashed.postgres.map((name) => ({ name, statements: [], format: 0 }))
  const steps = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const statements = [...statementsIn(readFileSync(join(folder, name), 'utf8'))]
      const formats = statements.map((each) => Number(setsFormat.exec(each)?.[1] ?? 0))
      return { name: name.replace(/\.sql$/, ''), statements, format: Math.max(...formats) }
    })
  return [...former, ...steps]
}

export interface PostgresStep {
  name: string
  statements: string[]
  /** Format of data that it begins; 0 where nodes of before may serve on beside it. */
  format: number
}

const setsFormat = /^(?:--.*\n)*UPDATE "world" SET "format" = (\d+)$/

/** Format of what this program writes, inlined as the steps are. */
export const postgresFormat = (): number => Math.max(...postgresSteps().map(({ format }) => format))

/** Statements of a migration's text, each on its own. */
export const statementsIn = (text: string): readonly string[] =>
  text.split('--> statement-breakpoint').map((statement) => statement.trim())
