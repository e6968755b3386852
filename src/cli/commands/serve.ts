import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { ephemeralKey, generousTerms, type EphemeralTerms } from '../../admin/ephemeral-account'
import { keyPrefix, logOnly, readConfig, type Config } from '../../app/config'
import { systemClock, systemRandom } from '../../domain/clock'
import { systemIds } from '../../domain/ids'
import { openGateway, type Gateway } from '../../app/gateway'
import { openTrustedProxies, type ClientAddress } from '../../http/address'
import { faultFields, openLog, type Log } from '../../observability/log'
import type { MetricsDoor } from '../../observability/metrics-door'
import { openServer, type Server, type ServerOptions } from '../../app/server'
import { openStorage } from '../../storage/sqlite/open-storage'
import type { Storage } from '../../storage/storage'
import { discoverVendors, noDiscovery } from '../../vendors/discover'
import { watchDescriptors } from '../../app/descriptor-watch'
import { listening } from '../../app/listening'
import { probe } from './probe'
import { servingFile } from './reach'
import { profileOf } from './configured-service'
import { dropReadyFile, writeReadyFile } from './ready-file'
import { announce } from './running-gateways'
import { openServingNote } from './serving-notes'
import { openWebApp, type WebApp } from '../../console/web-app'
import { openWatching, type Watching } from '../../app/watching'

export interface ServeOptions {
  readonly dataFolder: string
  readonly host: string | null
  readonly port: number | null
  /** Where metrics are, instead of what the environment says. */
  readonly metrics?: { readonly host?: string; readonly port?: number }
  /** In memory, sandbox only: nothing is kept, nothing is reached. With what its account may spend. */
  readonly ephemeral: boolean | EphemeralTerms
  /** Whether the sandbox is on sale, whatever the folder says; an ephemeral gateway has nothing else. */
  readonly sandbox?: true
  readonly readyFile: string | null
  /** For a person who watches: only warnings are logged, unless the level was set. */
  readonly quiet: boolean
}

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

/** How long an orderly cut may take to reach the clients. */
const cutMs = 500

/** @throws DataFolderBusy | Error with code EADDRINUSE | RangeError on a bad setting */
export async function runServe(options: ServeOptions): Promise<RunningServer> {
  const config = configOf(options)
  const log = openLog(
    options.quiet && process.env['CHAPAR_LOG'] === undefined ? 'warn' : config.logLevel,
  )
  const folder = options.ephemeral ? null : options.dataFolder
  const storage = openStorage({
    folder,
    exclusive: true,
    clock: systemClock,
    onCheckpointFault: (fault) =>
      log.warn('checkpoint thread lost: commits wait for checkpoints', faultFields(fault)),
    onMigrated: ({ steps, copy }) => log.info('database upgraded', { steps, copy }),
  })
  let gateway: Gateway | null = null
  let watching: Watching | null = null
  try {
    const host = options.host ?? config.host
    const port = options.port ?? config.port
    const recovered = storage.ledger.recover()
    if (recovered > 0) log.warn('recovered', { calls: recovered })
    const detect = config.detect && !options.ephemeral
    const discovery = detect ? await discover(config, host, port) : noDiscovery
    for (const note of discovery.notes) log.info('discovery', { note })
    watching = await openWatching(config, log)
    const opened = (gateway = openGateway({
      config,
      storage,
      discovery,
      clock: systemClock,
      random: systemRandom,
      log,
      observing: watching.observing,
    }))
    await storage.service.write(profileOf(config, discovery))
    const key = options.ephemeral
      ? ephemeralKey(storage, keyPrefix(config.services[0]), termsOf(options.ephemeral))
      : null
    const note = openServingNote(folder, log)
    // Before anybody can take the descriptors that its thread needs.
    await storage.beginCheckpoints()
    const server = openAt({ host, port }, opened, {
      proxies: openTrustedProxies(config.trustedProxies, note.untrusted),
      metrics: watching.publicDoor,
      web: config.web ? openWeb(config, log) : null,
    })
    note.serving(server)
    const withdraw =
      folder === null
        ? () => {}
        : announce({ pid: process.pid, url: server.url, data: resolve(folder) })
    const { readyFile } = options
    if (readyFile !== null) writeReadyFile(readyFile, { server, key, metricsUrl: watching.url })
    log.info('serving', { url: server.url, pid: process.pid })
    const unwatch = watchFaults(log)
    const freeReserve = watchDescriptors(server, log)
    const shared = { server, gateway, storage, log, config, options, key, watching, withdraw }
    return running({ ...shared, unwatch, freeReserve })
  } catch (thrown) {
    gateway?.close()
    storage.close()
    await watching?.close()
    throw thrown
  }
}

/** What a server shows besides the interface, and whom it believes. */
interface Doors {
  readonly proxies: ClientAddress
  readonly metrics: MetricsDoor | null
  readonly web: WebApp | null
}

/** @throws RangeError with what to do where it cannot listen there */
const openAt = (
  address: ServerOptions,
  { parts, sync }: Gateway,
  { proxies, metrics, web }: Doors,
): Server => {
  const inbound = { ids: systemIds, clock: systemClock, proxies }
  return listening(address, '--port', () =>
    openServer({ routes: parts, inbound, metrics, web, sync }, address),
  )
}

/** The pages for people. */
const openWeb = (config: Config, log: Log): WebApp =>
  openWebApp({
    serviceName: () => config.services[0],
    publicUrl: config.baseUrls[0],
    onFault: (fault) => log.error('web', faultFields(fault)),
  })

/** An ephemeral gateway reaches nothing but its own metrics. */
function configOf({ metrics = {}, ephemeral, sandbox }: ServeOptions): Config {
  const env: Record<string, string | undefined> = { ...process.env }
  if (ephemeral || sandbox === true) env['CHAPAR_SANDBOX'] = 'on'
  if (metrics.host !== undefined) env['CHAPAR_METRICS_HOST'] = metrics.host
  if (metrics.port !== undefined) env['CHAPAR_METRICS_PORT'] = String(metrics.port)
  const config = readConfig(env)
  return ephemeral ? { ...config, notices: logOnly, traces: null } : config
}

const termsOf = (ephemeral: true | EphemeralTerms): EphemeralTerms =>
  ephemeral === true ? generousTerms : ephemeral

const discover = (config: Config, host: string, port: number) =>
  discoverVendors({
    env: process.env,
    ownKeyPrefixes: config.services.map(keyPrefix),
    ownAddresses: [`${host}:${port}`, `127.0.0.1:${port}`, `localhost:${port}`],
    timeoutMs: config.vendorTimeoutMs,
    probe,
  })

interface Parts {
  readonly server: Server
  readonly gateway: Gateway
  readonly storage: Storage
  readonly log: Log
  readonly config: Config
  readonly options: ServeOptions
  readonly key: string | null
  /** Stops watching for faults. */
  unwatch(): void
  /** Stops watching over descriptors. */
  freeReserve(): void
  /** Commands without a folder find it no more. */
  withdraw(): void
  readonly watching: Watching
}

function running(parts: Parts): RunningServer {
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
async function drain(parts: Parts): Promise<void> {
  const { server, gateway, storage, log, config, options, watching } = parts
  log.info('stopping', { running: gateway.runningCalls() })
  parts.withdraw()
  if (options.readyFile !== null) dropReadyFile(options.readyFile)
  gateway.stopTaking()
  // A listener that is closed is not to be paused any more.
  parts.freeReserve()
  server.stopListening()
  gateway.parts.streams.finishAll()
  const until = systemClock.now() + config.drainMs
  while (gateway.runningCalls() > 0 && systemClock.now() < until) await Bun.sleep(20)
  if (gateway.runningCalls() > 0) {
    log.warn('cutting', { running: gateway.runningCalls() })
    gateway.parts.streams.cutAll()
    await Bun.sleep(cutMs)
  }
  await server.drop()
  gateway.close()
  storage.close()
  await watching.close()
  if (!options.ephemeral) rmSync(servingFile(options.dataFolder), { force: true })
  log.info('stopped')
  log.flush()
}
