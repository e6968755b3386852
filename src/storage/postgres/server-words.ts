import type { DatabaseAddress } from '../database-address'

/** The oldest major version of PostgreSQL that is supported, and tested. */
export const minVersion = 15

/** Words of a version that is not supported. */
export const tooOld = (version: string): string =>
  `is PostgreSQL ${version}: this program needs ${minVersion} or newer. Upgrade the server (pg_upgrade), or name another one`

const shownNames = 3

/** Words of a connection whose settings did not arrive. @param kept names of settings */
export function behindPooler(kept: readonly string[] = []): string {
  const more = kept.length > shownNames ? ' and others' : ''
  const names = kept.length === 0 ? '' : ` (${kept.slice(0, shownNames).join(', ')}${more})`
  return `is behind a pooler, such as PgBouncer, which keeps settings of connections${names}, notifications or prepared statements from the server: name the host and port of PostgreSQL itself`
}

/** Words of a user whose sessions are taken for those of a replica. */
export const withoutTriggers = ({ shown }: DatabaseAddress): string => {
  const { username, pathname } = new URL(shown)
  return `has session_replication_role for this user, under which the triggers that guard money do not run: ALTER ROLE ${username} RESET session_replication_role, and ALTER DATABASE ${pathname.slice(1)} RESET session_replication_role`
}
