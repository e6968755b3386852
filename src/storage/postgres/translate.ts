/** Value that a statement is given. */
export type Given = string | number | bigint | boolean | null | Uint8Array

/** Statement as PostgreSQL reads it, and where its numbered values come from. */
interface Translated {
  readonly text: string
  /** Of each `$n` in turn: place in what was given, or its name. */
  readonly values: readonly (number | string)[]
}

/** Strings, quoted names and comments stay as they are; the rest are parameters. */
const parameters = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\?(\d*)|\$([a-z_]\w*)/gi

const nothing = 'NULL'
const isRequestedForNull = /^\s+IS (?:NOT )?NULL\b/i

/**
 * PostgreSQL's text of a statement that SQLite reads too. Stores may write what both engines read alike, and:
 * `?`, `?1` and `$name` for values; `INDEXED BY`, `NOT INDEXED`, `+t.column` and `CROSS JOIN t u ON`, which steer
 * SQLite's planner only; `ON CONFLICT`, `RETURNING` and row values. Functions of SQLite need one of the same name in
 * PostgreSQL's steps. A derived table has a name, and an upsert names the table of each column that it adds to.
 * @param typeOf the type that a value has by itself, such as `::bigint`; '' where its place decides,
 *   NULL for null
 */
export function translate(
  statement: string,
  typeOf: (value: number | string) => string,
): Translated {
  const values: (number | string)[] = []
  let next = 0
  const text = plainSql(statement).replaceAll(
    parameters,
    (whole, place: string | undefined, name: string | undefined, at: number, all: string) => {
      if (place === undefined && name === undefined) return whole
      const value = name ?? (place === '' ? next++ : Number(place) - 1)
      const type = typeOf(value)
      // Where only null could stand PostgreSQL finds no type for it.
      if (type === nothing) return nothing
      const known = values.indexOf(value)
      const number = known === -1 ? values.push(value) : known + 1
      const asked = isRequestedForNull.test(all.slice(at + whole.length)) && type === ''
      return `$${number}${asked ? '::text' : type}`
    },
  )
  return { text, values }
}

/** Without what only SQLite reads. */
const plainSql = (statement: string): string =>
  statement
    .replaceAll(/\s(?:INDEXED BY \w+|NOT INDEXED)/g, '')
    // What keeps an index out.
    .replaceAll(/(?<=\s)\+(?=\w+\.)/g, '')
    // What keeps the order of a join.
    .replaceAll(/\bCROSS JOIN (\w+ \w+) ON\b/g, 'JOIN $1 ON')
    .replace(/^\s*INSERT INTO transfers\b(?!.*\bRETURNING\b)[^]*$/, '$& RETURNING id')
    // drizzle names the table, PostgreSQL allows columns alone.
    .replace(/(?<=\bon conflict \()[^)]+/, (columns) => columns.replaceAll(/"\w+"\.(?=")/g, ''))
    // drizzle writes null for a number that the database gives.
    .replace(/(?<=^insert into "\w+" \("id", .*?\) values )\(.*$/s, (rows) =>
      rows.replaceAll('(null, ', '(default, '),
    )

/** The type that a value has wherever it stands; texts take that of their place. */
export function typeOfValue(value: Given | undefined): string {
  if (value === null || value === undefined) return nothing
  if (typeof value === 'number') return Number.isInteger(value) ? '::bigint' : '::double precision'
  if (typeof value === 'bigint' || typeof value === 'boolean') return '::bigint'
  return value instanceof Uint8Array ? '::bytea' : ''
}

/** PostgreSQL has no such character in texts: what was given with one is found by nobody. */
const nul = '\0'

/** Value as it goes to the database: integers of eight bytes, truth as 0 or 1. */
export function bound(value: Given | undefined): Exclude<Given, boolean> {
  if (value === undefined) return null
  if (typeof value === 'boolean') return value ? 1n : 0n
  if (typeof value === 'string') return value.replaceAll(nul, '\u{fffd}')
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value
}
