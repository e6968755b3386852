import { openChangeFeed } from '../change-feed'
import { allDuties, type Cluster, type ProcessDuties } from '../cluster/cluster'
import { keyPrefix, type Config } from '../config'
import { openCatalogueLoader } from '../catalogue-loader'
import { sentOnDuty } from '../cluster/duty-stores'
import { openHolderService, openHoldersChannel, type HolderService } from './recipient-service'
import { openNoticeService, type NoticeService } from './notice-service'
import { openLedgerChoice } from '../open-money'
import { openRunningStreams } from '../../gateway/call/running'
import type { Clock, Monotonic, Random } from '../../domain/clock'
import { systemNoticeId } from '../../domain/ids'
import { descriptorLimit, shareOf } from '../../gateway/http/descriptors'
import { openIdentity } from '../../gateway/identity/open-key-lookup'
import { watchLoopLag } from '../../gateway/limits/loop-lag'
import { keepCalibration, openCalibration } from '../../gateway/metering/open-calibration'
import { openCapNotices } from '../../business/notices/cap-notices'
import type { ReachedCap } from '../../domain/notice'
import { holderChannels } from '../../business/notices/recipients/notices'
import { openServedNotices } from '../../business/notices/served-notices'
import { oddCount, openWatch, unrecordedCall } from '../../business/notices/threshold-watch'
import type { CallObserver } from '../../gateway/observability/call-observer'
import { faultFields, type Log } from '../../gateway/observability/log'
import { openLiveCalls } from '../../gateway/observability/live-calls'
import type { Observing } from '../../gateway/observability/observing'
import { openRefusalBook } from '../../gateway/observability/refusal-book'
import type { PostPublic } from '../../gateway/outbound/public-fetch'
import { openSettings } from '../../business/settings/settings'
import type { Settings } from '../../gateway/settings/registry'
import type { Storage } from '../../business/data/storage'
import type { Discovery } from '../../gateway/vendors/discover'
import { within } from '../../domain/with-timeout'
import { GatewayError } from '../../errors/gateway-error'
import type { IdentityStore } from '../../gateway/identity/key-lookup'

export interface GatewayParts {
  readonly config: Config
  readonly storage: Storage
  readonly discovery: Discovery
  readonly clock: Clock
  readonly monotonic: Monotonic
  readonly random: Random
  readonly log: Log
  readonly observing: Observing
  /** Null for one process on a data folder of its own. */
  readonly cluster?: Cluster | null
  /** Work that this process does for all of them; everything by default. */
  readonly duties?: ProcessDuties
  /** How webhooks of accounts are posted to; tests bring their own. */
  readonly postPublic?: PostPublic
}

const flushMs = 10
const pendingAfterMs = 500
const attemptWindowMs = 300_000

/** Dependencies that calls of every kind share: money, limits, identity, catalogue, notices. */
export type Rooms = Awaited<ReturnType<typeof openRooms>>

/** Opens them in the order in which they lean on each other. */
export async function openRooms(given: GatewayParts) {
  const { storage, clock, log } = given
  const calibration = openCalibration(await storage.catalogue.calibrations())
  const settings = await openOperatorSettings(given)
  const { values } = settings
  const loader = openCatalogueLoader({ ...given, settings: values })
  const lag = openLag(given, values, () => limits.slotsInUse() + ledger.queueLength())
  const { cluster = null } = given
  const identity = openIdentity({
    store: cluster === null ? storage.identity : refusedWithout(storage.identity),
    trustsLast: cluster !== null,
    pepper: storage.pepper,
    clock,
    brands: given.config.services.map(keyPrefix),
    onFault: (fault) => log.error('key refresh failed', faultFields(fault)),
  })
  const { notices, holders } = openNotices(given, values)
  const { channels } = notices
  const choice = openMoney(given, values, lag, { channels, onWritten: notices.wake })
  const { ledger, limits } = choice
  await loader.load()
  const mark = await storage.secrets.activeMark()
  const looked = { ...given, mark, settings, loader, identity, ledger, notices, holders }
  const changes = openChangeFeed(looked)
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
    ...changes,
    choice,
    lag,
    live: openLiveCalls(),
    served: openServedBook(given, { channels, onWritten: notices.wake }),
    notices,
    holders,
    keeping,
  }
}

/** Has operators hear of what vendors say that they served. */
function openServedBook({ storage, clock, log }: GatewayParts, notices: NoticeRoute): CallObserver {
  const tell = openServedNotices({
    store: storage.notices,
    clock,
    newId: systemNoticeId,
    ...notices,
  })
  return {
    served: ({ vendor, model, served }) =>
      void tell({ vendor, model }, served).catch((fault: unknown) =>
        log.error('notice lost', faultFields(fault)),
      ),
    attempted() {},
    ended() {},
    refused() {},
  }
}

/** Notices to operators and to the people of accounts: each may leave work to the other. */
function openNotices(given: GatewayParts, settings: Settings) {
  const { config, clock, random, log } = given
  const { duties = allDuties } = given
  const storage = sentOnDuty(given.storage, duties)
  const shared = { storage, settings, clock }
  const notices: NoticeService = openNoticeService({
    config: config.notices,
    store: storage.notices,
    clock,
    random,
    log,
    holders: openHoldersChannel(shared, () => holders.spread()),
  })
  const holders: HolderService = openHolderService({
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

const openOperatorSettings = ({ storage, config, log, cluster }: GatewayParts) =>
  openSettings({
    store: storage.settings,
    fixed: config.fixed,
    onLoad({ serviceZone }) {
      storage.countDaysIn(serviceZone)
      cluster?.countDaysIn(serviceZone)
    },
    // What an operator wrote may be shown.
    onFault: (fault) =>
      log.error('setting ignored', { ...faultFields(fault), message: String(fault) }),
  })

const openLag = ({ log }: GatewayParts, settings: Settings, queued: () => number) =>
  watchLoopLag({ limitMs: () => settings.overloadLag, queued }, (overloaded) =>
    log.warn(overloaded ? 'overloaded: refusing calls' : 'no longer overloaded'),
  )

/** Where the ledger's notices go. */
interface NoticeRoute {
  readonly channels: readonly string[]
  onWritten(): void
}

/** Who decides about money and limits, and looks at what is written. */
function openMoney(
  given: GatewayParts,
  settings: Settings,
  lag: ReturnType<typeof openLag>,
  notices: NoticeRoute,
) {
  const { config, storage, clock, monotonic, log, cluster = null } = given
  const report = openCapNotices({
    store: storage.notices,
    clock,
    newId: systemNoticeId,
    holders: holderChannels,
    ...notices,
  })
  const reportLater = (found: ReachedCap): void =>
    void report([found]).catch((fault: unknown) => log.error('notice lost', faultFields(fault)))
  cluster?.watchCaps(
    () => ({
      kycCeiling: settings.kycCeiling,
      serviceDayCapacity: settings.serviceDayCapacity,
      floor: config.notices.floor,
    }),
    report,
  )
  return openLedgerChoice({
    ...given,
    settings: {
      get kycCeiling() {
        return settings.kycCeiling
      },
      get serviceDayCapacity() {
        return settings.serviceDayCapacity
      },
      flushMs,
      pendingAfterMs,
    },
    limits: {
      monotonic,
      settings,
      attemptWindowMs,
      maxOfOneAddress: shareOf(descriptorLimit()),
      overloaded: lag.overloaded,
    },
    watch: openSumWatch(config, clock, notices),
    onMiscount: (miscount) => reportLater(oddCount(miscount)),
    onUnrecorded(call) {
      const { opening, cost, cause } = call
      const { id: request, account } = opening
      log.error('call not recorded', { request, account, cost, ...faultFields(cause) })
      reportLater(unrecordedCall(call))
    },
    onFault: (fault) => log.error('journal commit failed', faultFields(fault)),
  })
}

/** Finds what is to be told of sums. */
const openSumWatch = (config: Config, clock: Clock, notices: NoticeRoute) =>
  openWatch({
    clock,
    newId: systemNoticeId,
    floor: config.notices.floor,
    holders: holderChannels,
    ...notices,
  })

/** Whoever is unknown waits for a database that does not answer, and is not kept waiting. */
const patienceMs = 5000

/**
 * Wraps the identity store so that calls are told to retry, not that we are broken, while the database is
 * away.
 */
const refusedWithout = ({ findByHash, findByKey }: IdentityStore): IdentityStore => {
  const refused = (cause: unknown): never => {
    throw new GatewayError('gateway_error', {}, { cause })
  }
  const found = async <Found>(read: Promise<Found>): Promise<Found> => {
    const answer = await within(patienceMs, read).catch(refused)
    return answer === 'late' ? refused(new Error('the database does not answer')) : answer.result
  }
  return {
    findByHash: (hash) => found(findByHash(hash)),
    findByKey: (key) => found(findByKey(key)),
  }
}
