import { nanosPerUsd, type NanoUsd } from '../../domain/money'
import type { MetricRegistry } from './metric-registry'

/** Gauges of the rooms. */
interface RoomGauges {
  /** Calls that are not over. */
  running(): number
  streams(): number
  /** Jobs of videos that somebody waits for. */
  videos(): number
  /** All money that is held now. */
  held(): NanoUsd
  /** Number of open holds. */
  holds(): number
  /** Number of ended calls that wait for a commit. */
  queueLength(): number
}

/** Shows what the rooms know, read when somebody looks. */
export function showRooms(registry: MetricRegistry, rooms: RoomGauges): void {
  const gauge = (name: string, help: string, read: () => number, divisor = 1) =>
    registry.gauge({ name, help, divisor }, read)
  gauge('chapar_calls_running', 'Calls that are not over.', rooms.running)
  gauge('chapar_streams_open', 'Streams that are being sent.', rooms.streams)
  gauge('chapar_videos_open', 'Videos that are on their way.', rooms.videos)
  gauge('chapar_holds_open', 'Calls that money is held for.', rooms.holds)
  gauge('chapar_held_dollars', 'Dollars that are held.', rooms.held, nanosPerUsd)
  gauge('chapar_ledger_queue_length', 'Calls that ended and wait to be written.', rooms.queueLength)
}

/** Metrics of the ledger's commits: duration and failures. */
export function openCommitMetrics(registry: MetricRegistry) {
  const took = registry
    .histogram({
      name: 'chapar_ledger_commit_duration_seconds',
      help: 'Time that a commit of the ledger took, for all calls in it.',
      divisor: 1000,
      bounds: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 5000],
    })
    .with()
  const failures = registry
    .counter({
      name: 'chapar_ledger_commit_failures_total',
      help: 'Commits of the ledger that failed; each is tried again.',
    })
    .with()
  return {
    committed: (tookMs: number) => took.observe(tookMs),
    failed: () => failures.add(1),
  }
}

/** Counter of refunds: charged dollars, less these, are what calls came to. */
export function openRefundMetrics(registry: MetricRegistry): (amount: NanoUsd) => void {
  const refunds = registry
    .counter({
      name: 'chapar_refunded_dollars_total',
      help: 'Dollars that were given back, for videos that were not made.',
      divisor: nanosPerUsd,
    })
    .with()
  return (amount) => refunds.add(amount)
}

/** What a process knows of others on its database. */
interface NodeGauges {
  /** Since the last exchange that was answered. */
  silentMs(): number
  takenOver(): number
  /** Calls that are charged less than their spool said, since another node had ended them. */
  short(): number
}

export function showNode(registry: MetricRegistry, node: NodeGauges): void {
  registry.gauge(
    {
      name: 'chapar_node_silent_seconds',
      help: 'Time since the database answered this process.',
      divisor: 1000,
    },
    node.silentMs,
  )
  registry.gauge(
    { name: 'chapar_nodes_taken_over', help: 'Processes that this one took over.' },
    node.takenOver,
  )
  registry.gauge(
    {
      name: 'chapar_calls_charged_short',
      help: 'Calls of before its start that could not be charged in full: another process had ended them.',
    },
    node.short,
  )
}
