import type { Database } from 'bun:sqlite'
import type { SQL } from 'bun'
import { yieldToLoop } from '../../domain/yield-to-loop'
import { moneyColumns } from './moved-tables'

type Sums = Readonly<Record<string, bigint>>

/**
 * Counts the rows of each table and adds up each of its columns of money, on both sides.
 * @returns how many rows all have
 * @throws Error that names the tables which do not come to the same
 */
export async function checkSame(
  lite: Database,
  sql: SQL,
  tables: readonly string[],
): Promise<number> {
  const money = moneyColumns()
  const different: string[] = []
  let rows = 0
  for (const table of tables) {
    const sums = ['count(*) AS "rows"', ...(money.get(table) ?? []).map(sumOf)]
    const text = `SELECT ${sums.join(', ')} FROM "${table}"`
    // Both at once: the other one is a process of its own.
    const asked = sql.unsafe<Sums[]>(text).execute()
    await yieldToLoop()
    const here = lite.prepare<Sums, []>(text).safeIntegers(true).get()
    const [there] = await asked
    if (!isSame(here, there)) different.push(table)
    rows += Number(here?.['rows'] ?? 0)
  }
  if (different.length > 0)
    throw new Error(`not the same on both sides: ${different.join(', ')}; nothing was moved`)
  return rows
}

const sumOf = (column: string): string => `coalesce(sum("${column}"), 0) AS "${column}"`

const isSame = (here: Sums | null, there: Sums | undefined): boolean =>
  here !== null &&
  there !== undefined &&
  Object.entries(here).every(([name, sum]) => there[name] === sum)
