import { systemClock, systemMonotonic, systemRandom } from '../domain/clock'
import { faultFields } from '../observability/log'
import { openSumRounds } from '../ledger/sum-rounds'
import type { LeasedLedgerParts } from '../ledger/leased/leased-contract'
import { openLeasedLedger } from '../ledger/leased/leased-ledger'
import { openOwnerBus } from '../processes/bus'
import { freePort } from '../processes/free-port'
import { openOwner, ownNode, type Owner } from '../processes/owner'
import type { EngineWatch } from '../ledger/leased/store-engine'
import { startLookClock } from '../operators/account-looks'
import { settingIn } from '../settings/settings'
import { openStorage } from '../storage/open'
import { isRunning } from '../storage/files/front-spools'
import type { Storage } from '../storage/storage'
import { watchFaults } from './fault-watch'
import { firstLink } from './first-link'
import { openGateway, type Gateway } from './gateway'
import { gatherMetrics } from './gather-metrics'
import { fenceMs, silentMs } from './front-times'
import { refusedPort } from './listening'
import { openOwnerWatch } from './owner-watch'
import { openPaymentDesk } from './payment-desk'
import { peerTopics, type Peers } from './peers'
import { openSumWatch } from './rooms'
import { cutMs, storageOptions, type FrontPorts, type RunningServer, type RunParts } from './run'
import { scheduleFor } from './scheduled-prices'
import { beginFronts, ServingFronts } from './serving-fronts'
import { openWatching, type Watching } from './watching'

/** Plan of the front processes that an owner starts. */
export interface FrontsPlan {
  readonly count: number
  /** The program of a front, with its arguments. */
  readonly command: readonly string[]
  /** @param socket where a front finds its owner */
  environment(socket: string): Readonly<Record<string, string | undefined>>
  /** Ports at which fronts of an earlier owner serve; null where nobody says. */
  readonly keptPorts: FrontPorts | null
  /** Why the program that lies on the disk by now cannot take this one's place; null where it can. */
  faultOfNext(): Promise<string | null>
}

/** How often it is looked whether a command has written: each look wakes a process that may share a core. */
const lookMs = 50
/** Beyond the time that running calls have. */
const marginMs = 5000

/**
 * The life of the process that owns the data folder, and of the fronts that serve for it.
 * @throws what `openRun` throws
 */
export async function openOwnerRun(parts: RunParts, plan: FrontsPlan): Promise<RunningServer> {
  const storage = openStorage(storageOptions(parts, { exclusive: true }))
  const opened: Opened = { storage, watching: null, gateway: null, owner: null }
  try {
    return await own(parts, plan, opened)
  } catch (thrown) {
    opened.owner?.abort()
    await opened.owner?.stop()
    await opened.gateway?.close()
    await storage.close()
    await opened.watching?.close()
    throw thrown
  }
}

interface Opened {
  readonly storage: Storage
  watching: Watching | null
  gateway: Gateway | null
  owner: Owner | null
}

async function own(parts: RunParts, plan: FrontsPlan, opened: Opened): Promise<RunningServer> {
  const { config, log, folder } = parts
  const { storage } = opened
  parts.notes.joined?.('owner')
  const clock = systemClock
  storage.countDaysIn(settingIn('serviceZone', config.fixed, await storage.settings.all()).text)
  const started = await begin(parts, plan, storage)
  const { owner, bus, looks, ports } = started
  opened.owner = owner
  const running = await owner.reunite()
  const recovered = await storage.ledger.recover(running)
  if (recovered > 0) log.warn('pending calls recovered', { calls: recovered })
  const discovery = await parts.discover()
  for (const note of discovery.notes) log.info('vendor discovery', { note })
  const shared = { gather: gatherMetrics('owner', bus), listens: true }
  const watching = (opened.watching = await openWatching(config, log, shared))
  const { observing } = watching
  const peers: Peers = {
    role: 'owner',
    bus,
    openLedger: (settings) => openOwnLedger(owner, settings, (fault) => started.onFault(fault)),
    version: null,
    taken: () => owner.changed(),
  }
  const given = {
    config,
    storage,
    discovery,
    clock,
    monotonic: systemMonotonic,
    random: systemRandom,
    log,
    observing,
    peers,
  }
  const gateway = (opened.gateway = await openGateway(given))
  looks.watch = openOwnerWatch({
    store: storage.ledger,
    identity: storage.identity,
    watch: openSumWatch(config, clock, {
      channels: gateway.noticeChannels,
      onWritten: gateway.wakeNotices,
    }),
    settings: gateway.parts.settings,
    bus,
    now: clock.now,
    tell: () => owner.tell(),
    onFault: started.onFault,
  })
  bus.on(peerTopics.changed, async () => {
    // Whatever was looked at in the same millisecond.
    await gateway.refresh()
    await bus.others(peerTopics.heard, null)
    return true as const
  })
  bus.on(peerTopics.metrics, () => ({ process: 'owner', text: observing.metrics?.text() ?? '' }))
  await storage.service.write(parts.profileOf(discovery))
  await storage.beginCheckpoints()
  const { url, operatorUrl, replaced } = await started.serve()
  const operatorLink =
    folder === null || !config.web ? null : await firstLink(storage, operatorUrl, clock)
  const [server, metricsUrl] = [{ url, port: ports.port }, watching.url]
  parts.notes.serving({ server, operatorUrl, key: null, metricsUrl, processes: plan.count })
  log.info('serving', { url, pid: process.pid, fronts: plan.count })
  if (replaced > 0) log.info('replaced', { fronts: replaced })
  const unwatch = watchFaults(log)
  const looking = setInterval(() => void gateway.sync().catch(started.onFault), lookMs)
  const prices = scheduleFor(given, gateway)
  const payments = openPaymentDesk({ storage, gateway, clock, log })
  payments.reconciler.start()
  const lookClock = startLookClock(storage.accountLooks, clock, started.onFault)
  const rest = () => {
    clearInterval(looking)
    prices.close()
    payments.reconciler.close()
    lookClock.stop()
    unwatch()
  }
  return runningOwner({ parts, plan, opened, started, gateway, watching, url, operatorLink, rest })
}

/** Sums of reports are written behind charges of all fronts. */
async function begin(parts: RunParts, plan: FrontsPlan, storage: Storage) {
  const { config, log, notes } = parts
  const { fronts } = storage
  if (fronts === null) throw new Error('several processes share nothing in memory')
  const hasFronts = fronts.spools.living().length > 0
  const ports = (hasFronts ? plan.keptPorts : null) ?? (await portsOf(parts, hasFronts))
  const serving = new ServingFronts()
  const onFault = (fault: unknown) => log.error('fronts', faultFields(fault))
  const looks: { watch: EngineWatch | null } = { watch: null }
  const rounds = openSumRounds(storage.ledger, onFault)
  const busEnd = openOwnerBus(ownNode)
  const greeting = (): FrontPorts => ports
  const owner = await openOwner({
    store: storage.ledger,
    ...fronts,
    isRunning,
    silentMs,
    fenceMs,
    now: () => performance.now(),
    ...plan,
    drainMs: config.drainMs + cutMs + marginMs,
    greeting,
    answering: busEnd.answering,
    watch: {
      due: async (batch, sumOf) => (await looks.watch?.due(batch, sumOf)) ?? nothingDue,
      written: (balances) => looks.watch?.written(balances),
    },
    onWritten: () => rounds.begin(),
    onEnded: ({ pid, code, signal }) => log.warn('front ended', { pid, code, signal }),
    onFault,
  })
  const bus = busEnd.bus(owner)
  bus.on(peerTopics.serving, (urls, from) => {
    serving.serves(from, urls)
    owner.serves(from)
    return null
  })
  bus.on(peerTopics.unfit, ({ why, code }) => {
    serving.fails(Object.assign(new RangeError(why), code === null ? {} : { code }))
    return null
  })
  bus.on(peerTopics.untrusted, (proxy) => {
    notes.untrusted(proxy)
    return null
  })
  const serve = () => beginFronts(owner, serving, plan.count)
  return { owner, bus, looks, ports, onFault, rounds, serve }
}

type Started = Awaited<ReturnType<typeof begin>>

const nothingDue = { notices: [], floors: [] }

/** @param isTaken by fronts that serve on */
async function portsOf(
  { address: { host, port }, config: { operators } }: RunParts,
  isTaken: boolean,
) {
  const { listen } = operators
  const find = async (at: string, wanted: number, option: string) =>
    isTaken && wanted !== 0
      ? wanted
      : await freePort(at, wanted).catch((thrown: unknown) => {
          throw refusedPort(thrown, { host: at, port: wanted }, option)
        })
  return {
    port: await find(host, port, '--port'),
    adminPort: listen === null ? null : await find(listen.host, listen.port, '--admin-port'),
  }
}

/** It charges nothing; what it reads is as fronts know it. */
const openOwnLedger = (
  { engine, node }: Owner,
  settings: LeasedLedgerParts['settings'],
  onFault: (fault: unknown) => void,
) =>
  openLeasedLedger({
    node,
    engine,
    settings,
    beatMs: null,
    now: () => performance.now(),
    onFault,
  })

interface OwnerRunning {
  readonly parts: RunParts
  readonly plan: FrontsPlan
  readonly opened: Opened
  readonly started: Started
  readonly gateway: Gateway
  readonly watching: Watching
  readonly url: string
  readonly operatorLink: string | null
  /** Ends what begins by itself. */
  rest(): void
}

function runningOwner(given: OwnerRunning): RunningServer {
  const { parts, plan, opened, started, gateway, watching, url, operatorLink, rest } = given
  const { log, notes } = parts
  const { owner, rounds } = started
  const { storage } = opened
  const { promise: stopped, resolve: ended } = Promise.withResolvers<void>()
  let ending: Promise<unknown> | null = null

  const close = async () => {
    await gateway.close()
    rounds.close()
    await storage.close()
    await watching.close()
  }
  const stop = async () => {
    log.info('stopping', { fronts: owner.connected() })
    notes.stopping()
    rest()
    await owner.stop()
    await close()
    notes.stopped()
    log.info('stopped')
    log.flush()
  }
  const part = async () => {
    log.info('replacing', { fronts: owner.connected() })
    rest()
    await owner.part()
    await close()
    log.flush()
    return started.ports
  }
  return {
    url,
    key: null,
    operatorLink,
    ...gateway.onSale(),
    async stop() {
      await (ending ??= stop().finally(ended))
    },
    async part() {
      const why = await plan.faultOfNext()
      // Without it nobody would own the data, and fronts would end a few seconds later.
      if (why !== null) log.error('new program does not run: this one serves on', { why })
      // Another signal may have come meanwhile.
      if (why !== null || ending !== null) return null
      const parting = part()
      ending = parting
      return await parting
    },
    abort: () => owner.abort(),
    stopped,
  }
}
