import type { SQL } from 'bun'
import type { Ms } from '../../domain/clock'
import type { DayIn } from '../../domain/zone-days'
import {
  ExchangeRejected,
  type Engine,
  type LeaseAnswer,
  type LeaseExchange,
  type Line,
  type SliceRow,
} from '../leased/exchange'
import type { NodeId } from '../../domain/ids'
import { dataFormat } from '../../storage/postgres/data-format'
import { exchangeSql, standingSql } from './exchange-sql'
import { lineRow, exchangeRowsOf } from './exchange-rows'
import { isRejection, statement } from '../../storage/postgres/retry'

interface ExchangeParts {
  /** Does work on one connection that is for little else, in order. */
  ask<Answer>(work: (sql: SQL) => Promise<Answer>): Promise<Answer>
  /** When the node was registered. */
  readonly started: Ms
  readonly ttlMs: number
  readonly zoneDay: DayIn
  /** Version of the world, as each answer tells it. */
  onVersion(version: number): void
  /** Highest version that was told otherwise. */
  heardVersion?(): number
  /** Every answered exchange, with what it took. */
  onAnswered?(tookMs: number): void
  /** Told before the answer that says so. */
  onFenced?(cause: FenceCause): void
}

/**
 * Why a node's exchanges count no more: another node has it, the database lacks what it had confirmed, or a newer
 * program has begun another format.
 */
export type FenceCause = 'taken_over' | 'set_back' | 'newer_format'

/** Names of scopes that are known to be there; the rest is made sure of again. */
const maxKnown = 200_000

/** Answers exchanges of one node, each by one statement of PostgreSQL. */
export function openPostgresEngine(parts: ExchangeParts): Engine {
  const exchanges = new PostgresExchanges(parts)
  return async (exchange) => {
    try {
      return await parts.ask((sql) => exchanges.answer(sql, exchange))
    } catch (fault) {
      throw isRejection(fault) ? new ExchangeRejected(fault) : fault
    }
  }
}

type TornRow = readonly [
  name: string,
  amount: number,
  short: boolean,
  sum: number,
  leased: number,
  slotNo: number,
  slotNode: NodeId,
  torn: boolean,
  others: readonly (readonly [NodeId, number, number, boolean])[],
  heldElsewhere: number,
]

interface ExchangeStatus {
  readonly version: string | number
  readonly rows: readonly TornRow[] | null
  readonly asked: readonly (readonly [string, number])[] | null
}

class PostgresExchanges {
  /** Caps that have a row. */
  readonly #known = new Set<string>()
  /** Scopes of which the node has a slice, as it was told last. */
  readonly #leased = new Set<string>()
  /** Of the world, as the reply before told it. */
  #version = 0
  readonly #parts: ExchangeParts

  constructor(parts: ExchangeParts) {
    this.#parts = parts
  }

  async answer(sql: SQL, exchange: LeaseExchange): Promise<LeaseAnswer> {
    const began = performance.now()
    const { node, no, lines } = exchange
    const heard = Math.max(this.#version, this.#parts.heardVersion?.() ?? 0)
    const sold = lines.filter((line) => this.#isSold(line))
    await this.#makeSure(sql, sold)
    const standing = await this.#exchange(sql, exchange, new Set(sold))
    const fresh = standing !== null
    const known = standing ?? (await this.#standing(sql, node, no, sold))
    if (typeof known === 'string') return this.#fenced(no, known)
    const version = Number(known.version)
    // Changes that were told of are forgotten: what else is known here may be wrong.
    if (version < heard) return this.#fenced(no, 'set_back')
    this.#version = version
    this.#parts.onVersion(version)
    this.#parts.onAnswered?.(performance.now() - began)
    const byName = new Map((known.rows ?? []).map((row) => [row[0], row]))
    const rows = lines.map(({ scope, limit, takes }) => {
      const row = byName.get(scope)
      if (row === undefined) return null
      if (row[1] > 0) this.#leased.add(scope)
      else this.#leased.delete(scope)
      return limit === null && !takes && row[1] === 0 ? null : sliceRow(row, node)
    })
    const asked = (known.asked ?? []).map(([scope, question]) => ({ scope, no: question }))
    return { no, fenced: false, fresh, rows, asked }
  }

  #fenced(no: number, cause: FenceCause): LeaseAnswer {
    this.#parts.onFenced?.(cause)
    return { no, fenced: true, fresh: false, rows: [], asked: [] }
  }

  /** Whether slices of it are moved, or could be; else what it charged is counted. */
  #isSold({ scope, limit, takes, give, ask, answer }: Line): boolean {
    if (limit !== null || takes || give > 0 || ask !== null || answer > 0) return true
    return scope.startsWith('balance ') || this.#leased.has(scope)
  }

  /** A row that is not there cannot be locked: caps get theirs before they are leased from. */
  async #makeSure(sql: SQL, sold: readonly Line[]): Promise<void> {
    const missing = sold
      .map(({ scope }) => scope)
      .filter((scope) => !scope.startsWith('balance ') && !this.#known.has(scope))
    if (missing.length === 0) return
    if (this.#known.size > maxKnown) this.#known.clear()
    await statement(
      sql,
      `INSERT INTO scopes (name) SELECT json_array_elements_text(($1::text)::json) ORDER BY 1
        ON CONFLICT (name) DO NOTHING`,
      [JSON.stringify(missing)],
    )
    for (const scope of missing) this.#known.add(scope)
  }

  /** @returns null where the node's number is not the one before */
  async #exchange(
    sql: SQL,
    { node, no, calls, lines }: LeaseExchange,
    sold: ReadonlySet<Line>,
  ): Promise<ExchangeStatus | null> {
    const { started, ttlMs, zoneDay } = this.#parts
    const rows = exchangeRowsOf(calls, zoneDay)
    const told = JSON.stringify(lines.map((line) => lineRow(line, sold.has(line), node)))
    const values = [node, no, ttlMs, rows.calls, told, rows.videos, started]
    const [row] = await statement<ExchangeStatus & { me: number }>(sql, exchangeSql, values)
    return row?.me === 1 ? row : null
  }

  /** @returns how things stand where exactly this exchange was done before; else why the node is fenced */
  async #standing(
    sql: SQL,
    node: NodeId,
    no: number,
    sold: readonly Line[],
  ): Promise<ExchangeStatus | FenceCause> {
    const names = JSON.stringify(sold.map(({ scope }) => scope))
    const { started } = this.#parts
    const [row] = await statement<
      ExchangeStatus & { batch: bigint; dead: boolean; format: string | bigint }
    >(sql, standingSql, [node, names, started])
    if (row === undefined) return 'set_back'
    if (Number(row.format) > dataFormat) return 'newer_format'
    if (row.dead) return 'taken_over'
    // A number that is ahead is of commits that were lost: what the node counts on is not there.
    return Number(row.batch) === no ? row : 'set_back'
  }
}

function sliceRow(row: TornRow, node: NodeId): SliceRow {
  const [, amount, short, sum, leased, slotNo, slotNode, torn, others, heldElsewhere] = row
  return {
    amount,
    short,
    sum,
    leased,
    slot: slotNode === 0 ? null : { no: slotNo, mine: slotNode === node },
    others: others.map(([id, slice, answered, quiet]) => ({
      node: id,
      amount: slice,
      answered,
      quiet,
    })),
    heldElsewhere,
    ...(torn ? { torn } : {}),
  }
}
