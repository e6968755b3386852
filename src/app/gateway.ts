import { tmpdir } from 'node:os'
import type { RouteParts } from '../api/route'
import { openCoalescing } from '../call/coalescing'
import { openPictures } from '../outbound/fetch-picture'
import { findEarlierAnswer } from '../call/recorded-call'
import { openReasoningMemory } from '../call/reasoning-memory'
import { openRunningStreams } from '../call/running'
import { openSend } from '../outbound/send'
import { soldCard } from '../admin/priced-catalogue'
import { openCatalogue } from '../catalogue/open-catalogue'
import { openRouteOrder } from '../catalogue/route-order'
import { openModelViews } from '../catalogue/view'
import { keyPrefix, type Config } from './config'
import { openLiveCatalogue } from './live-catalogue'
import { openNoticeDesk } from './notice-desk'
import type { Clock, Ms, Random } from '../domain/clock'
import { systemIds, systemNoticeId } from '../domain/ids'
import { openTurn } from '../net/write-batcher'
import { descriptorLimit } from '../http/descriptors'
import { openSpool } from '../http/spool'
import { openVideos } from '../endpoints/videos/open-videos'
import { openIdentity } from '../identity/open-identity'
import { openSafetyIds } from '../identity/safety-ids'
import { openLedger } from '../ledger/open-ledger'
import { watchedStore } from '../ledger/watched-store'
import { openLocalLimits } from '../limits/local-limits'
import { watchLoopLag } from '../limits/loop-lag'
import { keepCalibration } from '../metering/keep-calibration'
import { openCalibration } from '../metering/open-calibration'
import type { TellCount } from '../notices/count-notices'
import { openWatch } from '../notices/watch'
import { openCallLog, openVideoLog } from '../observability/call-log'
import { joinObservers } from '../observability/call-observer'
import { faultFields, type Log } from '../observability/log'
import type { Observing } from '../observability/observing'
import { openRefusalBook } from '../observability/refusal-book'
import { openCommitMetrics, openRefundMetrics, showRooms } from '../observability/room-metrics'
import { isOnForHour } from '../settings/on-for-hour'
import { openSettings } from '../settings/settings'
import type { Storage } from '../storage/storage'
import type { Discovery } from '../vendors/discover'
import { vendors } from '../vendors/registry'
import { findFailure } from '../vendors/sandbox/failing-models'

/** Everything a process shares, built once. */
export interface Gateway {
  readonly parts: RouteParts
  /** Takes in what other processes changed; a microsecond when nothing did. */
  sync(): void
  /** Takes in a change of the catalogue that this process made itself. */
  reloadCatalogue(): void
  /** Takes in a change of accounts, keys or money that this process made itself. */
  changed(): void
  /** Tells the operator of what is counted by the hour; once for each hour. */
  readonly tellCount: TellCount
  /** Takes in a setting that this process changed itself. */
  reloadSettings(): void
  /** No new calls: `readyz` says so from now on. */
  stopTaking(): void
  /** Calls that are not over. */
  runningCalls(): number
  /** Vendors and models on sale, for people. */
  onSale(): { readonly vendors: readonly string[]; readonly models: number }
  /** Writes everything that is not yet written, durably. */
  close(): void
}

export interface GatewayParts {
  readonly config: Config
  readonly storage: Storage
  readonly discovery: Discovery
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly observing: Observing
}

const flushMs = 10
const pendingAfterMs = 500
const attemptWindowMs = 300_000
/** Above the largest ceiling of an account: whoever is just above it is told so in words. */
const frameSlackKb = 1024
/** Reasoning that vendors want back with results of tools. */
const reasoningMemory = { maxBytes: 64_000_000, keepMs: 3_600_000 }

export function openGateway({
  config,
  storage,
  discovery,
  clock,
  random,
  log,
  observing,
}: GatewayParts): Gateway {
  const { metrics } = observing
  const catalogue = openCatalogue(findFailure)
  const models = openModelViews(catalogue)
  const calibration = openCalibration(storage.catalogue.calibrations())
  const streams = openRunningStreams()
  const settings = openSettings({
    store: storage.settings,
    fixed: config.fixed,
    // What an operator wrote may be shown.
    onFault: (fault) => log.error('setting', { ...faultFields(fault), message: String(fault) }),
  })
  const { values } = settings
  const showsVendorWords = () => isOnForHour(values.logVendorWords, clock.now())
  const lag = watchLoopLag(
    () => values.overloadLag,
    (overloaded) => log.warn(overloaded ? 'overloaded' : 'overload over'),
  )
  const limits = openLocalLimits({
    clock,
    settings: values,
    attemptWindowMs,
    mostOfOneAddress: Math.ceil((descriptorLimit() ?? Infinity) / 4),
    overloaded: lag.overloaded,
  })
  const identity = openIdentity({
    store: storage.identity,
    pepper: storage.pepper,
    clock,
    brands: config.services.map(keyPrefix),
  })
  const notices = openNoticeDesk({
    config: config.notices,
    store: storage.notices,
    clock,
    random,
    log,
  })
  const ledger = openLedger({
    store:
      metrics === null ? storage.ledger : watchedStore(storage.ledger, openCommitMetrics(metrics)),
    spool: storage.endings,
    watch: openWatch({
      clock,
      newId: systemNoticeId,
      floor: config.notices.floor,
      channels: notices.channels,
      onWritten: notices.wake,
    }),
    settings: {
      get kycCeiling() {
        return values.kycCeiling
      },
      get serviceDayCapacity() {
        return values.serviceDayCapacity
      },
      flushMs,
      pendingAfterMs,
    },
    onFault: (fault) => log.error('journal', faultFields(fault)),
  })

  const live = openLiveCatalogue({
    storage,
    discovery,
    sandbox: () => values.sandbox,
    catalogue,
    models,
  })

  const changed = () => {
    identity.forget()
    ledger.refresh()
  }

  let seen = storage.version()
  let looked: Ms | null = null
  const sync = () => {
    // Looking once a millisecond is soon enough: no command can have ended in between.
    const time = clock.now()
    if (time === looked) return
    looked = time
    live.advance(time)
    const now = storage.version()
    if (now === seen) return
    seen = now
    settings.reload()
    changed()
    notices.wake()
    live.refresh()
  }

  const keeping = keepCalibration(calibration, (changed) =>
    storage.catalogue.saveCalibrations(changed, clock.now()),
  )
  const refusals = openRefusalBook({ store: storage.refusals, log, clock })

  notices.wake()

  const turn = openTurn()
  const send = openSend({ clock, proxied: config.proxies.any, turn })
  const vendorConfig = (name: string) => live.vendors().get(name) ?? null
  const countRefund = metrics === null ? () => {} : openRefundMetrics(metrics)
  const videos = openVideos({
    store: storage.videos,
    ledger: {
      flush: ledger.flush,
      refunded(refunds) {
        ledger.refunded(refunds)
        for (const { amount } of refunds) countRefund(amount)
      },
    },
    clock,
    random,
    vendors,
    vendorConfig,
    send,
    onFault: (fault) => log.error('videos', faultFields(fault)),
    onTrouble: openVideoLog(log, showsVendorWords),
  })

  let taking = true
  const parts: RouteParts = {
    identity,
    limits,
    clock,
    vendors,
    vendorConfig,
    costs: live.costs,
    routeOrder: openRouteOrder(clock, random),
    send,
    catalogue,
    models,
    reports: storage.reports,
    spool: openSpool(storage.folder ?? tmpdir()),
    maxFrameBytes: (storage.directory.largestRequestKb() + frameSlackKb) * 1024,
    cardOf(model, version) {
      const card = catalogue.find(model)?.model.card ?? null
      return card?.version === version ? card : soldCard(storage, model, version)
    },
    ledger,
    calibration,
    settings: values,
    turn,
    renew(caller) {
      sync()
      return identity.renew(caller)
    },
    streams,
    coalescing: openCoalescing(() => values.gatherMs),
    fetchPicture: openPictures(),
    earlierAnswer: (id, project) =>
      findEarlierAnswer({ reports: storage.reports, ledger }, id, project),
    vault: storage.vault,
    newRequestId: systemIds.request,
    socketProxy: config.proxies.of,
    memory: openReasoningMemory(clock, reasoningMemory),
    ready: () => taking,
    safetyId: openSafetyIds(storage.pepper),
    observer: joinObservers([openCallLog(log, showsVendorWords), refusals, ...observing.calls]),
    videos,
  }
  parts.videos.runner.start()
  if (metrics !== null)
    showRooms(metrics, {
      running: () => limits.seatsInUse(),
      streams: streams.count,
      videos: videos.runner.open,
      held: ledger.heldInAll,
      holds: ledger.holds,
      queueLength: ledger.queueLength,
    })

  return {
    parts,
    sync,
    reloadCatalogue: live.reload,
    changed,
    tellCount: notices.tellCount,
    reloadSettings: settings.reload,
    stopTaking: () => void (taking = false),
    runningCalls: () => limits.seatsInUse(),
    onSale: () => ({
      vendors: [...live.vendors().values()].filter((each) => each.active).map((each) => each.name),
      models: catalogue.onSale().length,
    }),
    close() {
      lag.close()
      streams.close()
      videos.runner.close()
      keeping.close()
      void refusals.close()
      ledger.close()
      notices.close()
    },
  }
}
