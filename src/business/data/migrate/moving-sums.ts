import type { Database } from 'bun:sqlite'
import type { SQL } from 'bun'
import { openVideoCalls } from './moved-tables'
import {
  columnsOf,
  copyRows,
  primaryKeyOf,
  namesSql,
  pagedTable,
  countRows,
  wholeTable,
} from './copy-in'
import { isChanged, type ChangedPeriods } from './move-audit'
import { periods, sumKeys, sumPeriods } from './sum-keys'

/** Rows of `spent` in the table of PostgreSQL's own by which nodes check caps. */
const scopesSql = (from: string): string => `
  INSERT INTO scopes (name, sum) SELECT kind || ' ' || id || ' ' || period, amount FROM ${from}
  ON CONFLICT (name) DO UPDATE SET sum = excluded.sum`

/** Where a copy of sums began: what changes them from there on is found. */
interface SumMark {
  /** Row id of the newest call. */
  readonly call: number
  /** Calls that ran, or whose videos were on their way. */
  readonly running: readonly string[]
  /** The newest transfer that is in all sums, which are written behind. */
  readonly transfer: number
}

/** Tables of sums, on their way while calls go on being added to them. */
export class MovingSums {
  readonly tables = Object.keys(sumKeys)
  readonly #lite: Database
  #mark: SumMark | null = null

  constructor(lite: Database) {
    this.#lite = lite
  }

  /** Takes down the moment from which on changes are found, inside of the caller's transaction. */
  look(): void {
    const lite = this.#lite
    const number = (text: string) =>
      lite.prepare<{ found: number | null }, []>(text).get()?.found ?? 0
    const running = lite.prepare<{ id: string }, []>(
      `SELECT id FROM requests INDEXED BY requests_pending WHERE status = 'pending'
       UNION SELECT request FROM (${openVideoCalls}) AS found`,
    )
    this.#mark = {
      call: number('SELECT max(rowid) AS found FROM requests'),
      running: running.all().map(({ id }) => id),
      transfer: number('SELECT min(transfer) AS found FROM summed'),
    }
  }

  /** Copies all rows, each as it is by then. */
  async begin(sql: SQL, onRows: (rows: number) => void): Promise<void> {
    if (this.#mark === null) return
    const lite = this.#lite
    await sql.begin(async (connection) => {
      for (const table of this.tables) {
        await connection.unsafe(`TRUNCATE "${table}"`)
        const place = { table: `"${table}"`, columns: columnsOf(lite, table), isNew: true }
        await copyRows(connection, place, pagedTable(lite, table), onRows)
      }
      await connection.unsafe(scopesSql('spent'))
    })
  }

  /** Periods of the calls that have counted in sums since; null where all rows are still to come. */
  changed(): ChangedPeriods {
    if (this.#mark === null) return null
    this.#findChanged(this.#mark)
    const distinct = (period: string): readonly number[] =>
      this.#lite
        .prepare<{ period: number }, []>(
          `SELECT DISTINCT ${period} AS period
           FROM changed_calls c CROSS JOIN requests r ON r.id = c.id`,
        )
        .all()
        .map((row) => row.period)
    return {
      day: distinct(periods.day),
      zone_day: distinct(periods.zone_day),
      month: distinct(periods.month),
    }
  }

  /**
   * Copies the rows that have changed since, now that nobody writes.
   * @returns periods of those; null where all rows were copied now
   */
  async finish(sql: SQL): Promise<ChangedPeriods> {
    const lite = this.#lite
    const changed = this.changed()
    for (const [table, keys] of Object.entries(sumKeys)) {
      const columns = columnsOf(lite, table)
      const pieces =
        changed === null
          ? wholeTable(lite, table)
          : wholeTable(lite, table, changedSql(table, keys))
      await sql.unsafe(`CREATE TEMPORARY TABLE fresh_rows (LIKE "${table}")`)
      await copyRows(sql, { table: 'fresh_rows', columns }, pieces)
      await sql.unsafe(upsertSql(table, columns, primaryKeyOf(lite, table)))
      if (table === 'spent') await sql.unsafe(scopesSql('fresh_rows'))
      await sql.unsafe('DROP TABLE fresh_rows')
    }
    return changed
  }

  /** Rows of all tables, about. */
  count(): number {
    return countRows(this.#lite, this.tables)
  }

  /** Lists the calls that have counted in sums since, in a table of this connection. */
  #findChanged({ call, running, transfer }: SumMark): void {
    const lite = this.#lite
    lite.run('PRAGMA temp_store = MEMORY')
    lite.run('CREATE TEMPORARY TABLE IF NOT EXISTS changed_calls (id TEXT PRIMARY KEY)')
    lite
      .prepare(
        `INSERT OR IGNORE INTO changed_calls SELECT id FROM requests WHERE rowid > ?1
         UNION ALL SELECT value FROM json_each(?2)
         UNION ALL SELECT reference FROM transfers
           WHERE id > ?3 AND +kind IN ('charge', 'refund')`,
      )
      .run(call, JSON.stringify(running), transfer)
  }
}

/** SQL of the rows of a table of sums whose period has changed. */
export const changedIn = (table: string, changed: ChangedPeriods): string => {
  const period = sumPeriods[table]
  return period === undefined ? '1 = 1' : isChanged(changed, period.kind, period.column)
}

/** SQL of all other rows. Sums over all time may always change. */
export const unchangedIn = (table: string, changed: ChangedPeriods): string =>
  `NOT (${changedIn(table, changed)})`

/** Rows of sums that one of the changed calls counts in. */
function changedSql(table: string, keys: readonly Readonly<Record<string, string>>[]): string {
  const names = Object.keys(keys[0] ?? {})
  const found = keys.map(
    (key) =>
      `SELECT DISTINCT ${names.map((name) => `${key[name]} AS "${name}"`).join(', ')}
       FROM changed_calls c CROSS JOIN requests r ON r.id = c.id`,
  )
  return `(${found.join(' UNION ')}) k CROSS JOIN "${table}" t
    ON ${names.map((name) => `t."${name}" = k."${name}"`).join(' AND ')}`
}

function upsertSql(table: string, columns: readonly string[], key: readonly string[]): string {
  const others = columns.filter((name) => !key.includes(name))
  return `INSERT INTO "${table}" (${namesSql(columns)}) SELECT ${namesSql(columns)} FROM fresh_rows
    ON CONFLICT (${namesSql(key)}) DO UPDATE SET
    ${others.map((name) => `"${name}" = excluded."${name}"`).join(', ')}`
}
