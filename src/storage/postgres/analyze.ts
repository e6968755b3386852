import type { DatabaseAddress } from '../database-address'
import { openDatabase, schemaName } from './connect'

/** Rows below which any plan does. */
const minRows = 1000

/**
 * Brings the planner's statistics up to date where much was written since they were taken: autovacuum comes
 * a minute late, and joins over whole tables are planned as if these were empty until then.
 */
export async function freshenStatistics(address: DatabaseAddress): Promise<void> {
  await using sql = openDatabase({ address, max: 1, name: 'chapar statistics' })
  const stale: { name: string }[] = await sql.unsafe(
    `SELECT relname AS name FROM pg_stat_user_tables
     WHERE schemaname = $1 AND n_mod_since_analyze > greatest($2::bigint, n_live_tup / 4)`,
    [schemaName, minRows],
  )
  if (stale.length > 0)
    await sql.unsafe(`ANALYZE ${stale.map(({ name }) => `"${name}"`).join(', ')}`)
}
