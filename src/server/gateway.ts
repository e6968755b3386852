import { tmpdir } from 'node:os'
import type { RouteParts } from '../gateway/api/route'
import { openCoalescing } from '../gateway/call/coalescing'
import { openPictures } from '../gateway/outbound/fetch-picture'
import { findEarlierAnswer } from '../gateway/call/earlier-answer'
import { openReasoningMemory } from '../gateway/call/reasoning-memory'
import { openDeadlines } from '../gateway/outbound/deadlines'
import { openSend } from '../gateway/outbound/send'
import { soldCard } from '../business/pricing/priced-catalogue'
import { openRouteOrder } from '../gateway/catalogue/route-order'
import { systemIds } from '../domain/ids'
import { openTurn } from '../gateway/net/write-batcher'
import { openSpool } from '../gateway/http/spool'
import { openVideos, type Videos } from '../gateway/endpoints/videos/open-videos'
import { openSafetyIds } from '../gateway/identity/safety-ids'
import type { NotifyCount } from '../business/notices/count-notices'
import type { PaymentNotices } from '../business/notices/payment-notices'
import type { TellPriceChanges } from '../business/notices/price-notices'
import { openCallLog, openVideoLog } from '../gateway/observability/call-log'
import type { VendorHealthBook } from '../gateway/catalogue/health/vendor-health'
import { joinObservers } from '../gateway/observability/call-observer'
import type { WatchedCalls } from '../gateway/observability/live-calls'
import { faultFields } from '../gateway/observability/log'
import { openRefundMetrics, showNode, showRooms } from '../gateway/observability/room-metrics'
import type { ProcessBus } from './cluster/bus'
import { isOnForHour } from '../gateway/settings/on-for-hour'
import { vendors } from '../gateway/vendors/registry'
import type { HolderService } from './composition/recipient-service'
import type { LedgerChoice } from './open-money'
import type { ServiceLoad } from './bus-topics'
import { openRooms, type GatewayParts, type Rooms } from './composition/subjects'
import { sharedCalls, sharedLoad, sharedRecords } from './cluster/shared-work'
import { openWatchedCalls } from './watched-calls'
import { openAttemptBook, openVendorService } from './composition/vendor-service'

/** Everything a process shares, built once. */
export interface Gateway {
  readonly parts: RouteParts
  /** Checks the vendors that are due, which happens by itself, and writes down what is known of all. */
  checkVendors(): Promise<void>
  /** Takes in what other processes changed; a microsecond when nothing did. */
  sync(): Promise<void>
  /** Takes in a change of the catalogue that this process made itself. */
  reloadCatalogue(): Promise<void>
  /** Takes in whatever this process changed itself, as if another one had. */
  refresh(): Promise<void>
  /** Takes in a change of accounts, projects or keys that this process made itself. */
  changed(): void
  /** Names of the channels to operators. */
  readonly noticeChannels: readonly string[]
  /** Notices may have been written. */
  wakeNotices(): void
  /** Tells an operator of a count. */
  readonly tellCount: NotifyCount
  /** Tells an operator what a check of public prices came to. */
  readonly tellPriceChanges: TellPriceChanges
  /** Notices to the people of accounts. */
  readonly holders: Pick<HolderService, 'wake' | 'arrived'>
  /** Tells an operator what stands in the way of money that comes in. */
  readonly tellPayments: PaymentNotices
  /** Takes in a setting that this process changed itself. */
  reloadSettings(): Promise<void>
  /** No new calls: `readyz` says so from now on. */
  stopTaking(): void
  /** Calls that are not over. */
  runningCalls(): number
  /** To the other processes of the service; undefined where there are none. */
  readonly bus: ProcessBus | undefined
  /** Calls of all processes as they go by. */
  readonly calls: WatchedCalls
  /** What runs in all processes. */
  load(): Promise<ServiceLoad>
  /** Vendors and models on sale, for people. */
  onSale(): { readonly vendors: readonly string[]; readonly models: number }
  /** Ledger and limits that another process can take over; null where each process has slices of them. */
  readonly handover: LedgerChoice['handover']
  /** Looks at jobs of vendors. */
  readonly jobs: Pick<Videos['runner'], 'start' | 'close'>
  /** Writes everything that is not yet written, durably. */
  close(): Promise<void>
}

/** Above the largest ceiling of an account: whoever is just above it is told so in words. */
const frameSlackKb = 1024
/** Reasoning that vendors want back with results of tools. */
const reasoningMemory = { maxBytes: 64_000_000, keepMs: 3_600_000 }

export async function openGateway(given: GatewayParts): Promise<Gateway> {
  const rooms = await openRooms(given)
  const { loader, limits } = rooms
  const asking = openRequesting(given, rooms)
  const videos = openRefundingVideos(given, rooms, asking)
  const bus = given.cluster?.bus
  let taking = true
  const { health, checker } = await openVendorService(given, rooms, asking.send)
  const open = {
    ...asking,
    videos,
    vendorHealth: health,
    ready: () => taking,
    recorded: sharedRecords(rooms.ledger, given),
  }
  const parts = await routePartsOf(given, rooms, open)
  await videos.runner.start()
  checker.start()
  showInMetrics(given, rooms, videos)
  const { cluster = null } = given
  const calls = sharedCalls(openWatchedCalls(rooms.live, rooms.streams, asking.deadlines), bus)

  return {
    parts: cluster === null ? parts : { ...parts, isCutOff: () => !cluster.ready() },
    checkVendors: checker.step,
    sync: rooms.sync,
    reloadCatalogue: loader.load,
    refresh: rooms.refresh,
    changed: rooms.changed,
    noticeChannels: rooms.notices.channels,
    wakeNotices: rooms.notices.wake,
    tellCount: rooms.notices.tellCount,
    tellPriceChanges: rooms.notices.tellPriceChanges,
    holders: rooms.holders,
    tellPayments: rooms.notices.tellPayments,
    reloadSettings: rooms.settings.reload,
    stopTaking: () => void (taking = false),
    runningCalls: () => limits.slotsInUse(),
    bus,
    calls,
    load: sharedLoad(
      () => ({
        runningCalls: limits.slotsInUse(),
        held: rooms.ledger.heldInAll(),
        openStreams: rooms.streams.count(),
      }),
      bus,
    ),
    handover: rooms.choice.handover,
    jobs: videos.runner,
    onSale: () => ({ vendors: loader.activeVendors(), models: loader.catalogue.onSale().length }),
    async close() {
      rooms.endReloads()
      rooms.lag.close()
      rooms.streams.close()
      rooms.choice.close()
      await videos.runner.close()
      await checker.close()
      await rooms.keeping.close()
      await rooms.refusals.close()
      await rooms.ledger.close()
      rooms.notices.close()
      rooms.holders.close()
    },
  }
}

/** How vendors are asked, and whether what they say of failures may be logged. */
type Asking = ReturnType<typeof openRequesting>

function openRequesting(
  { config, clock, monotonic }: GatewayParts,
  { loader, settings: { values } }: Rooms,
) {
  const turn = openTurn()
  const deadlines = openDeadlines(monotonic)
  const send = openSend({ monotonic, deadlines, proxied: config.proxies.any, turn })
  const showsVendorWords = () => isOnForHour(values.logVendorWords, clock.now())
  return { turn, send, deadlines, vendors, vendorConfig: loader.vendorConfig, showsVendorWords }
}

function openRefundingVideos(
  { storage, clock, monotonic, random, log, observing: { metrics } }: GatewayParts,
  { ledger }: Rooms,
  { send, vendorConfig, showsVendorWords }: Asking,
): Videos {
  const countRefund = metrics === null ? () => {} : openRefundMetrics(metrics)
  return openVideos({
    store: storage.videos,
    ledger: {
      flush: (durable) => ledger.flush(durable),
      async refunded(refunds) {
        for (const { amount } of refunds) countRefund(amount)
        await ledger.refunded(refunds)
      },
    },
    clock,
    monotonic,
    random,
    vendors,
    vendorConfig,
    send,
    onFault: (fault) => log.error('video polling failed', faultFields(fault)),
    onTrouble: openVideoLog(log, showsVendorWords),
  })
}

async function routePartsOf(
  given: GatewayParts,
  { calibration, streams, settings, loader, limits, identity, ledger, refusals, ...rooms }: Rooms,
  {
    showsVendorWords,
    ...asking
  }: Asking &
    Pick<RouteParts, 'videos' | 'ready' | 'recorded'> & { readonly vendorHealth: VendorHealthBook },
): Promise<RouteParts> {
  const { config, storage, clock, monotonic, random, log, observing } = given
  const { values } = settings
  const { catalogue, models } = loader
  return {
    ...asking,
    identity,
    limits,
    clock,
    monotonic,
    routeOrder: openRouteOrder(monotonic, random, asking.vendorHealth),
    catalogue,
    models,
    costs: loader.costs,
    reports: storage.reports,
    reader: storage.accountReader,
    spool: openSpool(storage.folder ?? tmpdir()),
    maxFrameBytes: ((await storage.directory.largestRequestKb()) + frameSlackKb) * 1024,
    async cardOf(model, version) {
      const card = catalogue.find(model)?.model.card ?? null
      return card?.version === version ? card : await soldCard(storage, model, version)
    },
    ledger,
    calibration,
    settings: values,
    renew(caller) {
      void rooms.changes()
      return identity.renew(caller)
    },
    changes: rooms.changes,
    streams,
    coalescing: openCoalescing(() => values.gatherMs),
    fetchPicture: openPictures(),
    earlierAnswer: (id) =>
      findEarlierAnswer({ reports: storage.reports, recorded: asking.recorded }, id),
    vault: storage.vault,
    newRequestId: systemIds.request,
    socketProxy: config.proxies.of,
    memory: openReasoningMemory(monotonic, reasoningMemory),
    safetyId: openSafetyIds(storage.pepper),
    observer: joinObservers([
      openCallLog(log, showsVendorWords),
      refusals,
      openAttemptBook(asking.vendorHealth),
      rooms.live.observer,
      rooms.served,
      ...observing.calls,
    ]),
  }
}

function showInMetrics(
  { observing: { metrics }, cluster = null }: GatewayParts,
  { limits, streams, ledger }: Rooms,
  videos: Videos,
): void {
  if (metrics === null) return
  if (cluster !== null)
    showNode(metrics, {
      silentMs: cluster.silentMs,
      takenOver: cluster.takenOver,
      short: () => cluster.recovered.short,
    })
  showRooms(metrics, {
    running: () => limits.slotsInUse(),
    streams: streams.count,
    videos: () => videos.runner.open(),
    held: () => ledger.heldInAll(),
    holds: () => ledger.holds(),
    queueLength: () => ledger.queueLength(),
  })
}
