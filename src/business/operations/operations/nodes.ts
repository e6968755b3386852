import { isoOf } from '../../../domain/clock'
import { Type, type Static } from '@sinclair/typebox'
import type { NodeRow } from '../../data/nodes'
import type { CommandForm } from '../command'
import { Id, orNull } from '../fields'
import { operation } from '../operation'

const nodeView = (node: NodeRow) => ({
  id: node.id,
  state: stateOf(node),
  version: node.version,
  address: node.address,
  started: new Date(node.started).toISOString(),
  /** Since its last exchange with the database; null for one that is gone. */
  silent_ms: node.silentMs,
  ended: isoOf(node.ended),
  taken_over_by: node.takenBy,
})

function stateOf({ silentMs, takenBy }: NodeRow): 'serving' | 'left' | 'taken_over' {
  if (silentMs !== null) return 'serving'
  return takenBy === null ? 'left' : 'taken_over'
}

const states = ['serving', 'left', 'taken_over'] as const

const NodeView = Type.Object({
  id: Id,
  state: Type.Union(states.map((state) => Type.Literal(state))),
  version: Type.String(),
  address: Type.String(),
  started: Type.String(),
  silent_ms: orNull(Type.Number()),
  ended: orNull(Type.String()),
  taken_over_by: orNull(Id),
})

const list: CommandForm<{ readonly data: readonly Static<typeof NodeView>[] }> = {
  words: 'nodes list',
  about: 'list nodes: who serves, which version, and when each spoke last',
  example: 'nodes list --database postgres://chapar@db/chapar',
  object: 'node',
  list: {
    pages: null,
    columns: [
      'id',
      'state',
      'version',
      'address',
      'started',
      'silent_ms',
      'ended',
      'taken_over_by',
    ],
    heading: ['NODE', 'STATE', 'VERSION', 'ADDRESS', 'STARTED', 'SILENT'],
    cells: ({ id, state, version, address, started, silent_ms: silent }) => [
      String(id),
      state,
      version,
      address === '' ? '–' : address,
      started,
      silent === null ? '–' : `${(silent / 1000).toFixed(1)} s`,
    ],
  },
}

export const nodeOperations = [
  operation({
    name: 'nodes.list',
    method: 'GET',
    path: '/nodes',
    role: 'viewer',
    about:
      'Processes that serve from a shared database, and those that went within a day; none where one process serves from a data folder',
    result: Type.Object({ data: Type.Array(NodeView) }),
    commands: [list],
    run: async ({ service }) => ({ data: (await service.nodes()).map(nodeView) }),
  }),
]
