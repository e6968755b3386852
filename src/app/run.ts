import { ephemeralKey, type EphemeralTerms } from '../admin/ephemeral-account'
import type { WebApp } from '../console/web-app'
import { systemClock, systemRandom, type Clock } from '../domain/clock'
import { systemIds } from '../domain/ids'
import { openTrustedProxies, type UntrustedProxy } from '../http/address'
import { faultFields, type Log } from '../observability/log'
import type { MetricsDoor } from '../observability/metrics-door'
import { settingIn } from '../settings/settings'
import type { ServiceProfile } from '../settings/service-profile'
import { openStorage } from '../storage/sqlite/open-storage'
import type { Storage } from '../storage/storage'
import type { Discovery } from '../vendors/discover'
import { keyPrefix, type Config } from './config'
import { watchDescriptors } from './descriptor-watch'
import { openGateway, type Gateway } from './gateway'
import { listening } from './listening'
import { checkPricesInThread } from './price-check-thread'
import { openPriceSchedule, type PriceSchedule } from './price-schedule'
import type { GatewayParts } from './rooms'
import { openServer, type Server, type ServerOptions } from './server'
import { openWatching, type Watching } from './watching'
import { openWeb } from './web'

/** A gateway that serves. */
export interface RunningServer {
  readonly url: string
  /** The key of an ephemeral gateway. */
  readonly key: string | null
  readonly vendors: readonly string[]
  readonly models: number
  /** Drains and stops. */
  stop(): Promise<void>
  readonly stopped: Promise<void>
}

/** Where a gateway serves, and how its metrics and its key are found. */
export interface Serving {
  readonly server: Server
  /** The key of an ephemeral gateway. */
  readonly key: string | null
  readonly metricsUrl: string | null
}

/** What those outside of the process are told of its life. */
export interface RunNotes {
  /** A proxy's word on addresses is not taken: its clients count as one. */
  untrusted(proxy: UntrustedProxy): void
  serving(serving: Serving): void
  stopping(): void
  stopped(): void
}

export interface RunParts {
  readonly config: Config
  readonly log: Log
  /** Null: everything in memory. */
  readonly folder: string | null
  readonly address: ServerOptions
  /** What the account of a gateway in memory may spend; null for one that keeps its accounts. */
  readonly ephemeral: EphemeralTerms | null
  readonly notes: RunNotes
  /** Finds vendors that the environment or this machine offers. */
  discover(): Promise<Discovery>
  /** The command line in Markdown, for the guide. */
  describeCommands(): string
  /** What commands are to know of the configuration. */
  profileOf(discovery: Discovery): ServiceProfile
}

/** How long an orderly cut may take to reach the clients. */
const cutMs = 500

/**
 * The life of the program: opens everything and serves, until it is stopped.
 * @throws DataFolderBusy | Error with code EADDRINUSE | RangeError on a bad setting
 */
export async function openRun(parts: RunParts): Promise<RunningServer> {
  const { log, folder } = parts
  const storage = openStorage({
    folder,
    exclusive: true,
    clock: systemClock,
    onCheckpointFault: (fault) =>
      log.warn('checkpoint thread lost: commits wait for checkpoints', faultFields(fault)),
    onReaderFault: (fault) => log.warn('reading beside the event loop', faultFields(fault)),
    onMigrated: ({ steps, copy }) => log.info('database upgraded', { steps, copy }),
  })
  const opened: Partial<Opened> = {}
  try {
    return await serve(parts, storage, opened)
  } catch (thrown) {
    await opened.gateway?.close()
    await storage.close()
    await opened.watching?.close()
    throw thrown
  }
}

/** What is to be closed when the rest of it cannot be opened. */
interface Opened {
  gateway: Gateway
  watching: Watching
}

async function serve(
  parts: RunParts,
  storage: Storage,
  opened: Partial<Opened>,
): Promise<RunningServer> {
  const { config, log, address, ephemeral, notes } = parts
  // What the spool holds is counted by the days of its zone.
  storage.countDaysIn(settingIn('serviceZone', config.fixed, await storage.settings.all()).text)
  const recovered = await storage.ledger.recover()
  if (recovered > 0) log.warn('recovered', { calls: recovered })
  const discovery = await parts.discover()
  for (const note of discovery.notes) log.info('discovery', { note })
  const watching = (opened.watching = await openWatching(config, log))
  const { observing } = watching
  const clock = systemClock
  const given = { config, storage, discovery, clock, random: systemRandom, log, observing }
  const gateway = (opened.gateway = await openGateway(given))
  await storage.service.write(parts.profileOf(discovery))
  const key =
    ephemeral === null
      ? null
      : await ephemeralKey(storage, keyPrefix(config.services[0]), ephemeral)
  // Before anybody can take the descriptors that its thread needs.
  await storage.beginCheckpoints()
  const web = config.web
    ? openWeb({ config, storage, gateway, clock, log, describeCommands: parts.describeCommands })
    : null
  const doors = { config, clock, metrics: watching.publicDoor, web, onUntrusted: notes.untrusted }
  const server = listening(address, '--port', () => openDoors(gateway, doors, address))
  notes.serving({ server, key, metricsUrl: watching.url })
  log.info('serving', { url: server.url, pid: process.pid })
  const unwatch = watchFaults(log)
  const freeReserve = watchDescriptors(server, log)
  const prices = scheduleFor(given, gateway)
  return running({
    ...parts,
    server,
    gateway,
    storage,
    key,
    watching,
    unwatch,
    freeReserve,
    prices,
  })
}

/** Public prices are checked as long as the gateway serves, where that is set; not in memory. */
function scheduleFor(
  { storage, discovery, clock, random, log }: GatewayParts,
  { sync, parts: { settings }, tellPriceChanges }: Gateway,
): Pick<PriceSchedule, 'close'> {
  const { folder, priceChecks } = storage
  if (folder === null) return { close() {} }
  return openPriceSchedule({
    clock,
    random,
    log,
    store: priceChecks,
    async order() {
      await sync()
      const { pricesCheckEvery: everyMs, pricesSources: sources, pricesAuto: policy } = settings
      if (everyMs === null) return null
      const { sandbox } = settings
      const asked = { sources, policy, discovery, sandbox, whole: true, actor: 'service' } as const
      return { everyMs, ...asked }
    },
    check: (order) => checkPricesInThread({ folder, ...order }),
    tell: tellPriceChanges,
  })
}

/** What a server shows besides the interface, and whom it believes. */
export interface Doors {
  readonly config: Config
  readonly clock: Clock
  readonly metrics: MetricsDoor | null
  readonly web: WebApp | null
  onUntrusted?(proxy: UntrustedProxy): void
}

/** The server before a gateway. @throws Error with the system's code where it cannot listen there */
export function openDoors({ parts, sync }: Gateway, doors: Doors, address: ServerOptions): Server {
  const { config, clock, metrics, web, onUntrusted } = doors
  const proxies = openTrustedProxies(config.trustedProxies, onUntrusted)
  const inbound = { ids: systemIds, clock, proxies }
  return openServer({ routes: parts, inbound, metrics, web, sync }, address)
}

/** What is open while a gateway serves. */
export interface OpenParts {
  readonly server: Server
  readonly gateway: Gateway
  readonly storage: Storage
  readonly watching: Pick<Watching, 'close'>
}

interface Running extends RunParts, OpenParts {
  readonly key: string | null
  /** Stops watching for faults. */
  unwatch(): void
  /** Stops watching over descriptors. */
  freeReserve(): void
  readonly prices: Pick<PriceSchedule, 'close'>
}

function running(parts: Running): RunningServer {
  const { server, gateway, key } = parts
  const { promise: stopped, resolve: ended } = Promise.withResolvers<void>()
  let stopping: Promise<void> | null = null
  const stop = () => {
    stopping ??= drain(parts).finally(() => {
      parts.unwatch()
      ended()
    })
    return stopping
  }
  return { url: server.url, key, ...gateway.onSale(), stop, stopped }
}

/**
 * A fault in one call must not take down all others: it is logged, and the process goes on.
 * @returns what ends the watch, for a process that outlives its gateway
 */
function watchFaults(log: Log): () => void {
  const watches = (['unhandledRejection', 'uncaughtException'] as const).map((event) => ({
    event,
    watch: (thrown: unknown) => log.error('fault', { event, ...faultFields(thrown) }),
  }))
  for (const { event, watch } of watches) process.on(event, watch)
  return () => {
    for (const { event, watch } of watches) process.off(event, watch)
  }
}

/** Running calls go on for a while, then streams are cut in order, then everything is written. */
async function drain(parts: Running): Promise<void> {
  const { server, gateway, log, config, notes } = parts
  log.info('stopping', { running: gateway.runningCalls() })
  notes.stopping()
  gateway.stopTaking()
  // A listener that is closed is not to be paused any more.
  parts.freeReserve()
  parts.prices.close()
  server.stopListening()
  gateway.parts.streams.finishAll()
  const until = systemClock.now() + config.drainMs
  while (gateway.runningCalls() > 0 && systemClock.now() < until) await Bun.sleep(20)
  if (gateway.runningCalls() > 0) {
    log.warn('cutting', { running: gateway.runningCalls() })
    gateway.parts.streams.cutAll()
    await Bun.sleep(cutMs)
  }
  await closeAll(parts)
  notes.stopped()
  log.info('stopped')
  log.flush()
}

/** Drops every connection, then writes everything, then says the last to whoever watches. */
export async function closeAll({ server, gateway, storage, watching }: OpenParts): Promise<void> {
  await server.drop()
  await gateway.close()
  await storage.close()
  await watching.close()
}
