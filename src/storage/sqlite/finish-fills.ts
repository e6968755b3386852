import { openFillSlices } from './call-index-fill'
import type { Connection } from './database'
import { openRollupSlices } from './usage-rollup-fill'

const rowsInSlice = 5000

/** Brings in at once what processes that serve bring in a slice at a time: a copy begins with all. */
export function finishFills(connection: Connection): void {
  for (const slice of [openFillSlices(connection), openRollupSlices(connection)])
    while (slice(rowsInSlice));
}
