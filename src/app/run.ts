import { ephemeralKey, type EphemeralTerms } from '../admin/ephemeral-account'
import { systemClock, systemMonotonic, systemRandom, ticksAfter } from '../domain/clock'
import type { UntrustedProxy } from '../http/address'
import { faultFields, type Log } from '../observability/log'
import { startLookClock, type LookClock } from '../operators/account-looks'
import type { Reconciler } from '../payments/reconciler'
import { settingIn } from '../settings/settings'
import type { ServiceProfile } from '../settings/service-profile'
import { openStorage, type StorageOptions } from '../storage/open'
import type { Storage } from '../storage/storage'
import type { Discovery } from '../vendors/discover'
import { allDuties, type Cluster } from './cluster'
import type { CommandLine } from './command-line'
import { keyPrefix, type Config } from './config'
import { logDamage } from './damage-log'
import { logOpenFiles, watchDatabase } from './database-watch'
import { watchDescriptors } from './descriptor-watch'
import { openDoors } from './doors'
import { watchFaults } from './fault-watch'
import { firstLink } from './first-link'
import { openGateway, type Gateway } from './gateway'
import { openPaymentDesk } from './payment-desk'
import type { PriceSchedule } from './price-schedule'
import { scheduleFor } from './scheduled-prices'
import { watchClock } from './clock-watch'
import { writeProfile } from './service-profile'
import type { Server, ServerOptions } from './server'
import { openSharedStorage, type SharedDatabase, type SharedStorage } from './shared-storage'
import { openWatching, type Watching } from './watching'

/** A gateway that serves. */
export interface RunningServer {
  readonly url: string
  /** The key of an ephemeral gateway. */
  readonly key: string | null
  /** Where the first operator sets a password; null once there is one. */
  readonly operatorLink: string | null
  readonly vendors: readonly string[]
  readonly models: number
  /** Drains and stops. */
  stop(): Promise<void>
  /** Ends at once, whatever runs. */
  abort?(): void
  /**
   * Closes what is this process's own, and leaves those that serve to the program that takes its place.
   * @returns null where it goes on, since that program does not run or the process is ending
   */
  part?(): Promise<FrontPorts | null>
  readonly stopped: Promise<void>
}

/** Ports that several processes share. */
export interface FrontPorts {
  readonly port: number
  readonly adminPort: number | null
}

/** Addresses of a serving gateway, its metrics, and its key. */
export interface Serving {
  readonly server: Pick<Server, 'url' | 'port'>
  /** Several share the work; the address is that of all. */
  readonly processes?: number
  /** Where operators reach it, without a path. */
  readonly operatorUrl: string
  /** The key of an ephemeral gateway. */
  readonly key: string | null
  readonly metricsUrl: string | null
}

/** Observer of a process's life: ready, draining, stopped. */
export interface RunNotes {
  /** A proxy's word on addresses is not taken: its clients count as one. */
  untrusted(proxy: UntrustedProxy): void
  /** It is one of several processes, by this name. */
  joined?(process: string): void
  serving(serving: Serving): void
  stopping(): void
  /** What this process holds counts no more: it must end at once. */
  fenced?(): void
  stopped(): void
}

export interface RunParts {
  readonly config: Config
  readonly log: Log
  /** Null: everything in memory. */
  readonly folder: string | null
  /** One that is shared with other processes; null for that of the folder. */
  readonly database?: SharedDatabase | null
  readonly address: ServerOptions
  /** What the account of a gateway in memory may spend; null for one that keeps its accounts. */
  readonly ephemeral: EphemeralTerms | null
  readonly notes: RunNotes
  /** Finds vendors that the environment or this machine offers. */
  discover(): Promise<Discovery>
  readonly commandLine: CommandLine
  /** What commands are to know of the configuration. */
  profileOf(discovery: Discovery): ServiceProfile
}

/** Time that an orderly cut may take to reach the clients. */
export const cutMs = 500

/**
 * The life of the program: opens everything and serves, until it is stopped.
 * @throws DataFolderBusy | Error with code EADDRINUSE | RangeError on a bad setting
 */
export async function openRun(parts: RunParts): Promise<RunningServer> {
  const shared = await openSharedStorage(parts)
  const storage = shared?.storage ?? openStorage(storageOptions(parts, { exclusive: true }))
  const opened: Partial<Opened> = {}
  try {
    return await serve(parts, { storage, shared }, opened)
  } catch (thrown) {
    await opened.gateway?.close()
    await opened.cluster?.leave()
    await storage.close()
    await opened.watching?.close()
    throw thrown
  }
}

/** Storage options of a serving process. */
export const storageOptions = (
  { log, folder }: Pick<RunParts, 'log' | 'folder'>,
  options: Pick<StorageOptions, 'exclusive' | 'isFront'>,
): StorageOptions => ({
  ...options,
  folder,
  clock: systemClock,
  onCheckpointFault: (fault) =>
    log.warn('checkpoint thread lost: commits wait for checkpoints', faultFields(fault)),
  onReaderFault: (fault) => log.warn('reader thread failed', faultFields(fault)),
  onSpoolDamaged: logDamage(log),
  onMigrated: ({ steps, copy }) => log.info('database upgraded', { steps, copy }),
})

/** What is to be closed when the rest of it cannot be opened. */
interface Opened {
  gateway: Gateway
  watching: Watching
  cluster: Cluster | null
}

/** Where everything is kept, and how it is shared. */
interface Kept {
  readonly storage: Storage
  readonly shared: SharedStorage | null
}

async function serve(
  parts: RunParts,
  { storage, shared }: Kept,
  opened: Partial<Opened>,
): Promise<RunningServer> {
  const { config, log, folder, address, ephemeral, notes } = parts
  // What the spool holds is counted by the days of its zone.
  const zone = settingIn('serviceZone', config.fixed, await storage.settings.all()).text
  storage.countDaysIn(zone)
  logOpenFiles(folder, log)
  const cluster = (opened.cluster = shared === null ? null : await shared.join(zone))
  const recovered = cluster?.recovered.calls ?? (await storage.ledger.recover())
  if (recovered > 0) log.warn('pending calls recovered', { calls: recovered })
  const discovery = await parts.discover()
  for (const note of discovery.notes) log.info('vendor discovery', { note })
  const watching = (opened.watching = await openWatching(config, log))
  const { observing } = watching
  const clock = shared?.clock ?? systemClock
  const monotonic = systemMonotonic
  const random = systemRandom
  const given = { config, storage, cluster, discovery, clock, monotonic, random, log, observing }
  const gateway = (opened.gateway = await openGateway(given))
  await writeProfile({ storage, cluster, log }, parts.profileOf(discovery))
  const key =
    ephemeral === null
      ? null
      : await ephemeralKey(storage, keyPrefix(config.services[0]), ephemeral)
  // Before anybody can take the descriptors that its thread needs.
  await storage.beginCheckpoints()
  const { commandLine } = parts
  const duties = cluster?.duties ?? allDuties
  const payments = openPaymentDesk({ ...given, gateway, duties })
  const metrics = watching.publicDoor
  const { server, desk } = openDoors(
    gateway,
    { ...given, commandLine, payments, metrics, onUntrusted: notes.untrusted },
    address,
  )
  const operatorUrl = desk.service.operatorUrl()
  const operatorLink =
    folder === null || !config.web ? null : await firstLink(storage, operatorUrl, clock)
  await cluster?.name(server.url)
  notes.serving({ server, operatorUrl, key, metricsUrl: watching.url })
  log.info('serving', { url: server.url, pid: process.pid })
  const unwatchFaults = watchFaults(log)
  const newest = shared === null ? await storage.reports.newest() : null
  const unwatchDatabase = watchDatabase(storage, log)
  const unwatchClock = watchClock({ clock: systemClock, monotonic, log, newest })
  const freeReserve = watchDescriptors(server, log)
  const prices = scheduleFor(given, gateway)
  payments.reconciler.start()
  const looks = startLookClock(storage.accountLooks, clock, (fault) =>
    log.warn('end of an account look not written', faultFields(fault)),
  )
  return running({
    ...parts,
    server,
    gateway,
    storage,
    cluster,
    key,
    operatorLink,
    watching,
    unwatch() {
      unwatchFaults()
      unwatchClock()
      unwatchDatabase()
    },
    freeReserve,
    prices,
    reconciler: payments.reconciler,
    looks,
  })
}

/** What is open while a gateway serves. */
interface OpenParts {
  readonly server: Server
  readonly gateway: Gateway
  readonly storage: Storage
  readonly cluster?: Pick<Cluster, 'leave'> | null
  readonly watching: Pick<Watching, 'close'>
}

/** What is drained. */
interface Draining extends OpenParts {
  readonly log: Log
  readonly notes: Pick<RunNotes, 'stopping' | 'stopped'>
  /** Stops watching over descriptors. */
  freeReserve(): void
  readonly prices: Pick<PriceSchedule, 'close'>
  readonly reconciler: Pick<Reconciler, 'close'>
  readonly looks: LookClock
}

interface Running extends Omit<RunParts, 'notes'>, Draining {
  readonly key: string | null
  readonly operatorLink: string | null
  /** Stops watching for faults. */
  unwatch(): void
}

function running(parts: Running): RunningServer {
  const { server, gateway, key, operatorLink } = parts
  const { promise: stopped, resolve: ended } = Promise.withResolvers<void>()
  let stopping: Promise<void> | null = null
  const stop = () => {
    const { drainMs, drainDelayMs } = parts.config
    // A balancer hears of it before connections are refused that it would use once more.
    const delayMs = (parts.cluster ?? null) === null ? 0 : drainDelayMs
    stopping ??= drain(parts, drainMs, delayMs).finally(() => {
      parts.unwatch()
      ended()
    })
    return stopping
  }
  return { url: server.url, key, operatorLink, ...gateway.onSale(), stop, stopped }
}

/**
 * Running calls go on for a while, then streams are cut in order, then everything is written.
 * @param delayMs before that calls are taken, and `/readyz` says that it stops
 */
export async function drain(parts: Draining, drainMs: number, delayMs = 0): Promise<void> {
  const { server, gateway, log, notes } = parts
  log.info('draining', { running: gateway.runningCalls() })
  notes.stopping()
  gateway.stopTaking()
  if (delayMs > 0) await Bun.sleep(delayMs)
  // A listener that is closed is not to be paused any more.
  parts.freeReserve()
  parts.prices.close()
  parts.reconciler.close()
  parts.looks.stop()
  server.stopListening()
  gateway.parts.streams.finishAll()
  const until = ticksAfter(systemMonotonic.ticks(), drainMs)
  while (gateway.runningCalls() > 0 && systemMonotonic.ticks() < until) await Bun.sleep(20)
  if (gateway.runningCalls() > 0) {
    log.warn('drain timeout: cutting streams', { running: gateway.runningCalls() })
    gateway.parts.streams.cutAll()
    await Bun.sleep(cutMs)
  }
  await closeAll(parts)
  notes.stopped()
  log.info('stopped')
  log.flush()
}

/** Drops every connection, then writes everything, then says the last to whoever watches. */
export async function closeAll({
  server,
  gateway,
  storage,
  cluster = null,
  watching,
}: OpenParts): Promise<void> {
  await server.drop()
  await gateway.close()
  await cluster?.leave()
  await storage.close()
  await watching.close()
}
