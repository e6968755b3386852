import { postgresSteps } from '../../../storage/postgres-steps.macro' with { type: 'macro' }

import { tableMoves } from './moved-tables'

/** What makes a new database, in the order in which it is filled with rows that are there already. */
interface SchemaParts {
  /** Names of the steps that all of it stands for. */
  readonly steps: readonly string[]
  /** Tables with their primary keys, functions, and rows that a new database begins with. */
  readonly tables: readonly string[]
  /** Made faster once the rows are there. @returns those of one table */
  indexesOf(table: string): readonly string[]
  /** Tables that SQLite has not and that have indexes. */
  readonly ownTables: readonly string[]
  /** What ties tables together, or does more when a row comes: once all rows are there. */
  readonly ties: readonly string[]
}

const index = /^(?:--.*\n)*CREATE (?:UNIQUE )?INDEX "\w+" ON "(\w+)"/
const tie = /^(?:--.*\n)*(?:CREATE TRIGGER|ALTER TABLE "\w+" ADD CONSTRAINT)/

export function schemaParts(): SchemaParts {
  const steps = postgresSteps()
  const statements = steps.flatMap((step) => step.statements)
  const indexes = Map.groupBy(
    statements.filter((statement) => index.test(statement)),
    (statement) => index.exec(statement)?.[1] ?? '',
  )
  return {
    steps: steps.map(({ name }) => name),
    tables: statements.filter((statement) => !index.test(statement) && !tie.test(statement)),
    ownTables: [...indexes.keys()].filter((table) => !(table in tableMoves)),
    indexesOf: (table) => indexes.get(table) ?? [],
    ties: statements.filter((statement) => tie.test(statement)),
  }
}
