import type { Database } from 'bun:sqlite'
import type { DatabaseAddress } from '../../../storage/database-address'
import { openMove, type MovedIn } from './move'

/**
 * Makes a new database on PostgreSQL that has all that one of SQLite has, to which nobody writes.
 * @throws RangeError where there is a database of ours already, or where the copy does not add up:
 *   nothing of it is left then
 */
export async function moveIn(lite: Database, address: DatabaseAddress): Promise<MovedIn> {
  await using move = await openMove(lite, address)
  const moved = await move.finish()
  await move.publish()
  return moved
}
