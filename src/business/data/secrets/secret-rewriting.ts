import type { Keyring, Rehash } from '../../../storage/files/keyring'
import { sealedKinds, type ResealCursor, type SecretStore } from './secret-store'
import type { Connection } from '../../../storage/sqlite/connection'
import { webhookPurpose } from '../../notices/preference-store'
import { isOld } from './secret-counts'
import { rehashedTables, sealedColumns, type SealedColumn } from './secret-columns'
import { nationalText } from '../../verification/store'

/** Rows that are sealed anew in one transaction: a gateway that serves waits no longer for its own. */
const sliceRows = 200

interface RewritingParts {
  readonly connection: Connection
  readonly keyring: Keyring
}

/** Inside of the caller's transaction. */
export function resealSlice(
  parts: RewritingParts,
  number: number,
  from: ResealCursor | null,
): Awaited<ReturnType<SecretStore['reseal']>> {
  const { kind, after } = from ?? { kind: sealedKinds[0], after: null }
  const column = sealedColumns[kind]
  const rows = oldRows(parts.connection, column, number, after)
  let unreadable = 0
  for (const row of rows) if (!resealRow(parts, column, row)) unreadable++
  const isWhole = rows.length < sliceRows || column.key.length > 1
  if (kind === 'account_webhook' && isWhole) resealTargets(parts)
  const following = sealedKinds[sealedKinds.indexOf(kind) + 1]
  const last = rows.at(-1)?.[column.key[0] ?? '']
  return {
    resealed: rows.length - unreadable,
    unreadable,
    next: !isWhole
      ? { kind, after: last as string | number }
      : following === undefined
        ? null
        : { kind: following, after: null },
  }
}

interface TargetRow {
  readonly notice: string
  readonly account: number
  readonly target: string
}

/**
 * Webhooks of before a change, to which a notice of that change is still on its way: few, for some hours. Each is JSON
 * with its secret in it (`security-notices.ts`).
 */
function resealTargets({ connection: { raw }, keyring: { vault } }: RewritingParts): void {
  const rows = raw.prepare<TargetRow, []>(
    `SELECT notice, account, target FROM holder_deliveries
    WHERE way = 'webhook' AND state = 'pending' AND target IS NOT NULL`,
  )
  const write = raw.prepare(
    `UPDATE holder_deliveries SET target = ? WHERE notice = ? AND way = 'webhook' AND target = ?`,
  )
  for (const { notice, account, target } of rows.all()) {
    const { url, secret } = JSON.parse(target) as { readonly url: string; readonly secret: string }
    const purpose = webhookPurpose(account)
    const text = vault.open(secret, purpose)
    if (text === null) continue
    write.run(JSON.stringify({ url, secret: vault.seal(text, purpose) }), notice, target)
  }
}

/** What is left, once the generation before is to go. Inside of the caller's transaction. */
export function resealAll(parts: RewritingParts, number: number): void {
  let next: ResealCursor | null = null
  do ({ next } = resealSlice(parts, number, next))
  while (next !== null)
}

type SealedRow = Readonly<Record<string, string | number>>

/** A row that more than one column names is one of few: those are read at once. */
function oldRows(
  { raw }: Connection,
  { table, column, key }: SealedColumn,
  number: number,
  after: ResealCursor['after'],
): readonly SealedRow[] {
  const select = `SELECT ${[...key, column].join(', ')} FROM ${table} WHERE ${column} IS NOT NULL AND ${isOld(column, number)}`
  if (key.length > 1) return raw.prepare<SealedRow, []>(select).all()
  const order = `ORDER BY ${key.join()} LIMIT ${sliceRows}`
  return after === null
    ? raw.prepare<SealedRow, []>(`${select} ${order}`).all()
    : raw
        .prepare<SealedRow, [string | number]>(`${select} AND ${key.join()} > ? ${order}`)
        .all(after)
}

/** @returns false for what no generation at hand opens */
function resealRow(
  { connection: { raw }, keyring: { vault, pepper } }: RewritingParts,
  { table, column, key, purpose }: SealedColumn,
  row: SealedRow,
): boolean {
  const names = key.map((name) => row[name] ?? '')
  const bound = purpose(names)
  const text = vault.open(String(row[column]), bound)
  if (text === null) return false
  const which = key.map((name) => `${name} = ?`).join(' AND ')
  raw
    .prepare(`UPDATE ${table} SET ${column} = ? WHERE ${which}`)
    .run(vault.seal(text, bound), ...names)
  if (column === 'national_code')
    raw
      .prepare(`UPDATE ${table} SET national_hash = ? WHERE ${which}`)
      .run(pepper.hash(nationalText(text)), ...names)
  return true
}

/** Hashes that one statement replaces. */
const rehashedAtOnce = 100

/** Only rows that still have the older hash: of several processes one is first. */
export function rehashRows({ raw }: Connection, rows: readonly Rehash[]): void {
  for (const [kind, all] of Map.groupBy(rows, (each) => each.kind))
    for (let at = 0; at < all.length; at += rehashedAtOnce) {
      const some = all.slice(at, at + rehashedAtOnce)
      const cases = some.map(() => 'WHEN ? THEN ?').join(' ')
      const old = some.map(() => '?').join(', ')
      // One statement, not a transaction: on PostgreSQL nodes need not read anew what only has another hash.
      raw
        .prepare(
          `UPDATE ${rehashedTables[kind]} SET hash = CASE hash ${cases} END WHERE hash IN (${old})`,
        )
        .run(...some.flatMap(({ from, to }) => [from, to]), ...some.map(({ from }) => from))
    }
}
