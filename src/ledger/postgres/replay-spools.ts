import type { SQL } from 'bun'
import type { DayIn } from '../../domain/zone-days'
import type { ExchangedCalls } from '../leased/exchange'
import type { NodeId } from '../../domain/ids'
import { inSpoolOrder, type SpoolRecord } from '../spool-record'
import { callRows, chargeCalls, freeCalls, insertCalls, updateCalls } from './call-sql'
import { exchangeRowsOf } from './exchange-rows'
import { isRejection, retried } from '../../storage/postgres/retry'
import { finalizeDead, chargeDirectly, listIn } from './takeover'

/** Spools that processes of this machine left. */
export interface LeftSpool {
  readonly node: NodeId
  readonly records: readonly SpoolRecord[]
}

/** What spools of ended nodes came to. */
export interface Replayed {
  /** Calls that ended by it. */
  readonly calls: number
  /** Of calls that were taken over before, those that could not be charged in full. */
  readonly short: number
  /** Records that the database rejects: nothing is charged for them. */
  readonly rejected: readonly SpoolRecord[]
}

/**
 * Ends nodes whose processes are known to be gone, with what their spools say. A call that was ended for
 * such a node when it was taken over is charged after all, to the balance. A record that the database rejects
 * does not hold up the others.
 */
export async function replaySpools(
  sql: SQL,
  spools: readonly LeftSpool[],
  zoneDay: DayIn,
): Promise<Replayed> {
  const nodes = spools.map(({ node }) => node)
  const records = inSpoolOrder(spools.flatMap((spool) => spool.records))
  try {
    return { ...(await replayAll(sql, nodes, records, zoneDay)), rejected: [] }
  } catch (fault) {
    if (!isRejection(fault)) throw fault
  }
  const rejected: SpoolRecord[] = []
  let [calls, short] = [0, 0]
  const add = (replayed: Omit<Replayed, 'rejected'>) => {
    calls += replayed.calls
    short += replayed.short
  }
  for (const record of records)
    try {
      add(await replayAll(sql, [], [record], zoneDay))
    } catch (fault) {
      if (!isRejection(fault)) throw fault
      rejected.push(record)
    }
  add(await replayAll(sql, nodes, [], zoneDay))
  return { calls, short, rejected }
}

/** Charges what records say and ends the nodes, in one transaction. */
const replayAll = (
  sql: SQL,
  nodes: readonly NodeId[],
  records: readonly SpoolRecord[],
  zoneDay: DayIn,
): Promise<Omit<Replayed, 'rejected'>> =>
  retried(() =>
    sql.begin(async (work) => {
      // Before any number of a transfer is taken: see `Horizon`.
      await work.unsafe('SELECT pg_current_xact_id()')
      await work.unsafe(
        `UPDATE nodes SET dead = true, ended = now_ms() WHERE id IN (
          SELECT id FROM nodes WHERE NOT dead AND id IN ${listIn('$1')} ORDER BY id FOR UPDATE)`,
        [JSON.stringify(nodes)],
      )
      const replayed = await replay(work, records, zoneDay)
      return { calls: replayed.calls + (await finalizeDead(work, nodes)), short: replayed.short }
    }),
  )

/** A call of which a spool tells, as the database has it. */
interface KnownCall {
  readonly id: string
  readonly status: string
  readonly cost: bigint
  readonly taken: boolean
}

async function replay(
  work: SQL,
  records: readonly SpoolRecord[],
  zoneDay: DayIn,
): Promise<Omit<Replayed, 'rejected'>> {
  // What was said last of a call counts.
  const last = new Map(records.map((record) => [record.opening.id as string, record]))
  const rows = (await work.unsafe(
    `SELECT id, status, cost, node < 0 AND error = 'gateway_error' AS taken FROM requests
      WHERE id IN (SELECT json_array_elements_text(($1::text)::json)) ORDER BY id FOR UPDATE`,
    [JSON.stringify([...last.keys()])],
  )) as KnownCall[]
  const known = new Map(rows.map((row) => [row.id, row]))
  const ended: ExchangedCalls['ended'][number][] = []
  let short = 0
  for (const [id, record] of last) {
    const row = known.get(id)
    const isOpen = row === undefined || row.status === 'pending'
    if (!isOpen && row.taken && 'ending' in record && record.ending.cost > row.cost) {
      // What it owed was charged under its id: there can be no second charge.
      if (row.cost > 0) short++
      else ended.push({ ...record, wasOpened: true })
    } else if (isOpen) ended.push({ ...endedOf(record), wasOpened: row !== undefined })
  }
  if (ended.length > 0) await writeEnded(work, ended, zoneDay)
  return { calls: ended.length, short }
}

/** Ending of a spooled call; one whose ending is not spooled failed, and costs what it owed. */
function endedOf(record: SpoolRecord) {
  if ('ending' in record) return record
  const { opening, held, owed } = record
  const lost = { error: 'gateway_error', latencyMs: 0, firstByteMs: null } as const
  return { opening, held, ending: { ...owed, ...lost, status: 'error' as const } }
}

async function writeEnded(
  work: SQL,
  ended: ExchangedCalls['ended'],
  zoneDay: DayIn,
): Promise<void> {
  const { calls } = exchangeRowsOf({ opened: [], ended }, zoneDay)
  const open = `(r.status = 'pending' OR r.node < 0 AND r.status = 'error')`
  // Was it counted as an error already, that count goes back; was it not, it is counted no more.
  await work.unsafe(
    `WITH ${callRows('$1')},
      waiting AS (DELETE FROM free_calls f USING b WHERE NOT b.begins AND f.request = b.id AND NOT f.undone RETURNING f.request)
    INSERT INTO free_calls (request, undone)
    SELECT r.id, true FROM requests r JOIN b ON b.id = r.id
    WHERE NOT b.begins AND r.node < 0 AND r.status = 'error' AND r.id NOT IN (SELECT request FROM waiting)
    ON CONFLICT DO NOTHING`,
    [calls],
  )
  await work.unsafe(
    `WITH ${callRows('$1')}, ${insertCalls('NULL::bigint')}, ${updateCalls(open)}, ${chargeCalls}, ${freeCalls}
    SELECT CASE WHEN (SELECT count(*) FROM ru) <> (SELECT count(*) FROM b WHERE NOT begins)
      THEN fail('a spooled call has no record to end') END`,
    [calls],
  )
  await chargeDirectly(
    work,
    ended.map(({ opening, ending }) => ({ ...opening, cost: ending.cost })),
  )
}
