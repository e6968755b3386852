import type { Ms } from '../../../domain/clock'
import type { RotationState } from './secret-store'
import type { Connection } from '../../../storage/sqlite/connection'

/** Where the database keeps the mark of the generation in use, and the rest of a rotation's state. */
const markSetting = 'secret_mark'
const rotationSetting = 'secret_rotation'

const valueOf = ({ raw }: Pick<Connection, 'raw'>, key: string): string | null =>
  raw.prepare<{ value: string }, [string]>('SELECT value FROM settings WHERE key = ?').get(key)
    ?.value ?? null

const save = ({ raw }: Pick<Connection, 'raw'>, key: string, value: string): void =>
  void raw
    .prepare(
      `INSERT INTO settings (key, value) VALUES (?, ?)
      ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
    )
    .run(key, value)

/** Mark of the generation in use; null in a database without one. */
export const readMark = (connection: Pick<Connection, 'raw'>): string | null =>
  valueOf(connection, markSetting)

export function readRotation(connection: Pick<Connection, 'raw'>): RotationState {
  const kept = valueOf(connection, rotationSetting)
  const rest =
    kept === null
      ? { number: 1, since: null, before: null, next: null }
      : (JSON.parse(kept) as Omit<RotationState, 'mark'>)
  return { ...rest, mark: readMark(connection) }
}

/** Inside of the caller's transaction. */
export function saveRotation(
  connection: Pick<Connection, 'raw'>,
  { mark, ...rest }: RotationState & { readonly mark: string },
): void {
  save(connection, markSetting, mark)
  save(connection, rotationSetting, JSON.stringify(rest))
}

/** Same, for a database that has none yet: generation 1 is in use. */
export const saveFirstMark = (connection: Pick<Connection, 'raw'>, mark: string): void =>
  save(connection, markSetting, mark)

/** State of a database that begins with another key file. */
export const renewedRotation = (
  number: number,
  mark: string,
  since: Ms,
): RotationState & { readonly mark: string } => ({ number, mark, since, before: null, next: null })
