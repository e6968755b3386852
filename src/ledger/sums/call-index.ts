import type { Batch } from '../store'
import type { Connection } from '../../storage/sqlite/connection'
import { firstIndexShard, freshCalls, shards } from './unaggregated'

/** Calls of each account, written behind their charges as sums are. */
interface CallIndex {
  /** Calls that left no charge to find them by: inside of their own transaction. */
  writeFree(ended: Batch['ended']): void
  /** Charges that are committed now. @param last the newest of their transfers */
  add(ended: Batch['ended'], last: number): void
  /**
   * Goes on with a round through what waits, by about as many rows.
   * @returns true when the round is not over
   */
  write(mostRows: number): boolean
  /** Brings up what an earlier process left, its pending calls too, inside of a transaction. */
  recover(): void
}

interface Waiting {
  readonly account: number
  readonly request: string
  /** Its charge is this transfer, or an earlier one of the same commit. */
  readonly transfer: number
}

const insert = 'INSERT INTO account_calls (account, request)'
const unlessThere = 'ON CONFLICT (account, request) DO NOTHING'
const pending = `
  SELECT account, id FROM requests INDEXED BY requests_pending WHERE status = 'pending'`

/** Accounts lie in shards, so that many calls of a few of them are written to a few pages at once. */
export function openCallIndex(connection: Connection): CallIndex {
  const { raw } = connection
  const put = raw.prepare(`${insert} VALUES (?, ?) ${unlessThere}`)
  const mark = raw.prepare('UPDATE summed SET transfer = ? WHERE shard = ?')
  const waiting: Waiting[][] = Array.from({ length: shards }, () => [])
  let last = 0
  /** Where the round stands, and the last charge when it began. */
  let next = 0
  let roundOf = 0

  const writeShards = (from: number, to: number, mostRows: number) => {
    const written = new Map<Waiting[], number>()
    connection.transaction(() => {
      for (let shard = from; shard < to; shard++) {
        const all = waiting[shard] ?? []
        const end = endOfCommit(all, mostRows)
        const some = all.slice(0, end)
        for (const { account, request } of byAccount(some)) put.run(account, request)
        const isAll = end === all.length
        mark.run(isAll ? last : (some.at(-1)?.transfer ?? 0), firstIndexShard + shard)
        written.set(all, end)
      }
    }, 'brief')
    for (const [all, end] of written) all.splice(0, end)
  }

  const writeSome = (mostRows: number): boolean => {
    if (next === 0 && waiting.every((each) => each.length === 0)) return false
    if (next === 0) roundOf = last
    let to = next
    for (let rows = 0; to < shards && rows < mostRows; to++) rows += waiting[to]?.length ?? 0
    writeShards(next, to, mostRows)
    // A busy account may have more than one step takes.
    while (next < to && (waiting[next]?.length ?? 0) === 0) next++
    if (next < shards) return true
    next = 0
    return false
  }

  return {
    writeFree(ended) {
      for (const { opening, ending } of ended)
        if (ending.cost === 0) put.run(opening.account, opening.id)
    },
    add(ended, transfer) {
      last = transfer
      for (const { opening, ending } of ended)
        if (ending.cost !== 0)
          waiting[opening.account % shards]?.push({
            account: opening.account,
            request: opening.id,
            transfer,
          })
    },
    write(mostRows) {
      if (Number.isFinite(mostRows)) return writeSome(mostRows)
      // What was added in the midst of a round, and marks of what had nothing to be written.
      writeSome(mostRows)
      if (roundOf !== last) writeShards(0, shards, mostRows)
      roundOf = last
      return false
    },
    recover() {
      raw.run(`${insert} SELECT account, request FROM (${freshCalls}) f WHERE true ${unlessThere}`)
      raw.run(`${insert} ${pending} ${unlessThere}`)
    },
  }
}

/** Where the first rows end, with all of each commit: a mark is of the last one. */
function endOfCommit(all: readonly Waiting[], mostRows: number): number {
  let end = Math.min(mostRows, all.length)
  while (end > 0 && end < all.length && all[end]?.transfer === all[end - 1]?.transfer) end++
  return end
}

const byAccount = (calls: readonly Waiting[]): readonly Waiting[] =>
  calls.toSorted((one, other) => one.account - other.account)
