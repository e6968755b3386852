import { customerChanges, customerReads } from './lines-customers'
import { modelChanges, modelReads } from './lines-models'
import { moneyChanges, moneyReads } from './lines-money'
import { operationChanges, operationReads, refusedOnly } from './lines-operation'

interface CommandRecording {
  readonly name: string
  readonly lines: readonly string[]
  /** What comes into the trail is recorded too. */
  readonly isTrailed: boolean
}

const reading = (name: string, lines: readonly string[]): CommandRecording => ({
  name,
  lines,
  isTrailed: false,
})
const changing = (name: string, lines: readonly string[]): CommandRecording => ({
  name,
  lines,
  isTrailed: true,
})

/** Every recording of commands, in the order in which they run: each finds what those before have left. */
export const commandRecordings: readonly CommandRecording[] = [
  reading('customers-reads', customerReads),
  reading('money-reads', moneyReads),
  reading('models-reads', modelReads),
  reading('operation-reads', operationReads),
  reading(
    'refused-only',
    Object.values(refusedOnly).flatMap(({ lines }) => lines),
  ),
  changing('customers-changes', customerChanges),
  changing('money-changes', moneyChanges),
  changing('models-changes', modelChanges),
  changing('operation-changes', operationChanges),
]
