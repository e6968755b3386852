import type { Database } from 'bun:sqlite'
import type { SQL } from 'bun'
import { yieldToLoop } from '../../../domain/yield-to-loop'
import { moneyColumns } from './moved-tables'

type Sums = Readonly<Record<string, bigint>>

/**
 * Counts the rows of each table and adds up each of its columns of money, on both sides.
 * @param which SQL of the rows of a table that are looked at
 * @returns how many those are
 * @throws RangeError that names the tables which do not come to the same
 */
export async function checkSame(
  lite: Database,
  sql: SQL,
  tables: readonly string[],
  which: (table: string) => string = () => '1 = 1',
): Promise<number> {
  const money = moneyColumns()
  const different: string[] = []
  let rows = 0
  for (const table of tables) {
    const columns = money.get(table) ?? []
    const from = `"${table}" WHERE ${which(table)}`
    // Not our own `sum`, which one process of the server adds up alone.
    const there = sumsSql(from, columns, (column) => `CAST(pg_catalog.sum(${column}) AS bigint)`)
    const here = sumsSql(from, columns, (column) => `sum(${column})`)
    // Both at once: the other one is a process of its own.
    const asked = sql.unsafe<Sums[]>(there).execute()
    await yieldToLoop()
    const found = lite.prepare<Sums, []>(here).safeIntegers(true).get()
    const [copy] = await asked
    if (!isSame(found, copy)) different.push(table)
    rows += Number(found?.['rows'] ?? 0)
  }
  if (different.length > 0)
    throw new RangeError(`not the same on both sides: ${different.join(', ')}; nothing was moved`)
  return rows
}

const sumsSql = (
  from: string,
  columns: readonly string[],
  sum: (column: string) => string,
): string =>
  `SELECT ${['count(*) AS "rows"', ...columns.map((name) => `coalesce(${sum(`"${name}"`)}, 0) AS "${name}"`)].join(', ')}
   FROM ${from}`

const isSame = (here: Sums | null, there: Sums | undefined): boolean =>
  here !== null &&
  there !== undefined &&
  Object.entries(here).every(([name, sum]) => there[name] === sum)
