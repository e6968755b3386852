import type { SQL } from 'bun'
import type { NodeId } from '../../domain/ids'

/** A node whose program writes an older format. */
export interface OlderNode {
  readonly id: NodeId
  readonly version: string
  readonly address: string
  /** Of its lease. */
  readonly leftMs: number
}

/**
 * Nodes that serve and write an older format. A database of before has no formats, and may lack our functions.
 * @param isLocked they stay as they are until the transaction is over
 */
export async function servingOlder(
  sql: SQL,
  format: number,
  isLocked: boolean,
): Promise<readonly OlderNode[]> {
  const rows: { id: bigint; version: string; address: string; left: bigint }[] = await sql.unsafe(
    `SELECT id, version, address,
       expires - (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS left FROM nodes n
     WHERE NOT dead AND ${isOlder} ORDER BY id ${isLocked ? 'FOR UPDATE' : ''}`,
    [format],
  )
  return rows
    .map(({ id, version, address, left }) => ({
      id: Number(id),
      version,
      address,
      leftMs: Number(left),
    }))
    .filter(({ leftMs }) => leftMs >= 0)
}

/**
 * Has nodes that write an older format end when they wake: none of their exchanges is the next one any more. They
 * are taken over as any that is silent.
 */
export async function fenceOlder(sql: SQL, format: number): Promise<void> {
  await sql.unsafe(`UPDATE nodes n SET batch = -1 WHERE NOT dead AND ${isOlder}`, [format])
}

const isOlder = `coalesce((to_jsonb(n) ->> 'format')::bigint, 0) < $1`

/** Nodes by number, version and address, for people. */
export const namesOf = (nodes: readonly OlderNode[]): string =>
  nodes
    .map(({ id, version, address }) =>
      address === '' ? `node ${id} (${version})` : `node ${id} (${version} at ${address})`,
    )
    .join(', ')

export const servesOlder = (nodes: readonly OlderNode[]): string =>
  `${namesOf(nodes)} of an earlier release ${nodes.length === 1 ? 'serves' : 'serve'} from this database, and would leave out what this release writes: stop all of them, then begin this one`
