import type { Command } from 'commander'
import { nodeView } from '../../admin/operations/nodes'
import { databaseOf, timesOf } from '../../app/database'
import { readNodes } from '../../storage/nodes'
import { branch, leaf, type CommonOptions } from '../kit/leaf'
import { printList, withCsv, type ListForm, type ListOptions } from '../kit/listing'

interface NodesOptions extends ListOptions, CommonOptions {
  readonly database?: string
}

export function nodesCommand(program: Command): void {
  const nodes = branch(program, 'nodes', 'show processes that serve from a shared database')
  withCsv(
    leaf(
      nodes,
      'list',
      'list nodes: who serves, which version, and when each spoke last',
      'nodes list --database postgres://chapar@db/chapar',
    ),
  ).action(async (options: NodesOptions) => {
    const { CHAPAR_DATABASE, CHAPAR_DATABASE_FILE, CHAPAR_NODE_TTL } = process.env
    const variables = { CHAPAR_DATABASE, CHAPAR_DATABASE_FILE }
    const address = databaseOf(options.database ?? null, variables)
    if (address === null)
      throw new RangeError(
        'one process serves from a data folder; nodes share a database: name it by --database or CHAPAR_DATABASE',
      )
    const all = await readNodes(address, timesOf(CHAPAR_NODE_TTL).ttlMs)
    await printList(options, all.map(nodeView), form)
  })
}

const form: ListForm<ReturnType<typeof nodeView>> = {
  columns: ['id', 'state', 'version', 'address', 'started', 'silent_ms', 'ended', 'taken_over_by'],
  heading: ['NODE', 'STATE', 'VERSION', 'ADDRESS', 'STARTED', 'SILENT'],
  cells: ({ id, state, version, address, started, silent_ms: silent }) => [
    String(id),
    state,
    version,
    address === '' ? '–' : address,
    started,
    silent === null ? '–' : `${(silent / 1000).toFixed(1)} s`,
  ],
}
