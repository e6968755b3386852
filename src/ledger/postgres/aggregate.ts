import type { SQL } from 'bun'
import { openInLine } from '../../domain/serial-queue'
import { statement } from '../../storage/postgres/retry'
import { sumSql } from './sum-sql'

/** Sums of charges, written behind them by whichever node comes first. */
interface SumWriter {
  /**
   * Writes what is settled by now, or a part of it, on the connection by now.
   * @returns null where another node is at it
   */
  write(sql: SQL): Promise<Summed | null>
}

interface Summed {
  /** That were charged. */
  readonly accounts: readonly number[]
  /** Whether nothing is left that was settled when it began. */
  readonly isOver: boolean
}

/** Free calls that one statement counts. */
const freeAtOnce = 2000
/** Transfers that one statement sums up: stores wait for a fraction of a second, however many an outage left. */
const transfersAtOnce = 4000

/**
 * Numbers of transfers are given before they are committed, and not in the order of commits. Below a number is
 * nothing under way any more once every transaction is over that had begun to write when it was the newest.
 */
interface Horizon {
  readonly transfer: bigint
  readonly writers: bigint
}

export function openSumWriter(maxTransfers = transfersAtOnce): SumWriter {
  let waiting: Horizon | null = null
  let settled = 0n
  const look = async (sql: SQL): Promise<Horizon> => {
    const [newest] = await statement<{ last: bigint }>(
      sql,
      `SELECT CASE WHEN is_called THEN last_value ELSE 0 END AS last FROM transfers_id_seq`,
    )
    // Taken behind it: whoever took that number or a lower one began to write before. The `xmax` of a snapshot
    // would not do: it is one past those that are over.
    const [next] = await statement<{ next: bigint }>(
      sql,
      'SELECT pg_current_xact_id()::text::bigint AS next',
    )
    return { transfer: newest?.last ?? 0n, writers: next?.next ?? 0n }
  }
  const advance = async (sql: SQL): Promise<void> => {
    waiting ??= await look(sql)
    const [oldest] = await statement<{ oldest: bigint }>(
      sql,
      'SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint AS oldest',
    )
    if ((oldest?.oldest ?? 0n) < waiting.writers) return
    settled = waiting.transfer
    waiting = null
  }
  const inLine = openInLine()
  const write = async (sql: SQL): Promise<Summed | null> => {
    await advance(sql)
    const [row] = await statement<{
      marked: number
      accounts: Summed['accounts'] | null
      isOver: boolean
    }>(sql, sumSql, [settled, freeAtOnce, maxTransfers])
    return row?.marked === 1 ? { accounts: row.accounts ?? [], isOver: row.isOver } : null
  }
  return { write: (sql) => inLine(() => write(sql)) }
}
