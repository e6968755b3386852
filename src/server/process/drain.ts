import type { Log } from '../../gateway/observability/log'
import type { LookClock } from '../../business/operators/impersonation'
import type { Reconciler } from '../../business/payments/reconciler'
import type { Storage } from '../../business/data/storage'
import type { Cluster } from '../cluster/cluster'
import type { Gateway } from '../gateway'
import type { PriceSchedule } from '../price-checks/price-schedule'
import type { RunNotes } from './run-contract'
import type { Server } from '../listeners/server-contract'
import type { Watching } from '../telemetry'

/** Time that an orderly cut may take to reach the clients. */
const cutMs = 500

/** Parts that are open while a gateway serves. */
interface OpenParts {
  readonly server: Server
  readonly gateway: Gateway
  readonly storage: Storage
  readonly cluster?: Pick<Cluster, 'leave'> | null
  readonly watching: Pick<Watching, 'close'>
}

/** Parts that a drain closes. */
export interface Draining extends OpenParts {
  readonly log: Log
  readonly notes: Pick<RunNotes, 'leaving' | 'stopping' | 'stopped'>
  /** Stops watching over descriptors. */
  freeReserve(): void
  readonly prices: Pick<PriceSchedule, 'close'>
  readonly reconciler: Pick<Reconciler, 'close'>
  readonly looks: LookClock
}

/**
 * Running calls go on for as long as they may, then streams are cut in order, then everything is written.
 * @param mayGoOn looked at again and again
 * @param delayMs before that calls are taken, and `/readyz` says that it stops
 */
export async function drain(parts: Draining, mayGoOn: () => boolean, delayMs = 0): Promise<void> {
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
  while (gateway.runningCalls() > 0 && mayGoOn()) await Bun.sleep(20)
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
