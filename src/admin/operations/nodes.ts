import { Type } from '@sinclair/typebox'
import type { NodeRow } from '../../storage/nodes'
import { Id, orNull } from './fields'
import { liveOperation } from './operation'

/** A node as operators see it, in the console's API and on the command line. */
export const nodeView = (node: NodeRow) => ({
  id: node.id,
  state: stateOf(node),
  version: node.version,
  address: node.address,
  started: new Date(node.started).toISOString(),
  /** Since its last exchange with the database; null for one that is gone. */
  silent_ms: node.silentMs,
  ended: node.ended === null ? null : new Date(node.ended).toISOString(),
  taken_over_by: node.takenBy,
})

function stateOf({ silentMs, takenBy }: NodeRow): 'serving' | 'left' | 'taken_over' {
  if (silentMs !== null) return 'serving'
  return takenBy === null ? 'left' : 'taken_over'
}

const states = ['serving', 'left', 'taken_over'] as const

export const nodeOperations = [
  liveOperation({
    name: 'nodes.list',
    method: 'GET',
    path: '/nodes',
    role: 'viewer',
    about:
      'Processes that serve from a shared database, and those that went within a day; none where one process serves from a data folder',
    result: Type.Object({
      data: Type.Array(
        Type.Object({
          id: Id,
          state: Type.Union(states.map((state) => Type.Literal(state))),
          version: Type.String(),
          address: Type.String(),
          started: Type.String(),
          silent_ms: orNull(Type.Number()),
          ended: orNull(Type.String()),
          taken_over_by: orNull(Id),
        }),
      ),
    }),
    run: async ({ service }) => ({ data: (await service.nodes()).map(nodeView) }),
  }),
]
