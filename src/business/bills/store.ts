import {
  and,
  count,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  or,
  sql,
  type AnyColumn,
} from 'drizzle-orm'
import { addUnits, type BillUnit } from './bill'
import { countedUnits } from './counted-units'
import type { BilledCalls, BilledQuery, BillRecords, DoubtfulCall, RecordedSum } from './contract'
import { dayMs, dayOf, type Ms } from '../../domain/clock'
import { firstRequestIdAt, type RequestId } from '../../domain/ids'
import { nanoUsd, plus, zeroUsd } from '../../domain/money'
import type { PriceLine } from '../../domain/model'
import type { Units } from '../../domain/usage'
import { yieldToLoop } from '../../domain/yield-to-loop'
import { costCards, requests } from '../../storage/schema'
import type { Connection } from '../../storage/sqlite/connection'
import { freshProfit } from '../../ledger/sums/profit-sums'

/** Calls looked at in one read: a few milliseconds. */
const callsInRead = 1_000
/** Doubtful calls that are named, of each model and status. */
const maxNamed = 5
const maxNamedInRead = 500

/** What vendors bill by our records. */
export function openBillRecords(connection: Connection): BillRecords {
  return {
    days: (query) => Promise.resolve(readDays(connection, query)),
    calls: (query) => readCalls(connection, query),
    async cards(ids) {
      const rows = await connection.orm
        .select()
        .from(costCards)
        .where(inArray(costCards.id, [...ids]))
      return new Map(
        rows.map((row) => {
          const { version, validFrom, lines } = row
          const card = {
            ...row,
            version: String(version),
            validFrom: validFrom as Ms,
            lines: JSON.parse(lines) as readonly PriceLine[],
          }
          return [row.id, card]
        }),
      )
    },
  }
}

interface DayRow {
  readonly day: number
  readonly vendor: string
  readonly model: string
  readonly calls: number
  readonly vendorCost: number
  readonly uncosted: number
}

function readDays(
  { raw }: Connection,
  { vendors, fromDay, toDay }: Parameters<BillRecords['days']>[0],
) {
  const wanted = `day BETWEEN ? AND ? AND vendor IN (${vendors.map(() => '?').join()})`
  const columns = 'day, vendor, model, calls, vendor_cost, uncosted'
  const rows = raw
    .query<DayRow, (number | string)[]>(
      `SELECT day, vendor, model, sum(calls) AS calls, sum(vendor_cost) AS "vendorCost", sum(uncosted) AS uncosted
      FROM (
        SELECT ${columns} FROM profit_days WHERE ${wanted}
        UNION ALL SELECT ${columns} FROM (${freshProfit}) AS found WHERE ${wanted}
      ) AS found GROUP BY 1, 2, 3`,
    )
    .all(fromDay, toDay, ...vendors, fromDay, toDay, ...vendors)
  return rows.map(({ day, vendorCost, ...row }) => ({
    ...row,
    day: dayOf((day * dayMs) as Ms),
    vendorCost: nanoUsd(vendorCost),
  }))
}

async function readCalls(connection: Connection, query: BilledQuery): Promise<BilledCalls> {
  const readEnd = connection.raw.query<{ id: string }, [string, string]>(
    `SELECT id FROM requests WHERE id >= ? AND id < ? ORDER BY id LIMIT 1 OFFSET ${callsInRead}`,
  )
  const reads = openReads(connection, query)
  const sums = new Map<string, RecordedSum>()
  const doubtful = new Map<string, DoubtfulCall[]>()
  const end = firstRequestIdAt(query.to)
  for (let from: string | null = firstRequestIdAt(query.from); from !== null;) {
    const next: string | null = readEnd.get(from, end)?.id ?? null
    const range = { from, to: next ?? end }
    for (const { input, cached, output, ...row } of reads.sums.all(range)) {
      const units = { input: input - cached, cached_input: cached, output }
      addSum(sums, { ...row, units, known: row.known === 1, vendorCost: nanoUsd(row.vendorCost) })
    }
    for (const { units, ...row } of reads.units.all(range)) {
      const counted = countedUnits(JSON.parse(units ?? '{}') as Units)
      const none = { calls: 0, vendorCost: zeroUsd, uncosted: 0 }
      addSum(sums, { ...row, ...none, known: row.known === 1, units: counted })
    }
    for (const { id, created, ...row } of reads.doubtful.all(range)) {
      const key = JSON.stringify([row.model, row.vendorModel, row.status])
      const named = doubtful.get(key) ?? []
      if (named.length === 0) doubtful.set(key, named)
      if (named.length < maxNamed)
        named.push({ ...row, id: id as RequestId, created: created as Ms })
    }
    from = next
    await yieldToLoop()
  }
  return { sums: [...sums.values()], doubtful: [...doubtful.values()].flat() }
}

/** Adds up what is alike. */
function addSum(sums: Map<string, RecordedSum>, row: RecordedSum): void {
  const { model, vendorModel, status, known, estimated, card } = row
  const key = JSON.stringify([model, vendorModel, status, known, estimated, card])
  const sum = sums.get(key)
  const units: Partial<Record<BillUnit, number>> = { ...sum?.units }
  addUnits(units, row.units)
  sums.set(key, {
    ...row,
    units,
    calls: row.calls + (sum?.calls ?? 0),
    vendorCost: plus(row.vendorCost, sum?.vendorCost ?? zeroUsd),
    uncosted: row.uncosted + (sum?.uncosted ?? 0),
  })
}

/** Reads of a range of ids, compiled once: there may be thousands of ranges. */
function openReads({ orm }: Connection, { vendors, models }: BilledQuery) {
  const ofNone = and(isNull(costCards.vendor), inArray(requests.model, [...models]))
  const billed = inArray(costCards.vendor, [...vendors])
  const wanted = and(
    gte(requests.id, sql.placeholder('from')),
    lt(requests.id, sql.placeholder('to')),
    ne(requests.status, 'pending'),
    or(inArray(requests.vendor, [...vendors]), and(isNull(requests.vendor), or(billed, ofNone))),
  )
  const alike = {
    model: requests.model,
    vendorModel: sql<string | null>`coalesce(${requests.vendorModel}, ${costCards.vendorModel})`,
    status: requests.status,
    known: sql<number>`coalesce(${requests.vendor}, ${costCards.vendor}) is not null`,
    estimated: requests.vendorCostEstimated,
    card: requests.costCard,
  }
  const told = (column: AnyColumn) =>
    sql<number>`sum(case when ${requests.units} is null then ${column} else 0 end)`
  const from = <Columns extends Parameters<typeof orm.select>[0] & object>(columns: Columns) =>
    orm.select(columns).from(requests).leftJoin(costCards, eq(costCards.id, requests.costCard))
  return {
    sums: from({
      ...alike,
      calls: count(),
      input: told(requests.inputTokens),
      cached: told(requests.cachedTokens),
      output: told(requests.outputTokens),
      vendorCost: sql<number>`sum(coalesce(${requests.vendorCost}, 0))`,
      uncosted: sql<number>`sum(case when ${requests.vendor} is not null and ${requests.vendorCost} is null then 1 else 0 end)`,
    })
      .where(wanted)
      .groupBy(...Object.values(alike))
      .prepare(),
    units: from({ ...alike, units: requests.units })
      .where(and(wanted, isNotNull(requests.units)))
      .prepare(),
    doubtful: from({
      id: requests.id,
      created: requests.created,
      model: alike.model,
      vendorModel: alike.vendorModel,
      status: alike.status,
      error: requests.error,
      vendorCost: requests.vendorCost,
    })
      .where(
        and(wanted, or(ne(requests.status, 'success'), eq(requests.vendorCostEstimated, true))),
      )
      .orderBy(requests.id)
      .limit(maxNamedInRead)
      .prepare(),
  }
}
