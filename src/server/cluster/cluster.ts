import type { CapSettings } from '../../ledger/caps'
import type { NodeId } from '../../domain/ids'
import type { UnrecordedCall } from '../../ledger/leased/rejected-calls'
import type { Miscount } from '../../ledger/watch'
import type { LeasedLedger } from '../../ledger/leased/leased-contract'
import { openLeasedLedger } from '../../ledger/leased/leased-ledger'
import { usualRules } from '../../ledger/leased/node-slices'
import { addressMessages, readAddressMessage } from '../../gateway/limits/address-news'
import type { SharedAddresses } from '../../gateway/limits/limits'
import type { CommitObserver } from '../../ledger/watched-store'
import type { SyncedClock } from '../../domain/synced-clock'
import { openCountedDays } from '../../domain/zone-days'
import { faultFields, type Log } from '../../gateway/observability/log'
import { logDamage } from '../damage-log'
import type { ReachedCap } from '../../domain/notice'
import type { ProcessBus } from './bus'
import { openNodeBus, type NodeBus } from './node-bus'
import type { DatabaseAddress } from '../../storage/database-address'
import {
  openNode,
  type ClusterNode,
  type FenceCause,
  type NodeRow,
  type NodeTimes,
  type Replayed,
  type ServiceCaps,
  type DutyClaim,
  type TurnMemory,
} from '../../business/data/nodes'
import type { Storage } from '../../business/data/storage'

interface ClusterParts {
  readonly address: DatabaseAddress
  /** Where this machine keeps its spools; no other process has it. */
  readonly folder: string
  /** Identity of the database. */
  readonly database: string
  readonly times: NodeTimes
  /** Turns of the stores, with the chores of this node. */
  readonly turns: TurnMemory
  readonly version: string
  /** The service's zone by now. */
  readonly zone: string
  /** Follows the database's: nodes have that one in common. */
  readonly clock: SyncedClock
  readonly log: Log
  /** What this process knows of the keys by now, for its row among the nodes. */
  secrets(): string
  /** @throws RangeError where this machine's key file lacks the generation in use */
  checkSecrets(): Promise<unknown>
  /** Stores whose writes show a claim. */
  under(claim: DutyClaim): Storage
  /** What this process holds counts no more: it must end at once. */
  onFenced(cause: FenceCause): void
}

/** What the ledger of a node needs beside its database. */
export interface ClusterLedgerParts {
  readonly settings: CapSettings & { readonly flushMs: number; readonly pendingAfterMs: number }
  /** Told of every exchange. */
  readonly observer: CommitObserver | null
  onMiscount(miscount: Miscount): void
  onUnrecorded(call: UnrecordedCall): void
}

/** Told of accounts that were charged, once their sums are written. */
type OnCharged = (accounts: readonly number[]) => Promise<void>

/** A process among others on one database. */
export interface Cluster {
  readonly node: NodeId
  readonly recovered: Replayed
  openLedger(parts: ClusterLedgerParts): LeasedLedger
  /** @param tell told what is worth telling of accounts that were charged, by whoever wrote the sums */
  watchCaps(caps: () => ServiceCaps, tell: (reached: readonly ReachedCap[]) => Promise<void>): void
  /** Whether the database was heard of late. */
  ready(): boolean
  /** Since the last exchange that was answered. */
  silentMs(): number
  /** Nodes that serve, this one included. */
  living(): number
  /** What this process does for all of them, as long as nobody else does. */
  readonly duties: ProcessDuties
  /** Nodes that this one took over. */
  takenOver(): number
  /** Questions to the other processes, and news for them. */
  readonly bus: ProcessBus
  /** Number that changes when somebody changed something but calls. */
  version(): number
  countDaysIn(zone: string): void
  /** It serves there now. */
  name(address: string): Promise<void>
  list(): Promise<readonly NodeRow[]>
  readonly ttlMs: number
  /** Has limits by address hear of the other processes, and these of them, until it is ended. */
  shareAddresses(limits: SharedAddresses): () => void
  /** All is given back: nobody has to wait for this node. */
  leave(): Promise<void>
}

/** What one process does for all. */
const dutyNames = ['notices', 'payments', 'prices', 'vendors'] as const
export type DutyName = (typeof dutyNames)[number]

/** Duties of a process: work that one of several does for all. */
export interface ProcessDuties {
  has(name: DutyName): boolean
  /** By which this process does it; null where no other process could. */
  claimOf(name: DutyName): DutyClaim | null
  /**
   * Stores for one piece of work: what they write is refused as `DutyLost` once another process does it.
   * @param storage that of the process, for one that is alone
   * @returns null where another process does it
   */
  begin(name: DutyName, storage: Storage): Storage | null
  /** @param gained told each time that this process begins to do it */
  watch(name: DutyName, gained: () => void): void
}

/** Duties of a process that is alone: all of them. */
export const allDuties: ProcessDuties = {
  has: () => true,
  claimOf: () => null,
  begin: (_, storage) => storage,
  watch() {},
}

/** Share of a lease for which the database may be silent before new calls should go elsewhere. */
const readyShare = 0.5

const reportAddressesMs = 1000

/** State that the parts of a node share. */
interface ClusterState {
  ledger: LeasedLedger | null
  version: number
  takenOver: number
  addresses: SharedAddresses | null
  bus: NodeBus | null
  onCharged: OnCharged | null
  fenced: FenceCause
}

/** State of a node that has not joined yet. */
const stateAtStart = (): ClusterState => ({
  ledger: null,
  version: 0,
  takenOver: 0,
  addresses: null,
  bus: null,
  onCharged: null,
  fenced: 'taken_over',
})

function hear({ bus, addresses }: ClusterState, channel: string, from: NodeId, message: string) {
  if (channel === 'chapar_bus') bus?.hear(from, message)
  else addresses?.hear(from, readAddressMessage(message))
}

export async function openCluster(parts: ClusterParts): Promise<Cluster> {
  const { address, folder, database, times, zone, clock, log } = parts
  const days = openCountedDays()
  days.use(zone, clock.now())
  const state = stateAtStart()
  const gained = new Map<string, (() => void)[]>()
  const observing = { observer: null as CommitObserver | null }
  const node = await openNode({
    address,
    folder,
    database,
    times,
    turns: parts.turns,
    version: parts.version,
    secrets: parts.secrets,
    zoneDay: days.dayOf,
    duties: dutyNames,
    notes: {
      onDuty: (name) => gained.get(name)?.forEach((tell) => tell()),
      spoolDamaged: logDamage(log),
      clockRead: (reading) => clock.sync(reading),
      version: (version) => void (state.version = Math.max(state.version, version)),
      question: (scope, no) => state.ledger?.hint(scope, no),
      told: (channel, from, message) => hear(state, channel, from, message),
      answered: (tookMs) => observing.observer?.committed(tookMs),
      tookOver({ nodes, calls }) {
        state.takenOver += nodes.length
        log.warn('node taken over', { nodes: nodes.join(), calls })
      },
      fenced: (cause) => void (state.fenced = cause),
      summed: async (accounts) => await state.onCharged?.(accounts),
      fault: (what, fault) => log.error(what, faultFields(fault)),
    },
  })
  await checkedSecrets(node, parts)
  log.info('node', { node: node.id, database: address.shown })
  const { bus } = (state.bus = busOfNode(node))

  return {
    node: node.id,
    recovered: node.recovered,
    openLedger(given) {
      observing.observer = given.observer
      return (state.ledger = ledgerOf(node, given, parts, state))
    },
    watchCaps(caps, tell) {
      state.onCharged = async (accounts) => await tell(await node.reachedCaps(accounts, caps()))
    },
    ready: () => node.silentMs() < readyShare * times.ttlMs,
    duties: dutiesOf(node, parts.under, gained),
    silentMs: () => node.silentMs(),
    living: () => node.living(),
    takenOver: () => state.takenOver,
    bus,
    version: () => state.version,
    countDaysIn: (named) => days.use(named, clock.now()),
    name: (at) => node.name(at),
    list: () => node.list(),
    ttlMs: times.ttlMs,
    shareAddresses(limits) {
      state.addresses = limits
      return reportAddresses(node, limits)
    },
    leave: () => node.leave(),
  }
}

/** A rotation that did not see this node may have made another generation the one in use. */
async function checkedSecrets(node: ClusterNode, parts: ClusterParts): Promise<void> {
  try {
    await parts.checkSecrets()
  } catch (fault) {
    await node.leave()
    throw fault
  }
}

const busOfNode = (node: ClusterNode): NodeBus =>
  openNodeBus({
    node: node.id,
    tell: (messages) => node.tellOthers('chapar_bus', messages),
    living: () => node.living(),
  })

const dutiesOf = (
  node: Pick<ClusterNode, 'hasDuty' | 'claimOf'>,
  under: ClusterParts['under'],
  gained: Map<string, (() => void)[]>,
): ProcessDuties => ({
  has: (name) => node.hasDuty(name),
  claimOf: (name) => node.claimOf(name),
  begin(name) {
    const claim = node.claimOf(name)
    return claim === null ? null : under(claim)
  },
  watch: (name, tell) => void gained.set(name, [...(gained.get(name) ?? []), tell]),
})

/** Tells others once a second; what was counted while the database is away is told to nobody. */
function reportAddresses(node: Pick<ClusterNode, 'tellOthers'>, limits: SharedAddresses) {
  let isReporting = false
  const tell = async () => {
    const news = limits.news()
    if (news === null || isReporting) return
    isReporting = true
    try {
      await node.tellOthers('chapar_told', addressMessages(news))
    } catch {
      // Each process goes on counting for itself.
    } finally {
      isReporting = false
    }
  }
  const timer = setInterval(() => void tell(), reportAddressesMs)
  timer.unref()
  return () => clearInterval(timer)
}

const ledgerOf = (
  { id, engine, spools }: ClusterNode,
  { settings, observer, onMiscount, onUnrecorded }: ClusterLedgerParts,
  { times, log, onFenced }: ClusterParts,
  state: Pick<ClusterState, 'fenced'>,
): LeasedLedger =>
  openLeasedLedger({
    node: id,
    engine,
    spools,
    settings,
    // Half of a slice is left whenever the database falls silent: enough for half of a lease.
    rules: { ...usualRules, ttlMs: times.ttlMs, coverMs: times.ttlMs },
    beatMs: times.beatMs,
    now: () => performance.now(),
    onFault(fault) {
      observer?.failed()
      log.warn('exchange', faultFields(fault))
    },
    onFenced: () => onFenced(state.fenced),
    onMiscount,
    onUnrecorded,
  })
