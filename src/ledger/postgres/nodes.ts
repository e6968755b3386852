import type { SQL } from 'bun'
import { systemMonotonic, type Ms } from '../../domain/clock'
import type { ClockReading } from '../../domain/synced-clock'
import type { NodeId } from '../../domain/ids'
import type { DatabaseAddress } from '../../storage/database-address'
import { hasSchema, openDatabase, schemaName } from '../../storage/postgres/connect'
import { dataFormat } from '../../storage/postgres/data-format'
import { examined } from '../../storage/postgres/examine-server'
import { holdsNothing, reachable } from '../../storage/postgres/reachable'
import { statement } from '../../storage/postgres/retry'

/** How a process is registered. */
interface NodeTerms {
  /** A node that is silent for so long is taken over. */
  readonly ttlMs: number
  readonly version: string
  /** Where it serves, for people. */
  readonly address: string
  /** What it knows of the keys, as `node-secrets.ts` reads it; nothing unless told. */
  readonly secrets?: string
}

/** One life of a process, as the database knows it. */
export interface NodeRow {
  readonly id: NodeId
  readonly version: string
  readonly address: string
  readonly started: Ms
  /** Since its last exchange; null for one that is gone. */
  readonly silentMs: number | null
  readonly ended: Ms | null
  /** The node that took it over. */
  readonly takenBy: NodeId | null
}

/** Rows of nodes that are gone are kept so long. */
const keptMs = 604_800_000

/** A node by its number, which a database that was set back gives again, and by when it was registered there. */
export interface NodeLife {
  readonly id: NodeId
  readonly started: Ms
}

/** @throws SQL.PostgresError 55000 where a newer program has begun another format */
export async function registerNode(sql: SQL, terms: NodeTerms): Promise<NodeLife> {
  const { ttlMs, version, address, secrets = '' } = terms
  await statement(sql, 'DELETE FROM nodes WHERE dead AND ended < now_ms() - $1', [keptMs])
  const [row] = await statement<{ id: bigint; started: bigint }>(
    sql,
    `INSERT INTO nodes (started, renewed, expires, version, address, format, secrets)
      VALUES (now_ms(), now_ms(), now_ms() + $1, $2, $3, $4, $5) RETURNING id, started`,
    [ttlMs, version, address, dataFormat, secrets],
  )
  return { id: Number(row?.id), started: Number(row?.started) as Ms }
}

/** Nodes that are not gone, those of them that are silent for longer than their lease, and the time there. */
export async function countNodes(sql: SQL): Promise<{
  readonly living: number
  readonly silent: number
  readonly clock: ClockReading
}> {
  const sent = systemMonotonic.ticks()
  const [row] = await statement<{ living: bigint; silent: bigint; now: bigint }>(
    sql,
    `SELECT count(*) AS living, count(*) FILTER (WHERE expires < now_ms()) AS silent, now_ms() AS now
      FROM nodes WHERE NOT dead`,
  )
  const received = systemMonotonic.ticks()
  const { living = 1, silent = 0, now = 0 } = row ?? {}
  return {
    living: Number(living),
    silent: Number(silent),
    clock: { at: Number(now) as Ms, sent, received },
  }
}

/** Where it serves is known once it does. */
export async function nameNode(sql: SQL, node: NodeId, address: string): Promise<void> {
  await statement(sql, 'UPDATE nodes SET address = $2 WHERE id = $1', [node, address])
}

/** A node that gave everything back leaves: nobody has to wait for it. */
export async function leaveNode(sql: SQL, node: NodeId): Promise<void> {
  await statement(
    sql,
    `UPDATE nodes SET dead = true, ended = now_ms() WHERE id = $1 AND NOT dead
      AND NOT EXISTS (SELECT 1 FROM slices WHERE node = $1 AND amount > 0)
      AND NOT EXISTS (SELECT 1 FROM requests WHERE node = $1 AND status = 'pending')`,
    [node],
  )
}

/**
 * Living nodes and those that are gone since a day, the newest first.
 * @param ttlMs as the nodes were registered with
 */
export async function listNodes(sql: SQL, ttlMs: number): Promise<readonly NodeRow[]> {
  const rows = await statement<Record<string, bigint | string | boolean | null>>(
    sql,
    `SELECT id, version, address, started, ended, taken_by, dead, now_ms() - (expires - $1) AS silent
      FROM nodes WHERE NOT dead OR ended > now_ms() - 86400000 ORDER BY id DESC LIMIT 200`,
    [ttlMs],
  )
  return rows.map((row) => ({
    id: Number(row['id']),
    version: String(row['version']),
    address: String(row['address']),
    started: Number(row['started']) as Ms,
    silentMs: row['dead'] === true ? null : Math.max(0, Number(row['silent'])),
    ended: row['ended'] === null ? null : (Number(row['ended']) as Ms),
    takenBy: row['taken_by'] === null ? null : Number(row['taken_by']),
  }))
}

/** Same, for who is no node. @throws RangeError as of `reachable` */
export async function readNodes(
  named: DatabaseAddress,
  ttlMs: number,
): Promise<readonly NodeRow[]> {
  const address = await examined(named)
  return await reachable(address, async () => {
    await using sql = openDatabase({ address, max: 1, name: 'chapar nodes list' })
    if (!(await hasSchema(sql, schemaName)))
      throw new RangeError(`${address.shown} ${holdsNothing}`)
    return await listNodes(sql, ttlMs)
  })
}

/**
 * By how many milliseconds a clock is ahead of the database's, which all nodes share; negative behind it.
 * The time of the answer is no part of it.
 * @throws RangeError as of `reachable`
 */
export async function clockLead(address: DatabaseAddress, now: () => number): Promise<number> {
  return await reachable(address, async () => {
    await using sql = openDatabase({ address, max: 1, name: 'chapar doctor' })
    const read = async () => {
      const asked = now()
      const rows: { now: bigint }[] = await sql.unsafe('SELECT now_ms() AS now')
      const answered = now()
      const there = Number(rows[0]?.now ?? 0)
      // It was read between the two.
      return there < asked ? asked - there : there > answered ? answered - there : 0
    }
    await read()
    // The first one had to connect.
    return await read()
  })
}
