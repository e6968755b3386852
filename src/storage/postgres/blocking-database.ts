import type { Database } from 'bun:sqlite'
import type { SessionTurns } from './session-turns'
import { bound, translate, typeOfValue, type Given } from './translate'
import { DatabaseFault } from './database-fault'
import type { StatementResult, StatementThread } from './blocking-statement'

/** What a statement did; the number of a new row where its text returns that. */
interface Changes {
  readonly changes: number
  readonly lastInsertRowid: number
}

type Named = Readonly<Record<string, Given>>

/** What a statement's text came to, by the types of what it was given. */
type Cache = Map<string, { text: string; values: readonly (number | string)[] }>

/**
 * A PostgreSQL database of the shape of `bun:sqlite`'s: stores that are written for that one run on it,
 * drizzle's too. Values come back as SQLite gives them.
 */
export class SyncDatabase {
  readonly #thread: StatementThread
  /** Of each transaction, and of each statement outside of one. */
  readonly #turns: SessionTurns | null
  readonly #translations: Cache = new Map()
  /** Whether a transaction has begun; also when its connection is lost, until it is rolled back. */
  inTransaction = false
  /** Whether the transaction changed anything. */
  hasWritten = false

  constructor(thread: StatementThread, turns: SessionTurns | null) {
    this.#thread = thread
    this.#turns = turns
  }

  /** What is used of it, as what it stands in for. */
  get asSqlite(): Database {
    return this as unknown as Database
  }

  prepare(text: string): Statement {
    return new Statement(text, this.#translations, (sql, values) => this.#ask(sql, values))
  }

  query(text: string): Statement {
    return this.prepare(text)
  }

  run(text: string, ...given: readonly Given[]): Changes {
    return this.prepare(text).run(...given)
  }

  /** Several statements without values, in one round trip. */
  script(text: string): void {
    this.#thread.script(text)
  }

  /** SQLite asks the program; here the schema has such a function. */
  function(): void {}

  /** Reads in `work` see one moment. */
  transaction<Args extends readonly unknown[], T>(
    work: (...args: Args) => T,
  ): (...args: Args) => T {
    return (...args) => {
      if (this.inTransaction) return work(...args)
      this.begin('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      try {
        return work(...args)
      } finally {
        this.rollback()
      }
    }
  }

  begin(text: string): void {
    this.#turns?.take()
    try {
      this.#again(() => this.script(text))
    } catch (thrown) {
      // It may have begun before it failed: every later statement would be refused for that.
      if (thrown instanceof DatabaseFault && thrown.code !== 'away') this.rollback()
      else this.#turns?.give()
      throw thrown
    }
    this.inTransaction = true
    this.hasWritten = false
  }

  commit(text: string): void {
    this.script(text)
    this.inTransaction = false
    this.#turns?.give()
  }

  rollback(): void {
    this.inTransaction = false
    try {
      this.script('ROLLBACK')
    } catch (thrown) {
      // A connection that is gone has taken its transaction along.
      if (!(thrown instanceof DatabaseFault)) throw thrown
    } finally {
      this.#turns?.give()
    }
  }

  close(): void {
    this.#thread.close()
  }

  #ask(text: string, values: readonly Given[]): StatementResult {
    if (/^\s*(?:insert|update|delete)/i.test(text)) this.hasWritten = true
    const ask = () => this.#thread.ask(text, values)
    if (this.inTransaction) return ask()
    this.#turns?.take()
    try {
      return /^\s*(?:select|with)/i.test(text) ? this.#again(ask) : ask()
    } finally {
      this.#turns?.give()
    }
  }

  /** What changes nothing is asked again where the connection was found to be gone: the next one is new. */
  #again<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (thrown) {
      if (!(thrown instanceof DatabaseFault) || thrown.code !== 'away') throw thrown
      return work()
    }
  }
}

/** One text, asked with whatever values. */
class Statement {
  readonly #text: string
  readonly #ask: (text: string, values: readonly Given[]) => StatementResult
  readonly #cache: Cache
  #isExact = false

  constructor(
    text: string,
    cache: Cache,
    ask: (text: string, values: readonly Given[]) => StatementResult,
  ) {
    this.#text = text
    this.#cache = cache
    this.#ask = ask
  }

  all(...given: readonly unknown[]): unknown[] {
    const { columns, rows } = this.#result(given)
    return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])))
  }

  get(...given: readonly unknown[]): unknown {
    return this.all(...given)[0] ?? null
  }

  values(...given: readonly unknown[]): readonly (readonly unknown[])[] {
    return this.#result(given).rows
  }

  *iterate(...given: readonly unknown[]): Generator {
    yield* this.all(...given)
  }

  run(...given: readonly unknown[]): Changes {
    const { rows, changes } = this.#result(given)
    return { changes, lastInsertRowid: Number(rows.at(-1)?.[0] ?? 0) }
  }

  finalize(): void {}

  /** Integers come as `bigint` from now on. */
  safeIntegers(isExact: boolean): this {
    this.#isExact = isExact
    return this
  }

  #result(given: readonly unknown[]): StatementResult {
    const [first] = given
    const named = isNamed(first) ? first : null
    // A list stands for its elements.
    const listed = (Array.isArray(first) ? first : given) as readonly Given[]
    const valueOf = (value: number | string): Given | undefined =>
      typeof value === 'string' ? named?.[value] : listed[value]
    const types = (named === null ? listed : Object.values(named)).map(typeOfValue).join()
    const name = `${types} ${this.#text}`
    let known = this.#cache.get(name)
    if (known === undefined) {
      known = translate(this.#text, (value) => typeOfValue(valueOf(value)))
      this.#cache.set(name, known)
    }
    const found = this.#ask(
      known.text,
      known.values.map((value) => bound(valueOf(value))),
    )
    return this.#isExact ? found : { ...found, rows: found.rows.map((row) => row.map(narrow)) }
  }
}

/** @throws RangeError for an integer of which a number loses digits */
function narrow(value: unknown): unknown {
  if (typeof value !== 'bigint') return value
  const number = Number(value)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} loses digits as a number`)
  return number
}

const isNamed = (value: unknown): value is Named =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array)
