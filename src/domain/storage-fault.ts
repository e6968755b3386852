/**
 * Beginnings of codes by which a disk, SQLite (sqlite.org/rescode.html) and PostgreSQL (SQLSTATE: its manual, appendix A)
 * say that they cannot read or write now, whatever they are asked.
 */
const codes = [
  // The system's.
  'ENOSPC',
  'EDQUOT',
  'EROFS',
  'EIO',
  'SQLITE_FULL',
  'SQLITE_READONLY',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  // Connection lost, insufficient resources such as a full disk (53100), shutdown, system errors, damage.
  '08',
  '53',
  '57P0',
  '58',
  'XX001',
  'XX002',
  // The server ended a statement that lasted too long.
  '57014',
  // The connection was lost, or never made.
  'ERR_POSTGRES_CONNECTION',
  'ERR_POSTGRES_IDLE_TIMEOUT',
  'ERR_POSTGRES_LIFETIME_TIMEOUT',
  // Read-only: a replica, or a database that was made so.
  '25006',
  // Of ours: the database does not answer.
  'away',
]

/** Causes that are looked at behind each other. */
const maxCauses = 5

/** The code by which storage said that it cannot be read or written now; null for any other fault. */
export function storageFault(thrown: unknown): string | null {
  let at = thrown
  for (let depth = 0; at instanceof Error && depth < maxCauses; depth++, at = at.cause)
    // The runtime's errors of PostgreSQL have the SQLSTATE there, and one code for all.
    for (const name of ['errno', 'code'] as const) {
      const code: unknown =
        name in at ? (at as { readonly [key in typeof name]?: unknown })[name] : null
      if (typeof code === 'string' && codes.some((each) => code.startsWith(each))) return code
    }
  return null
}
