import { finding, type Finding } from '../business/operations/finding'
import type { DatabaseAddress } from '../storage/database-address'
import {
  clockLead,
  examineServer,
  namesOf,
  readNodes,
  readOtherFormat,
  type ServerState,
} from '../business/data/nodes'
import { systemClock } from '../domain/clock'

const ok = finding('ok')
const warn = finding('warn')
const fail = finding('fail')
const check = 'nodes'

/** Lead of one clock over another; of machines that are set by NTP it is a small part of this. */
const maxLeadMs = 5000

interface NodeClocks {
  /** Silence after which another node takes one over. */
  readonly ttlMs: number
  now?(): number
}

/**
 * Processes that serve from a database, whether they speak to it, whether they are one version, and
 * whether this machine's clock is the database's.
 */
export async function checkNodes(
  named: DatabaseAddress,
  { ttlMs, now = systemClock.now }: NodeClocks,
): Promise<readonly Finding[]> {
  const server = await examineServer(named)
  const { address } = server
  const living = (await readNodes(address, ttlMs)).filter(({ silentMs }) => silentMs !== null)
  const count = living.length
  const silent = living.filter(({ silentMs }) => (silentMs ?? 0) > ttlMs).map(({ id }) => id)
  const versions = [...new Set(living.map(({ version }) => version))]
  const list = 'chapar nodes list'
  const leadMs = await clockLead(address, now)
  return [
    ...checkServer(server, count),
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
    ...(Math.abs(leadMs) <= maxLeadMs ? [] : [clockDiffers(leadMs)]),
  ]
}

/** Connections of one process: four, one each while somebody reads or audits. */
const processConnections = 6

/** Version and settings of the server. @param nodes that serve from it */
function checkServer(
  { version, unsafe, connections }: ServerState,
  nodes: number,
): readonly Finding[] {
  const check = 'PostgreSQL'
  // One more may begin while the others serve.
  const needed = processConnections * (nodes + 1)
  return [
    ok('postgres', { version }, { check, found: `version ${version}` }),
    ...unsafe.map((setting) =>
      warn(
        'postgres_unsafe',
        { setting },
        {
          check,
          found: `${setting} is off: a power failure of its machine loses what it confirmed`,
          advice: `ALTER SYSTEM SET ${setting} = on, then SELECT pg_reload_conf()`,
        },
      ),
    ),
    ...(connections >= needed
      ? []
      : [
          warn(
            'postgres_connections_few',
            { connections, needed },
            {
              check,
              found: `${connections} connections, and ${needed} may be needed`,
              advice: `raise max_connections: each process takes up to ${processConnections}`,
            },
          ),
        ]),
  ]
}

/** Findings of a database that another release has, before this program touches it. */
export async function checkFormat(address: DatabaseAddress): Promise<readonly Finding[]> {
  const { older, isNewer } = await readOtherFormat(address)
  if (isNewer)
    return [
      fail(
        'database_newer',
        {},
        {
          check,
          found: 'a newer release has brought the database to another format',
          advice: 'use that release',
        },
      ),
    ]
  if (older.length === 0) return []
  const nodes = namesOf(older)
  return [
    fail(
      'nodes_older',
      { nodes },
      {
        check,
        found: `of an earlier release, which leaves out what this one writes: ${nodes}`,
        advice: 'stop all of them, then begin this release; until then use theirs',
      },
    ),
  ]
}

/** Codes, links and sessions of one machine would be over at another, and calls of another day. */
function clockDiffers(leadMs: number): Finding {
  const seconds = Math.round(Math.abs(leadMs) / 1000)
  return leadMs > 0
    ? fail(
        'clock_ahead_of_database',
        { seconds: String(seconds) },
        {
          check: 'clock',
          found: `${seconds} s ahead of the database's`,
          advice: setClocks,
        },
      )
    : fail(
        'clock_behind_database',
        { seconds: String(seconds) },
        { check: 'clock', found: `${seconds} s behind the database's`, advice: setClocks },
      )
}

const setClocks =
  'set both clocks (timedatectl set-ntp true): codes and sessions of one node hold at all others'
