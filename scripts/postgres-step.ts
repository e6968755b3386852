/** The step that brings a PostgreSQL database from one schema to another. */
interface SchemaStep {
  /** In the order in which they run. */
  readonly statements: readonly string[]
  /** What no statement here can do: for people to write. */
  readonly byHand: readonly string[]
}

/**
 * The step from one schema to another: what is new, columns, checks and indexes added to what is there, indexes and
 * checks dropped or changed. What would lose rows, or needs values for rows that are there, is for people.
 * @param before statements of `schema.sql` as they were @param after the same as they are
 */
export function postgresStep(before: readonly string[], after: readonly string[]): SchemaStep {
  const [was, is] = [new Set(before), new Set(after)]
  const gone = before.filter((statement) => !is.has(statement))
  const added = after.filter((statement) => !was.has(statement))
  const drops: string[] = []
  const alters: string[] = []
  const byHand: string[] = []
  const altered = new Set<string>()
  for (const statement of gone) {
    const index = indexName(statement)
    if (index !== null) {
      drops.push(`DROP INDEX "${index}"`)
      continue
    }
    const table = tableIn(statement)
    const next = added.find((each) => table !== null && tableIn(each)?.name === table.name)
    const change = table === null || next === undefined ? null : alterations(table, tableIn(next))
    if (next === undefined || change === null) byHand.push(headOf(statement))
    else {
      altered.add(next)
      alters.push(...change.statements)
      byHand.push(...change.byHand)
    }
  }
  const rest = added.filter((statement) => !altered.has(statement))
  // Tables before what refers to them; indexes may be of columns that were just added.
  const tables = rest.filter((statement) => tableIn(statement) !== null)
  const others = rest.filter((statement) => tableIn(statement) === null)
  return { statements: [...drops, ...tables, ...alters, ...others], byHand }
}

const headOf = (statement: string): string => statement.split('\n')[0] ?? ''

const indexName = (statement: string): string | null =>
  /^CREATE (?:UNIQUE )?INDEX "(\w+)"/.exec(statement)?.[1] ?? null

interface Table {
  readonly name: string
  /** Definitions of columns by their names. */
  readonly columns: ReadonlyMap<string, string>
  /** Named constraints by their names. */
  readonly constraints: ReadonlyMap<string, string>
  /** Constraints without a name, such as the primary key. */
  readonly unnamed: readonly string[]
}

/** @returns null for a statement that makes no table */
function tableIn(statement: string): Table | null {
  const [, name, body] = /^CREATE TABLE "(\w+)" \(([\s\S]*)\)$/.exec(statement) ?? []
  if (name === undefined || body === undefined) return null
  const columns = new Map<string, string>()
  const constraints = new Map<string, string>()
  const unnamed: string[] = []
  for (const member of membersOf(body)) {
    const column = /^"(\w+)"/.exec(member)?.[1]
    const constraint = /^CONSTRAINT "(\w+)"/.exec(member)?.[1]
    if (column !== undefined) columns.set(column, member)
    else if (constraint !== undefined) constraints.set(constraint, member)
    else unnamed.push(member)
  }
  return { name, columns, constraints, unnamed }
}

/** Parts of a list that commas separate, but for those in parentheses and quotes. */
function membersOf(body: string): readonly string[] {
  const members: string[] = []
  let depth = 0
  let start = 0
  let quote: string | null = null
  for (let at = 0; at < body.length; at++) {
    const char = body.charAt(at)
    if (quote !== null) quote = char === quote ? null : quote
    else if (char === "'" || char === '"') quote = char
    else if (char === '(') depth++
    else if (char === ')') depth--
    else if (char === ',' && depth === 0) {
      members.push(body.slice(start, at))
      start = at + 1
    }
  }
  return [...members, body.slice(start)].map((member) => member.trim())
}

/** @returns null where the tables differ in more than columns and named constraints */
function alterations(was: Table, is: Table | null): SchemaStep | null {
  if (is === null || was.unnamed.join() !== is.unnamed.join()) return null
  const alter = (what: string): string => `ALTER TABLE "${was.name}" ${what}`
  const changed = (
    one: ReadonlyMap<string, string>,
    other: ReadonlyMap<string, string>,
  ): readonly [string, string][] => [...one].filter(([name, text]) => other.get(name) !== text)
  const newColumns = changed(is.columns, was.columns)
  const needsRows = newColumns.filter(
    ([, text]) => /\bNOT NULL\b/.test(text) && !/\bDEFAULT\b/.test(text),
  )
  const changedColumns = changed(was.columns, is.columns)
  return {
    statements: [
      ...changed(was.constraints, is.constraints).map(([name]) =>
        alter(`DROP CONSTRAINT "${name}"`),
      ),
      ...newColumns
        .filter(([name]) => !was.columns.has(name))
        .map(([, text]) => alter(`ADD COLUMN ${text}`)),
      ...changed(is.constraints, was.constraints).map(([, text]) => alter(`ADD ${text}`)),
    ],
    byHand: [
      ...changedColumns.map(([name, text]) =>
        is.columns.has(name)
          ? `${was.name}.${name} was ${text}, and is ${is.columns.get(name) ?? ''}`
          : `${was.name}.${name} is gone`,
      ),
      ...needsRows.map(([name]) => `${was.name}.${name} has no value in rows that are there`),
    ],
  }
}
