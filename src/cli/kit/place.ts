import { invoke } from '../../business/operations/invoke'
import type { Operation } from '../../business/operations/operation'
import type { OperationParts } from '../../business/operations/parts'
import { callOperation, type Elsewhere, type Sent } from '../remote/over-http'
import { keptServiceOf } from './kept-service'
import { withNewStorage, withStorage, type CommonOptions } from './command'
import { requester } from './operator'

/** Runs an operation on the data that a command means: here, or at a gateway elsewhere. */
export type RunOperation = (row: Operation, sent: Sent) => Promise<unknown>

let elsewhere: Elsewhere | null = null

/** Operations of this process are those of a gateway elsewhere, from now on. */
export const goElsewhere = (to: Elsewhere): void => void (elsewhere = to)

/** Whether operations are those of a gateway elsewhere. */
export const isElsewhere = (): boolean => elsewhere !== null

/** Opens the place that a command means, for as long as `work` takes. @param makesFolder where there is none */
export async function withPlace<T>(
  options: CommonOptions,
  makesFolder: boolean,
  work: (run: RunOperation) => Promise<T>,
): Promise<T> {
  const there = elsewhere
  if (there !== null) return await work((row, sent) => callOperation(there, row, sent))
  const open = makesFolder ? withNewStorage : withStorage
  return await open(options, async (storage) => {
    const service = await keptServiceOf(storage, options.data)
    return await work((row, sent) => {
      if (row.isLive)
        throw new RangeError('only a gateway that serves can do that: name it with --remote')
      // Rows that are not live take the service of any process: see `operation`.
      const parts = { requester: requester(), storage, service } as OperationParts
      return invoke(row, parts, sent)
    })
  })
}
