import { ReadRefused } from '../../domain/reports/account-reader'
import type { ReadConnection } from './connection'

/**
 * Ends statements that last too long, and with them their snapshot: `in_time(column)` in their
 * conditions is asked for each row that they look at. Without a column of the innermost table SQLite
 * would ask it once.
 */
export interface ReadDeadline {
  /** Reads from now on may last so long, all together. */
  begin(ms: number): void
  /** A row was taken. @throws ReadRefused `too_long` */
  tick(): void
  /** Half of the time is over: what can go on later should. */
  isNear(): boolean
}

/** Asking for the time costs more than a row does. */
const rowsBetweenLooks = 256

/** Defines `in_time(column)` on a connection. Until it begins, reads may last as long as they do. */
export function openReadDeadline({ raw }: Pick<ReadConnection, 'raw'>): ReadDeadline {
  let near = Number.POSITIVE_INFINITY
  let until = Number.POSITIVE_INFINITY
  let rows = 0
  const tick = () => {
    if (++rows % rowsBetweenLooks === 0 && performance.now() > until)
      throw new ReadRefused('too_long')
  }
  raw.function('in_time', (_column) => {
    tick()
    return 1
  })
  return {
    begin(ms) {
      near = performance.now() + ms / 2
      until = near + ms / 2
    },
    tick,
    isNear: () => performance.now() > near,
  }
}
