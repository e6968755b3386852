import { allDuties, type Cluster, type Duties } from './cluster'
import { keyPrefix, type Config } from './config'
import { openCatalogueLoader } from './catalogue-loader'
import { openHolderDesk, openHoldersChannel, type HolderDesk } from './holder-desk'
import { openNoticeDesk, type NoticeDesk } from './notice-desk'
import { openSync } from './sync'
import { openRunningStreams } from '../call/running'
import type { Clock, Random } from '../domain/clock'
import { systemNoticeId } from '../domain/ids'
import { descriptorLimit } from '../http/descriptors'
import { openIdentity } from '../identity/open-identity'
import type { Ledger } from '../ledger/ledger'
import { openLedger } from '../ledger/open-ledger'
import { watchedStore } from '../ledger/watched-store'
import { openLocalLimits } from '../limits/local-limits'
import { watchLoopLag } from '../limits/loop-lag'
import { keepCalibration } from '../metering/keep-calibration'
import { openCalibration } from '../metering/open-calibration'
import { openCapNotices } from '../notices/cap-notices'
import { holderChannels } from '../notices/holder-notices'
import { openWatch } from '../notices/watch'
import { faultFields, type Log } from '../observability/log'
import { openLiveCalls } from '../observability/live-calls'
import type { Observing } from '../observability/observing'
import { openRefusalBook } from '../observability/refusal-book'
import { openCommitMetrics } from '../observability/room-metrics'
import type { PostPublic } from '../outbound/public-fetch'
import { openSettings } from '../settings/settings'
import type { Settings } from '../settings/registry'
import type { Storage } from '../storage/storage'
import type { Discovery } from '../vendors/discover'

export interface GatewayParts {
  readonly config: Config
  readonly storage: Storage
  readonly discovery: Discovery
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly observing: Observing
  /** Null for one process on a data folder of its own. */
  readonly cluster?: Cluster | null
  /** How webhooks of accounts are posted to; tests bring their own. */
  readonly postPublic?: PostPublic
}

const flushMs = 10
const pendingAfterMs = 500
const attemptWindowMs = 300_000

/** What calls of every kind share: money, limits, identity, catalogue, notices. */
export type Rooms = Awaited<ReturnType<typeof openRooms>>

/** Opens them in the order in which they lean on each other. */
export async function openRooms(given: GatewayParts) {
  const { storage, clock, log } = given
  const calibration = openCalibration(await storage.catalogue.calibrations())
  const settings = await openOperatorSettings(given)
  const { values } = settings
  const loader = openCatalogueLoader({ ...given, settings: values })
  const { lag, limits } = openWatchedLimits(given, values)
  const identity = openIdentity({
    store: storage.identity,
    pepper: storage.pepper,
    clock,
    brands: given.config.services.map(keyPrefix),
    onFault: (fault) => log.error('identity', faultFields(fault)),
  })
  const { notices, holders } = openNotices(given, values)
  const { channels } = notices
  const ledger = openWatchedLedger(given, values, { channels, onWritten: notices.wake })
  const changed = () => {
    identity.expire()
    ledger.refresh()
    holders.wake()
  }
  await loader.load()
  const onCommit = () => {
    changed()
    notices.wake()
  }
  const reload = async () => {
    await settings.reload()
    if (await loader.isStale()) await loader.load()
  }
  const { sync, changes } = openSync({
    storage,
    clock,
    isDue: loader.isDue,
    advance: loader.load,
    onCommit,
    reload,
    onFault: (fault) => log.error('sync', faultFields(fault)),
  })
  const refresh = async () => {
    onCommit()
    await reload()
  }
  const keeping = keepCalibration(calibration, (changed) =>
    storage.catalogue.saveCalibrations(changed, clock.now()),
  )
  const refusals = openRefusalBook({ store: storage.refusals, log, clock })
  // What earlier processes left, of operators and of people.
  holders.wake()
  const streams = openRunningStreams()
  const shown = { calibration, streams, settings, loader, limits, identity, ledger, refusals }
  return {
    ...shown,
    sync,
    changes,
    refresh,
    changed,
    lag,
    live: openLiveCalls(clock),
    notices,
    holders,
    keeping,
  }
}

/** Notices to operators and to the people of accounts: each may leave work to the other. */
function openNotices(given: GatewayParts, settings: Settings) {
  const { config, clock, random, log } = given
  const duties = given.cluster?.duties ?? allDuties
  const storage = sentOnDuty(given.storage, duties)
  const shared = { storage, settings, clock }
  const notices: NoticeDesk = openNoticeDesk({
    config: config.notices,
    store: storage.notices,
    clock,
    random,
    log,
    holders: openHoldersChannel(shared, () => holders.spread()),
  })
  const holders: HolderDesk = openHolderDesk({
    ...shared,
    config,
    random,
    log,
    operators: notices.channels,
    onWritten: notices.wake,
    isOnDuty: () => duties.has('notices'),
    ...(given.postPublic === undefined ? {} : { postPublic: given.postPublic }),
  })
  duties.watch('notices', holders.wake)
  return { notices, holders }
}

/** Of several processes one sends: to the others nothing is ever due. */
function sentOnDuty(storage: Storage, duties: Duties): Storage {
  const { notices, holderNotices } = storage
  const isOn = () => duties.has('notices')
  return {
    ...storage,
    notices: {
      ...notices,
      due: async (...asked) => (isOn() ? notices.due(...asked) : []),
      nextDue: async (channel) => (isOn() ? notices.nextDue(channel) : null),
    },
    holderNotices: {
      ...holderNotices,
      due: async (...asked) => (isOn() ? holderNotices.due(...asked) : []),
      nextDue: async (way) => (isOn() ? holderNotices.nextDue(way) : null),
    },
  }
}

const openOperatorSettings = ({ storage, config, log, cluster }: GatewayParts) =>
  openSettings({
    store: storage.settings,
    fixed: config.fixed,
    onLoad({ serviceZone }) {
      storage.countDaysIn(serviceZone)
      cluster?.countDaysIn(serviceZone)
    },
    // What an operator wrote may be shown.
    onFault: (fault) => log.error('setting', { ...faultFields(fault), message: String(fault) }),
  })

function openWatchedLimits({ clock, log }: GatewayParts, settings: Settings) {
  const lag = watchLoopLag(
    () => settings.overloadLag,
    (overloaded) => log.warn(overloaded ? 'overloaded' : 'overload over'),
  )
  const limits = openLocalLimits({
    clock,
    settings,
    attemptWindowMs,
    mostOfOneAddress: Math.ceil((descriptorLimit() ?? Infinity) / 4),
    overloaded: lag.overloaded,
  })
  return { lag, limits }
}

/** Where the ledger's notices go. */
interface NoticeRoute {
  readonly channels: readonly string[]
  onWritten(): void
}

function openWatchedLedger(
  { storage, config, clock, log, observing: { metrics }, cluster = null }: GatewayParts,
  settings: Settings,
  notices: NoticeRoute,
): Ledger {
  const capSettings = {
    get kycCeiling() {
      return settings.kycCeiling
    },
    get serviceDayCapacity() {
      return settings.serviceDayCapacity
    },
    flushMs,
    pendingAfterMs,
  }
  if (cluster !== null) {
    const observer = metrics === null ? null : openCommitMetrics(metrics)
    cluster.watchCaps(
      () => ({
        kycCeiling: settings.kycCeiling,
        serviceDayCapacity: settings.serviceDayCapacity,
        floor: config.notices.floor,
      }),
      openCapNotices({
        store: storage.notices,
        clock,
        newId: systemNoticeId,
        holders: holderChannels,
        ...notices,
      }),
    )
    return cluster.openLedger({ settings: capSettings, observer })
  }
  return openLedger({
    store:
      metrics === null ? storage.ledger : watchedStore(storage.ledger, openCommitMetrics(metrics)),
    spool: storage.endings,
    watch: openWatch({
      clock,
      newId: systemNoticeId,
      floor: config.notices.floor,
      holders: holderChannels,
      ...notices,
    }),
    settings: capSettings,
    onFault: (fault) => log.error('journal', faultFields(fault)),
  })
}
