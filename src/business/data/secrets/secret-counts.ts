import type { Ms } from '../../../domain/clock'
import { secretIn } from '../../../storage/files/data-folder'
import type { InstallationSecrets } from '../../../storage/files/key-file-format'
import { generationSuffix } from '../../../storage/files/vault'
import { hashedKinds, sealedKinds, type RotationLoss, type SecretCount } from './secret-store'
import type { Connection } from '../../../storage/sqlite/connection'
import { readMark } from './rotation-state'
import { hashedColumns, sealedColumns, type HashedColumn } from './secret-columns'

/** Names of what stops working that people are shown, of each kind. */
const maxExamples = 20

/** SQL that holds for hashes and sealed texts of another generation than this one. */
export const isOld = (column: string, number: number): string =>
  number === 1 ? `${column} LIKE '%.%'` : `${column} NOT LIKE '%${generationSuffix(number)}'`

const liveOf = ({ live }: HashedColumn, now: Ms): string => live.replaceAll('$now', String(now))

const countOf = ({ raw }: Connection, sql: string): number =>
  raw.prepare<{ count: number }, []>(sql).get()?.count ?? 0

/** Mark of the generation in use. @throws RangeError where the key file lacks it */
export function activeMarkOf(connection: Connection, secrets: InstallationSecrets): string | null {
  const mark = readMark(connection)
  if (mark !== null && !secrets.generations.some((each) => each.mark === mark))
    throw new RangeError(`${secretIn('')} lacks the generation of the key that is in use`)
  return mark
}

/** Rows of each kind, and those of another generation. */
export function countSecrets(
  connection: Connection,
  number: number,
  now: Ms,
): readonly SecretCount[] {
  const hashed = hashedKinds.map((kind): SecretCount => {
    const each = hashedColumns[kind]
    const from = `SELECT count(*) AS count FROM ${each.table} WHERE ${liveOf(each, now)}`
    const old = countOf(connection, `${from} AND ${isOld(each.column, number)}`)
    return { kind, count: countOf(connection, from), old }
  })
  const sealed = sealedKinds.map((kind): SecretCount => {
    const { table, column } = sealedColumns[kind]
    const from = `SELECT count(*) AS count FROM ${table} WHERE ${column} IS NOT NULL`
    const old = countOf(connection, `${from} AND ${isOld(column, number)}`)
    return { kind, count: countOf(connection, from), old }
  })
  return [...hashed, ...sealed]
}

/** What only another generation can check. */
export function lossesOf(connection: Connection, number: number, now: Ms): readonly RotationLoss[] {
  return hashedKinds.flatMap((kind): RotationLoss[] => {
    const each = hashedColumns[kind]
    const from = `FROM ${each.table} WHERE ${liveOf(each, now)} AND ${isOld(each.column, number)}`
    const count = countOf(connection, `SELECT count(*) AS count ${from}`)
    if (count === 0) return []
    const shown =
      each.shown === null
        ? []
        : connection.raw
            .prepare<{ name: string }, []>(
              `SELECT DISTINCT ${each.shown} AS name ${from} ORDER BY name LIMIT ${maxExamples}`,
            )
            .all()
    return [{ kind, count, examples: shown.map(({ name }) => name) }]
  })
}

/** Inside of the caller's transaction. */
export function revokeOld({ raw }: Connection, number: number, now: Ms): void {
  for (const each of Object.values(hashedColumns)) {
    const { table, column, finish } = each
    const which = `WHERE ${isOld(column, number)}`
    if (finish === 'delete') raw.run(`DELETE FROM ${table} ${which}`)
    else
      raw.run(
        `UPDATE ${table} SET ${finish.set.replaceAll('$now', String(now))} ${which} AND ${liveOf(each, now)}`,
      )
  }
}

/** When the last ticket that was used under another generation is over. */
export function ticketsUntil({ raw }: Connection, number: number, now: Ms): Ms | null {
  const { table, column } = hashedColumns.used_ticket
  return (
    raw
      .prepare<{ until: Ms | null }, []>(
        `SELECT max(expires) AS until FROM ${table} WHERE expires > ${now} AND ${isOld(column, number)}`,
      )
      .get()?.until ?? null
  )
}
