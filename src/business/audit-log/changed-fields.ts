import type { TrailFields } from '../../domain/audit-log'

/** Stands for a secret: that it changed is kept, never what it is. */
const veil = '•••'
const secrets: ReadonlySet<string> = new Set(['credential', 'secret'])
/** Prefix of the field of one of several secrets. */
export const secretOf = 'credential.'

interface ChangedFields {
  readonly before: TrailFields | null
  readonly after: TrailFields | null
}

/** The fields that differ, secrets veiled; null where none does. */
export function changedFields(
  before: TrailFields | null,
  after: TrailFields | null,
): ChangedFields | null {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const changed = names.filter(
    (name) => JSON.stringify(before?.[name]) !== JSON.stringify(after?.[name]),
  )
  if (changed.length === 0) return null
  return { before: only(before, changed), after: only(after, changed) }
}

const only = (fields: TrailFields | null, names: readonly string[]): TrailFields | null =>
  fields === null
    ? null
    : Object.fromEntries(
        names.filter((name) => name in fields).map((name) => [name, shown(name, fields[name])]),
      )

const shown = (name: string, value: unknown): unknown =>
  isSecret(name) && value !== null && value !== undefined ? veil : value

const isSecret = (name: string): boolean => secrets.has(name) || name.startsWith(secretOf)
