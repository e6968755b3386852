import type { SQL } from 'bun'
import type { NodeId } from '../../../domain/ids'
import type { Connection } from '../../../storage/sqlite/connection'
import type { OtherNodes } from './secret-rotation'
import type { WaitedNode } from './secret-store'
import { statement } from '../../../storage/postgres/retry'

/** Key generations that a node records: marks of the generations in its file, and which one it hashes under. */
interface NodeSecrets {
  readonly known: readonly string[]
  readonly active: string | null
}

export const nodeSecretsText = (secrets: NodeSecrets): string => JSON.stringify(secrets)

/** Writes down what a node knows where that has changed: a rotation waits until every node has read the new file. */
export function openNodeSecrets(node: NodeId, secrets: () => string): (sql: SQL) => Promise<void> {
  let told = ''
  return async (sql) => {
    const now = secrets()
    if (now === told) return
    await statement(sql, 'UPDATE nodes SET secrets = $2 WHERE id = $1', [node, now])
    told = now
  }
}

/** Of nodes that do not write down what they know, nothing is known. */
const secretsIn = (text: string | null): NodeSecrets =>
  text === null || text === '' ? { known: [], active: null } : (JSON.parse(text) as NodeSecrets)

interface Row {
  readonly id: number
  readonly address: string
  readonly secrets: string | null
  readonly silent: number
}

/** Nodes of the database, for a rotation. */
export function otherNodes({ raw }: Connection): OtherNodes {
  const rows = () =>
    raw
      .prepare<Row, []>(
        `SELECT id, address, secrets, CASE WHEN expires < now_ms() THEN 1 ELSE 0 END AS silent
          FROM nodes WHERE NOT dead ORDER BY id`,
      )
      .all()
  const serving = (lacks: (secrets: NodeSecrets) => boolean): readonly WaitedNode[] =>
    rows()
      .filter(({ silent, secrets }) => silent === 0 && lacks(secretsIn(secrets)))
      .map(({ id, address }) => ({ node: id, address }))
  return {
    hold: () => void raw.run('LOCK TABLE nodes IN SHARE ROW EXCLUSIVE MODE'),
    without: (mark) => serving(({ known }) => !known.includes(mark)),
    notUsing: (mark) => serving(({ active }) => active !== mark),
    fenceSilent(mark) {
      for (const { id, silent, secrets } of rows())
        if (silent === 1 && !secretsIn(secrets).known.includes(mark))
          raw.prepare('UPDATE nodes SET batch = -1 WHERE id = ? AND NOT dead').run(id)
    },
  }
}
