import type { AccountReader } from '../../domain/account-reader'
import type { OperatorReader } from '../../domain/operator-reader'
import { openBackgroundFill } from './background-fill'
import { openCheckpointer } from './checkpointer'
import type { Connection } from './database'
import { slicesToFill } from './finish-fills'
import { openThreadReader } from './thread-reader'

interface ServingParts {
  /** Told when checkpoints have no thread of their own. */
  onCheckpointFault(fault: unknown): void
  /** Told when pages are read on the event loop. */
  onReaderFault(fault: unknown): void
  readonly connection: Connection
  readonly file: string
  /** Another process sees to the file. */
  readonly isFront: boolean
  readonly inPlace: AccountReader & OperatorReader
}

/** Threads and slow fills beside the event loop of a process that serves. */
export function openServing({
  connection,
  file,
  isFront,
  inPlace,
  onCheckpointFault,
  onReaderFault,
}: ServingParts) {
  const reading = openThreadReader({ file, inPlace, onFault: onReaderFault })
  const checkpointer = isFront
    ? null
    : openCheckpointer({ connection, file, onFault: onCheckpointFault })
  const slices = isFront ? [] : slicesToFill(connection)
  const fills = slices.map((slice) => openBackgroundFill(slice, onReaderFault))
  return {
    reader: reading.reader,
    beginCheckpoints: () => checkpointer?.begin() ?? Promise.resolve(),
    close() {
      for (const fill of fills) fill.close()
      reading.close()
      checkpointer?.close()
    },
  }
}
