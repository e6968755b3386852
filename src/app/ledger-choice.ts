import type { Ledger } from '../ledger/ledger'
import { openLedger, type LedgerParts } from '../ledger/open-ledger'
import { watchedStore } from '../ledger/watched-store'
import type { Limits, SharedAddresses } from '../limits/limits'
import { openLocalLimits, type LocalLimitsParts } from '../limits/local-limits'
import type { Observing } from '../observability/observing'
import { openCommitMetrics } from '../observability/room-metrics'
import { openLeasedLimits } from '../processes/leased-limits'
import type { Storage } from '../storage/storage'
import type { Cluster } from './cluster'
import { peerTopics, type Peers } from './peers'
import { sharedLedger } from './shared-ledger'

/** Ledger and limits of this process: its own, or leased ones. */
export interface LedgerChoice {
  readonly ledger: Ledger
  readonly limits: Limits
  close(): void
}

interface ChoiceParts {
  readonly storage: Pick<Storage, 'ledger' | 'endings' | 'file'>
  readonly observing: Pick<Observing, 'metrics'>
  readonly peers?: Peers
  readonly cluster?: Cluster | null
  readonly settings: LedgerParts['settings']
  readonly limits: LocalLimitsParts
  /** Looks at sums where they are written by this process alone. */
  readonly watch: NonNullable<LedgerParts['watch']>
  onFault(fault: unknown): void
}

const tellAddressesMs = 1000

/** The one process of a service decides in memory; one of several has slices of everything. */
export function openLedgerChoice(parts: ChoiceParts): LedgerChoice {
  const { storage, observing, peers, cluster = null, settings, limits, watch, onFault } = parts
  if (cluster !== null) {
    const { metrics } = observing
    const observer = metrics === null ? null : openCommitMetrics(metrics)
    const ledger = cluster.openLedger({ settings, observer })
    const shared = openLeasedLimits({ ...limits, ledger, nodes: cluster.living })
    return { ledger, limits: shared, close: cluster.shareAddresses(shared) }
  }
  if (peers === undefined) {
    const { ledger: rows, endings: spool, file } = storage
    const isLost = () => (file?.loss ?? null) !== null
    const { metrics } = observing
    const store = metrics === null ? rows : watchedStore(rows, openCommitMetrics(metrics))
    const ledger = openLedger({ store, spool, isLost, watch, settings, onFault })
    return { ledger, limits: openLocalLimits(limits), close() {} }
  }
  const ledger = peers.openLedger(settings)
  const shared = openLeasedLimits({ ...limits, ledger })
  const stop = shareAddresses(shared, peers)
  return { ledger: sharedLedger(ledger, peers), limits: shared, close: stop }
}

function shareAddresses(limits: SharedAddresses, { bus, role }: Peers): () => void {
  // No client comes to the owner.
  if (role === 'owner') return () => {}
  bus.on(peerTopics.addresses, (news, from) => {
    limits.hear(from, news)
    return null
  })
  const timer = setInterval(() => {
    const news = limits.news()
    if (news !== null) bus.tell(peerTopics.addresses, news)
  }, tellAddressesMs)
  timer.unref()
  return () => clearInterval(timer)
}
