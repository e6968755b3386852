import { dayNumber } from '../../domain/clock'
import { minus, nanoUsd, plus, zeroUsd, type NanoUsd } from '../../domain/money'
import type { Refund } from '../../domain/video-job'
import { periodOf } from '../periods'
import { scopesOf } from '../scopes'
import type { Batch, Scope } from '../store'
import type { DayIn } from '../../domain/zone-days'
import { openCallIndex } from './call-index'
import type { Connection } from '../../storage/sqlite/connection'
import { DaySums } from './day-sums'
import { EarnedSegments, writeSegments } from './profit-segments'
import { freshSpent, shards } from './unaggregated'
import {
  openProfitWriter,
  profitShard,
  ProfitSums,
  recordOfRequest,
  type RefundedRecord,
  type RefundOnRecord,
} from './profit-sums'
import { openUsageWriter } from './usage-sums'

/**
 * Sums of charges: what each cap has spent, and the days that reports are made of. With many
 * customers at once they would cost a commit more than all the rest, so they are written behind it,
 * each seldom and many calls at a time; a process that died left what brings them up again.
 */
export interface Sums {
  /** Calls without a cost leave no charge to find them by: inside of their own transaction. */
  writeFree(ended: Batch['ended']): void
  /** Charges that are committed now. @param last the newest of their transfers */
  add(batch: Pick<Batch, 'ended' | 'spent'>, last: number): void
  /** Charges that went back. @param last the newest of their transfers */
  giveBack(refunds: readonly Refund[], last: number): void
  /** What the database says and what it does not say yet. */
  spent(scope: Scope): NanoUsd
  /**
   * Goes on with a round through everything that waits, by about as many rows. What is added meanwhile may be the next
   * one's; without a bound on the rows nothing waits afterwards.
   * @returns true when the round is not over
   */
  write(mostRows: number): boolean
  /** Writes the days of a project, before they are read. */
  writeProject(project: number): void
  /** Brings up what an earlier process left, its pending calls as errors, inside of a transaction. */
  recover(): void
}

/** What of one shard waits. */
interface Shard {
  readonly spent: Map<string, { readonly scope: Scope; amount: NanoUsd }>
  readonly days: DaySums
  readonly zoneDays: DaySums
}

const insertSpent = 'INSERT INTO spent (kind, id, period, amount)'
const addSpent = `
  ON CONFLICT (kind, id, period) DO UPDATE SET amount = spent.amount + excluded.amount`

/** @param zoneDay the day in which a call of this process began, by the service's zone */
export function openSums(connection: Connection, zoneDay: DayIn): Sums {
  const { raw } = connection
  const readSpent = raw.prepare<{ amount: number }, [string, number, string]>(
    'SELECT amount FROM spent WHERE kind = ? AND id = ? AND period = ?',
  )
  const writeSpent = raw.prepare(`${insertSpent} VALUES (?, ?, ?, ?) ${addSpent}`)
  const usage = openUsageWriter(connection, 'utc')
  const zoneUsage = openUsageWriter(connection, 'zone')
  const index = openCallIndex(connection)
  const profits = openProfitWriter(connection)
  const earned = new EarnedSegments()
  const recordOf = raw.prepare<RefundedRecord, [string]>(recordOfRequest)
  const mark = raw.prepare('UPDATE summed SET transfer = ? WHERE shard = ?')
  const waiting = Array.from({ length: shards }, emptyShard)
  /** Where the round stands; at its end every shard was written once. */
  let next = 0
  let last = 0
  let addedSince = false

  const writeShards = (numbers: readonly number[], maxEarned = 0) => {
    const segments = earned.next(maxEarned)
    connection.transaction(() => {
      for (const number of numbers) {
        const { spent, days, zoneDays } = shardOf(waiting, number)
        for (const { scope, amount } of spent.values())
          writeSpent.run(scope.kind, scope.id, scope.period, amount)
        days.write(usage.add)
        zoneDays.write(zoneUsage.add)
        mark.run(last, number)
      }
      writeSegments(segments, profits, (upTo) => mark.run(upTo, profitShard))
    }, 'brief')
    earned.written(segments)
    for (const number of numbers) {
      const { spent, days, zoneDays } = shardOf(waiting, number)
      spent.clear()
      days.clear()
      zoneDays.clear()
    }
  }

  const hasMore = () => addedSince
  const writeSome = (mostRows: number): boolean => {
    if (index.write(mostRows)) return true
    if (next === 0 && !addedSince) return false
    const from = next
    if (from === 0) addedSince = false
    let rows = 0
    for (; next < shards && rows < mostRows; next++) {
      const { spent, days, zoneDays } = shardOf(waiting, next)
      rows += spent.size + days.size + zoneDays.size
    }
    if (next === shards && from < shards) earned.beginRound()
    try {
      writeShards(numbersBetween(from, next), next === shards ? mostRows - rows : 0)
    } catch (thrown) {
      next = from
      addedSince = true
      throw thrown
    }
    if (next === shards && earned.isRoundOver) next = 0
    return next > 0
  }

  return {
    writeFree(ended) {
      if (!ended.some(({ ending }) => ending.cost === 0)) return
      const days = new DaySums()
      const zoneDays = new DaySums()
      const free = new ProfitSums()
      for (const call of ended)
        if (call.ending.cost === 0) {
          const { id, created } = call.opening
          days.add(call, dayNumber(created))
          // One that an earlier process opened has the day that it was opened with.
          zoneDays.add(
            call,
            (call.wasOpened ? recordOf.get(id)?.zoneDay : null) ?? zoneDay(created),
          )
          free.add(call)
        }
      days.write(usage.add)
      zoneDays.write(zoneUsage.add)
      free.write(profits)
      index.writeFree(ended)
    },
    add({ ended, spent }, transfer) {
      last = transfer
      addedSince = true
      for (const { scope, amount } of spent) addTo(waiting, scope, amount)
      for (const call of ended)
        if (call.ending.cost !== 0) {
          const { project, created } = call.opening
          const { days, zoneDays } = shardOf(waiting, project)
          days.add(call, dayNumber(created))
          zoneDays.add(call, zoneDay(created))
        }
      earned.add(ended, transfer)
      index.add(ended, transfer)
    },
    giveBack(refunds, transfer) {
      last = transfer
      addedSince = true
      const given: RefundOnRecord[] = []
      for (const refund of refunds) {
        const { project, opened, request, amount } = refund
        const less = minus(zeroUsd, amount)
        for (const scope of Object.values(scopesOf(refund, periodOf(opened))))
          addTo(waiting, scope, less)
        const record = recordOf.get(request)
        if (record === null) throw new Error(`no record of ${request}`)
        const { days, zoneDays } = shardOf(waiting, project)
        days.giveBack(refund, record.model, dayNumber(opened), record.errors)
        zoneDays.giveBack(refund, record.model, record.zoneDay, record.errors)
        given.push({ ...refund, ...record })
      }
      earned.giveBack(given, transfer)
    },
    spent(scope) {
      const kept = nanoUsd(readSpent.get(scope.kind, scope.id, scope.period)?.amount ?? 0)
      return plus(kept, shardOf(waiting, scope.id).spent.get(nameOf(scope))?.amount ?? zeroUsd)
    },
    write(mostRows) {
      if (Number.isFinite(mostRows)) return writeSome(mostRows)
      while (writeSome(mostRows) || hasMore());
      return false
    },
    writeProject(project) {
      const number = project % shards
      if (shardOf(waiting, number).days.size > 0) writeShards([number])
    },
    recover() {
      raw
        .prepare(
          `${insertSpent} SELECT kind, id, period, sum(amount) FROM (${freshSpent}) AS found
        WHERE true GROUP BY 1, 2, 3 ${addSpent}`,
        )
        .run()
      usage.recover()
      zoneUsage.recover()
      index.recover()
      profits.recover()
      raw.prepare('UPDATE summed SET transfer = (SELECT coalesce(max(id), 0) FROM transfers)').run()
    },
  }
}

const emptyShard = (): Shard => ({
  spent: new Map(),
  days: new DaySums(),
  zoneDays: new DaySums(),
})

/** That of an id; ids are from 0. */
function shardOf(waiting: readonly Shard[], id: number): Shard {
  const shard = waiting[id % shards]
  if (shard === undefined) throw new Error(`no shard of ${id}`)
  return shard
}

const numbersBetween = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, at) => from + at)

const nameOf = ({ kind, id, period }: Scope): string => `${kind} ${id} ${period}`

function addTo(waiting: readonly Shard[], scope: Scope, amount: NanoUsd): void {
  const shard = shardOf(waiting, scope.id).spent
  const name = nameOf(scope)
  const sum = shard.get(name)
  if (sum === undefined) shard.set(name, { scope, amount })
  else sum.amount = plus(sum.amount, amount)
}
