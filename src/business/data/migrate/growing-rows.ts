import type { Database } from 'bun:sqlite'
import { columnsOf, namesSql, type CopiedRow } from './copy-in'
import { unsettledRows } from './moved-tables'

/** Read at a time: a few hundredths of a second, for which the log of the gateway cannot begin anew. */
const rowsInPiece = 5000

/** How far a table that grows is, at one moment. */
export interface RowMark {
  readonly until: number
  /** Rows up to there that still change. */
  readonly unsettled: ReadonlySet<number>
}

/** Rows of a table that only grows, as they come and settle, while somebody else writes them. */
export class GrowingRows {
  readonly columns: readonly string[]
  readonly #lite: Database
  #mark: RowMark = { until: 0, unsettled: new Set() }

  constructor(
    lite: Database,
    readonly table: string,
  ) {
    this.#lite = lite
    this.columns = columnsOf(lite, table)
  }

  /**
   * Rows that had settled by a moment, and not by the last one, with their row id behind their columns, in
   * pieces. Each is read in a snapshot of its own: what has settled is the same in all of them. Counts as
   * given once the last piece was taken.
   */
  *fresh(to: RowMark): Generator<readonly CopiedRow[]> {
    const from = this.#mark
    const settled = [...from.unsettled].filter((id) => !to.unsettled.has(id))
    if (settled.length > 0) yield this.#read(`rowid IN (SELECT value FROM json_each(?))`, settled)
    for (let after = from.until; ;) {
      const rows = this.#between(after, to.until)
      if (rows.length === 0) break
      after = rowId(rows.at(-1) ?? [])
      yield to.unsettled.size === 0 ? rows : rows.filter((row) => !to.unsettled.has(rowId(row)))
    }
    this.#mark = to
  }

  /** Rows that `fresh` would give, at most. */
  waiting(to: RowMark): number {
    return to.until - this.#mark.until + this.#mark.unsettled.size
  }

  /** Inside of the caller's transaction, so that several tables have one moment. */
  look(): RowMark {
    const lite = this.#lite
    const last = lite
      .prepare<{ id: number | null }, []>(`SELECT max(rowid) AS id FROM "${this.table}"`)
      .get()
    const sql = unsettledRows[this.table]
    const unsettled = sql === undefined ? [] : lite.prepare<{ id: number }, []>(sql).all()
    return { until: last?.id ?? 0, unsettled: new Set(unsettled.map(({ id }) => id)) }
  }

  #between(after: number, until: number): readonly CopiedRow[] {
    const found = this.#lite.prepare(
      `SELECT ${namesSql(this.columns)}, rowid FROM "${this.table}"
       WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ${rowsInPiece}`,
    )
    return found.safeIntegers(true).values(after, until) as CopiedRow[]
  }

  #read(where: string, ids: readonly number[]): readonly CopiedRow[] {
    const found = this.#lite.prepare(
      `SELECT ${namesSql(this.columns)}, rowid FROM "${this.table}" WHERE ${where} ORDER BY rowid`,
    )
    return found.safeIntegers(true).values(JSON.stringify(ids)) as CopiedRow[]
  }
}

const rowId = (row: CopiedRow): number => Number(row.at(-1))
