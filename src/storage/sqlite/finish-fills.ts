import { openActiveDaySlices } from './active-day-fill'
import { openFillSlices } from './call-index-fill'
import type { Connection } from './database'
import { openRollupSlices } from './usage-rollup-fill'

const rowsInSlice = 5000

/** What is brought in behind the calls of a process that serves, in slices of about so many rows. */
export const slicesToFill = (connection: Connection): readonly ((rows: number) => boolean)[] => [
  openFillSlices(connection),
  openRollupSlices(connection, 'utc'),
  openRollupSlices(connection, 'zone'),
  openActiveDaySlices(connection),
]

/** Brings in at once what processes that serve do a slice at a time: a copy begins with all. */
export function finishFills(connection: Connection): void {
  for (const slice of slicesToFill(connection)) while (slice(rowsInSlice));
}
