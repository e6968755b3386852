import type { Connection } from './connection'
import type { Migration } from './migration'

/** Steps of the schema that a program must know, counted from the first, to use a database beside newer ones. */
interface SchemaFloor {
  readonly reader: number
  readonly writer: number
}

/** Comment of a step: what older programs write beside it would lack something. They may read. */
const closesWriting = /^-- older programs may not write beside this$/m

const madeTable = /^CREATE TABLE (?:IF NOT EXISTS )?[`"]?(\w+)/i
const uniqueIndex = /^CREATE UNIQUE INDEX \S+ ON [`"]?(\w+)/i
const filledTable = /^(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM) [`"]?(\w+)/i
const adds = /^(?:CREATE INDEX|ALTER TABLE \S+ ADD) /i

/**
 * Whether a step leaves what was there as it was: new tables and what they begin with, new columns and indexes. A program
 * of before does not notice it. Whatever else a step does counts as a change of what is there.
 */
export function isAdditive({ sql }: Pick<Migration, 'sql'>): boolean {
  const made = new Set<string>()
  return sql.every((text) => {
    const statement = text.replace(/^(?:\s*--.*\n?)*/, '').trim()
    const table = madeTable.exec(statement)?.[1]
    if (table !== undefined) {
      made.add(table)
      // Drizzle rebuilds a table by another one that takes its name.
      return !table.startsWith('__new_')
    }
    const own = uniqueIndex.exec(statement)?.[1] ?? filledTable.exec(statement)?.[1]
    return statement === '' || adds.test(statement) || (own !== undefined && made.has(own))
  })
}

/** Floor of a database that has all of these steps. */
export function floorOf(all: readonly Migration[]): SchemaFloor {
  const last = (closes: (step: Migration) => boolean) => all.findLastIndex(closes) + 1
  return {
    reader: last((step) => !isAdditive(step)),
    writer: last((step) => !isAdditive(step) || step.sql.some((text) => closesWriting.test(text))),
  }
}

export const hasTable = ({ raw }: Pick<Connection, 'raw'>, name: string): boolean =>
  raw.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(name) !== null

/** Null where no program has said so: one of before refuses whatever it does not know. */
export const readFloor = (connection: Pick<Connection, 'raw'>): SchemaFloor | null =>
  hasTable(connection, '__schema_floor')
    ? connection.raw.prepare<SchemaFloor, []>('SELECT reader, writer FROM __schema_floor').get()
    : null

export function saveFloor(connection: Connection, { reader, writer }: SchemaFloor): void {
  const kept = readFloor(connection)
  if (kept?.reader === reader && kept.writer === writer) return
  connection.transaction(() => {
    const { raw } = connection
    raw.run(
      'CREATE TABLE IF NOT EXISTS __schema_floor (id INTEGER PRIMARY KEY, reader INTEGER NOT NULL, writer INTEGER NOT NULL)',
    )
    raw
      .prepare(
        `INSERT INTO __schema_floor VALUES (1, ?, ?)
          ON CONFLICT (id) DO UPDATE SET reader = excluded.reader, writer = excluded.writer`,
      )
      .run(reader, writer)
  }, 'durable')
}
