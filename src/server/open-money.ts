import type { Ledger } from '../ledger/ledger'
import { openLedger, type LedgerParts } from '../ledger/open-ledger'
import { watchedStore } from '../ledger/watched-store'
import type { LocalLedger } from '../ledger/handover'
import type { LimitsHandover } from '../gateway/limits/handover'
import type { Limits } from '../gateway/limits/limits'
import { openLocalLimits, type LocalLimitsParts } from '../gateway/limits/local-limits'
import type { Observing } from '../gateway/observability/observing'
import { openCommitMetrics } from '../gateway/observability/room-metrics'
import { openLeasedLimits } from './cluster/leased-limits'
import type { Storage } from '../business/data/storage'
import type { Cluster, ClusterLedgerParts } from './cluster/cluster'

/** Ledger and limits of this process: its own, or leased ones. */
export interface LedgerChoice {
  readonly ledger: Ledger
  readonly limits: Limits
  /** Both, where another process can take them over; null where each process has slices. */
  readonly handover: {
    readonly ledger: LocalLedger
    readonly limits: Limits & LimitsHandover
  } | null
  close(): void
}

interface ChoiceParts {
  readonly storage: Pick<Storage, 'ledger' | 'endings' | 'file'>
  readonly observing: Pick<Observing, 'metrics'>
  readonly cluster?: Cluster | null
  readonly settings: LedgerParts['settings']
  readonly limits: LocalLimitsParts
  /** Looks at sums where they are written by this process alone. */
  readonly watch: NonNullable<LedgerParts['watch']>
  /** Of a node, what a single process finds as it writes sums. */
  readonly onMiscount: ClusterLedgerParts['onMiscount']
  readonly onUnrecorded: ClusterLedgerParts['onUnrecorded']
  onFault(fault: unknown): void
}

/** The one process of a service decides in memory; one of several has slices of everything. */
export function openLedgerChoice(parts: ChoiceParts): LedgerChoice {
  const { storage, observing, cluster = null, settings, limits, watch, onFault } = parts
  if (cluster !== null) {
    const { metrics } = observing
    const observer = metrics === null ? null : openCommitMetrics(metrics)
    const { onMiscount, onUnrecorded } = parts
    const ledger = cluster.openLedger({ settings, observer, onMiscount, onUnrecorded })
    const shared = openLeasedLimits({ ...limits, ledger, nodes: cluster.living })
    return { ledger, limits: shared, handover: null, close: cluster.shareAddresses(shared) }
  }
  const { ledger: rows, endings: spool, file } = storage
  const isLost = () => (file?.loss ?? null) !== null
  const { metrics } = observing
  const store = metrics === null ? rows : watchedStore(rows, openCommitMetrics(metrics))
  const ledger = openLedger({ store, spool, isLost, watch, settings, onFault })
  const local = { ledger, limits: openLocalLimits(limits) }
  return { ...local, handover: local, close() {} }
}
