import type { AccountReader } from '../../../domain/reports/account-reader'
import type { OperatorReader } from '../../../domain/reports/operator-reader'
import { openActiveDaySlices } from '../../usage/active-day-backfill'
import { openBackgroundFill } from '../../usage/backfill'
import { openCheckpointer } from '../../../storage/sqlite/checkpointer'
import type { Connection } from '../../../storage/sqlite/connection'
import { openThreadReader } from './reader-thread'

interface ServingParts {
  /** Told when checkpoints have no thread of their own. */
  onCheckpointFault(fault: unknown): void
  /** Told when pages are read on the event loop. */
  onReaderFault(fault: unknown): void
  readonly connection: Connection
  readonly file: string
  readonly inPlace: AccountReader & OperatorReader
}

/** Threads and slow fills beside the event loop of a process that serves. */
export function openServing({
  connection,
  file,
  inPlace,
  onCheckpointFault,
  onReaderFault,
}: ServingParts) {
  const reading = openThreadReader({ file, inPlace, onFault: onReaderFault })
  const checkpointer = openCheckpointer({ connection, file, onFault: onCheckpointFault })
  const fill = openBackgroundFill(openActiveDaySlices(connection), onReaderFault)
  return {
    reader: reading.reader,
    beginCheckpoints: () => checkpointer.begin(),
    close() {
      fill.close()
      reading.close()
      checkpointer.close()
    },
  }
}
