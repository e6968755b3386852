import { ephemeralKey } from '../../business/accounts/ephemeral-account'
import { systemClock, systemMonotonic, systemRandom, type Monotonic } from '../../domain/clock'
import type { SpoolRecord } from '../../ledger/spool-record'
import { faultFields, type Log } from '../../gateway/observability/log'
import { steerToSecond } from '../../gateway/http/steering'
import type { Observing } from '../../gateway/observability/observing'
import { startLookClock } from '../../business/operators/impersonation'
import { settingIn } from '../../business/settings/settings'
import {
  DataFolderBusy,
  formerWorkersEnded,
  openStorage,
  type StorageOptions,
} from '../../business/data/open'
import type { Storage } from '../../business/data/storage'
import type { Cluster } from '../cluster/cluster'
import { keyPrefix } from '../config'
import { logDamage } from '../damage-log'
import { logOpenFiles, watchDatabase } from '../database-watch'
import { watchDescriptors } from '../descriptor-watch'
import { openDoors } from '../listeners/listeners'
import { openFolderDuties } from './folder-duties'
import { watchFaults } from '../fault-watch'
import { firstLink } from '../setup-link'
import { openGateway, type Gateway } from '../gateway'
import { openPaymentService } from '../composition/payment-service'
import { scheduleFor } from '../price-checks/scheduled-prices'
import { watchClock } from '../clock-watch'
import { writeProfile } from '../service-profile'
import type { SupervisorLink } from './node-process'
import { portsOfRun } from '../listeners/ports'
import type { RunParts } from './run-parts'
import { running } from './running-server'
import { adoptPredecessors, leavingBefore, type LeavingBefore } from './succeed'
import { releasedBy } from './take-over'
import type { Server } from '../listeners/server-contract'
import { openSharedStorage, type SharedStorage } from '../cluster/shared-storage'
import type { ChosenPorts, RunningServer } from './run-contract'
import { openWatching, type Watching } from '../telemetry'

/**
 * The life of the program: opens everything and serves, until it is stopped.
 * @throws DataFolderBusy | Error with code EADDRINUSE | RangeError on a bad setting
 */
export async function openRun(parts: RunParts): Promise<RunningServer> {
  // Before anything is opened that it still has.
  const released = await releasedBy(parts)
  const shared = await openSharedStorage(parts)
  const storage = shared?.storage ?? openStorage(storageOptions(parts, { exclusive: true }))
  const opened: Partial<Opened> = {}
  try {
    return await serve(parts, { storage, shared, released }, opened)
  } catch (thrown) {
    await opened.gateway?.close()
    await opened.cluster?.leave()
    await storage.close()
    await opened.watching?.close()
    throw thrown
  }
}

/** Storage options of a serving process. */
const storageOptions = (
  { log, folder }: Pick<RunParts, 'log' | 'folder'>,
  options: Pick<StorageOptions, 'exclusive'>,
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
  /** By the process that served before, where this one takes its place. */
  readonly released: ChosenPorts | null
}

async function serve(
  parts: RunParts,
  { storage, shared, released }: Kept,
  opened: Partial<Opened>,
): Promise<RunningServer> {
  const { log, ephemeral, notes, supervisor = null } = parts
  const { config, address } = await portsOfRun(parts, released, storage)
  // What the spool holds is counted by the days of its zone.
  const zone = settingIn('serviceZone', config.fixed, await storage.settings.all()).text
  storage.countDaysIn(zone)
  logOpenFiles(parts.folder, log)
  const cluster = (opened.cluster = shared === null ? null : await shared.join(zone))
  const before = await leavingBefore(storage)
  await recoverCalls(storage, cluster, before, log)
  const discovery = await parts.discover()
  for (const note of discovery.notes) log.info('vendor discovery', { note })
  const watching = (opened.watching = await openWatching(config, log, supervisor))
  const { observing } = watching
  const clock = shared?.clock ?? systemClock
  const system = { clock, monotonic: systemMonotonic, random: systemRandom }
  const folderDuties = openFolderDuties()
  const duties = cluster?.duties ?? folderDuties
  const given = { ...system, config, storage, cluster, duties, discovery, log, observing }
  const gateway = (opened.gateway = await openGateway(given))
  await writeProfile({ storage, cluster, log }, parts.profileOf(discovery))
  const brand = keyPrefix(config.services[0])
  const key = ephemeral === null ? null : await ephemeralKey(storage, brand, ephemeral)
  // Before anybody can take the descriptors that its thread needs.
  await storage.beginCheckpoints()
  const payments = openPaymentService({ ...given, gateway })
  const predecessors = await adoptPredecessors({ storage, choice: gateway, before, log })
  const { describeCommands } = parts
  const shown = { describeCommands, metrics: watching.publicDoor, payments, notes }
  const { server, desk } = openDoors(gateway, { ...given, ...shown }, address)
  const operatorUrl = desk.service.operatorUrl()
  const operatorLink = await firstLink(parts, storage, operatorUrl)
  await cluster?.name(server.url)
  if (released !== null) steerHere(server, watching)
  notes.serving({ server, operatorUrl, key, metricsUrl: watching.url })
  await predecessors.serving()
  log.info('serving', { url: server.url, pid: process.pid })
  const unwatch = await watchProcess({ storage, shared, monotonic: systemMonotonic, log })
  const freeReserve = watchDescriptors(server, log)
  const prices = scheduleFor(given, gateway)
  payments.reconciler.start()
  const looks = startLookClock(storage.accountLooks, clock, (fault) =>
    log.warn('end of an account look not written', faultFields(fault)),
  )
  const { url, listenedAt } = server
  const served = { url, listenedAt, operatorUrl, operatorLink }
  if (supervisor !== null) reportServing(supervisor, { ...served, cluster, gateway, observing })
  return running({
    ...parts,
    config,
    server,
    gateway,
    storage,
    cluster,
    key,
    operatorLink,
    watching,
    unwatch,
    freeReserve,
    prices,
    reconciler: payments.reconciler,
    looks,
    predecessors,
    duties: folderDuties,
  })
}

/** Watches over faults, clock and database of a process that serves. @returns stops that */
async function watchProcess({
  storage,
  shared,
  monotonic,
  log,
}: Omit<Kept, 'released'> & { readonly monotonic: Monotonic; readonly log: Log }): Promise<
  () => void
> {
  const unwatchFaults = watchFaults(log)
  const newest = shared === null ? await storage.reports.newest() : null
  const unwatchDatabase = watchDatabase(storage, log)
  const unwatchClock = watchClock({ clock: systemClock, monotonic, log, newest })
  return () => {
    unwatchFaults()
    unwatchClock()
    unwatchDatabase()
  }
}

interface ServedNode {
  readonly url: string
  readonly listenedAt: number
  readonly operatorUrl: string
  readonly operatorLink: RunningServer['operatorLink']
  readonly cluster: Pick<Cluster, 'node'> | null
  readonly gateway: Pick<Gateway, 'onSale'>
  readonly observing: Observing
}

/** Tells the supervisor of this machine's nodes where this one serves. */
function reportServing(supervisor: SupervisorLink, served: ServedNode): void {
  const { url, listenedAt, operatorUrl, operatorLink, cluster, gateway, observing } = served
  supervisor.showMetrics(
    () => `node-${cluster?.node}`,
    () => observing.metrics?.text() ?? '',
  )
  supervisor.answerLink(operatorLink)
  const hasLink = operatorLink !== null
  supervisor.report({
    kind: 'serving',
    url,
    operatorUrl,
    hasLink,
    listenedAt,
    ...gateway.onSale(),
  })
}

/** Account and cost of a spooled call, for the log. */
const costOf = (record: SpoolRecord) => ({
  account: record.opening.account,
  cost: 'ending' in record ? record.ending.cost : record.owed.cost,
})

/** Worker processes of a former release end within ten seconds of their primary. */
const formerWorkersMs = 30_000

/** Charges what earlier processes left, and says so. */
async function recoverCalls(
  storage: Storage,
  cluster: Cluster | null,
  { running }: LeavingBefore,
  log: Log,
): Promise<void> {
  const recovered = cluster?.recovered.calls ?? (await recoverFolder(storage, running))
  if (recovered > 0) log.warn('pending calls recovered', { calls: recovered })
  for (const record of cluster?.recovered.rejected ?? [])
    log.error('spooled call not recorded', { request: record.opening.id, ...costOf(record) })
}

/** New connections come here, and none to the process that listens there too. */
function steerHere(server: Server, { port }: Watching): void {
  server.steer()
  if (port !== null) steerToSecond(port)
}

/** Charges what an earlier process left. @throws DataFolderBusy while processes of a former release charge on */
async function recoverFolder(storage: Storage, running: LeavingBefore['running']): Promise<number> {
  const { folder } = storage
  if (folder !== null && !(await formerWorkersEnded(folder, formerWorkersMs)))
    throw new DataFolderBusy(folder, null)
  return await storage.ledger.recover(running)
}
