import type { Finding } from '../../admin/doctor-codes'
import { timesOf } from '../../app/database'
import type { DatabaseAddress } from '../../storage/database-address'
import { readNodes } from '../../storage/nodes'
import { finding } from './doctor-checks'

const ok = finding('ok')
const warn = finding('warn')
const check = 'nodes'

/** Processes that serve from a database, whether they speak to it, and whether they are one version. */
export async function checkNodes(address: DatabaseAddress): Promise<readonly Finding[]> {
  const { ttlMs } = timesOf(process.env['CHAPAR_NODE_TTL'])
  const living = (await readNodes(address, ttlMs)).filter(({ silentMs }) => silentMs !== null)
  const count = living.length
  const silent = living.filter(({ silentMs }) => (silentMs ?? 0) > ttlMs).map(({ id }) => id)
  const versions = [...new Set(living.map(({ version }) => version))]
  const list = 'chapar nodes list'
  return [
    ok('nodes', { count }, { check, found: count === 1 ? 'one serves' : `${count} serve` }),
    ...(silent.length === 0
      ? []
      : [
          warn(
            'nodes_silent',
            { nodes: silent.join(' ') },
            {
              check,
              found: `silent for longer than ${ttlMs / 1000} s, and taken over by nobody: ${silent.join(', ')}`,
              advice: `${list}; another node takes them over once it has served for that long`,
            },
          ),
        ]),
    ...(versions.length < 2
      ? []
      : [
          warn(
            'nodes_versions',
            { versions: versions.join(' ') },
            {
              check,
              found: `of several versions: ${versions.join(', ')}`,
              advice: `${list}; replace the older ones`,
            },
          ),
        ]),
  ]
}
