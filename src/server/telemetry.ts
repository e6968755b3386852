import type { Config } from './config'
import type { SupervisorLink } from './process/node-process'
import { systemClock } from '../domain/clock'
import { listening } from './listeners/listening'
import type { Log } from '../gateway/observability/log'
import {
  openMetricsDoor,
  openPublicDoor,
  serveMetrics,
  type MetricsConfig,
  type MetricsDoor,
} from '../gateway/observability/metrics-door'
import { loadTraces, openObserving, type Observing } from '../gateway/observability/observing'

/** Observability of a serving process, and the address of its metrics. */
export interface Watching {
  readonly observing: Observing
  /** Metrics at the public address, for whoever has the token. */
  readonly publicDoor: MetricsDoor | null
  /** Metrics at an address of their own. */
  readonly url: string | null
  readonly port: number | null
  /** Sends what waits; the last that is heard of the process. */
  close(): Promise<void>
}

const loopback = /^(?:127\.|::1$|localhost$)/

/** Opens metrics and traces. @throws Error with code EADDRINUSE when the port of metrics is taken */
export async function openWatching(
  config: Config,
  log: Log,
  supervisor: Pick<SupervisorLink, 'gather'> | null = null,
): Promise<Watching> {
  const { metrics } = config
  const traces = config.traces === null ? null : await loadTraces(config.traces, systemClock, log)
  const observing = openObserving({ metrics, traces })
  const { metrics: registry } = observing
  const text =
    registry === null
      ? null
      : async () => (await supervisor?.gather(registry.text())) ?? registry.text()
  const publicDoor = openPublicDoor(text, metrics)
  // The supervisor of several nodes listens for all of them.
  if (text === null || metrics === null || metrics.listen === null || supervisor !== null)
    return { observing, publicDoor, url: null, port: null, close: observing.close }
  try {
    const server = openMetricsListener(metrics, log, text)
    const close = async () => {
      await observing.close()
      await server?.close()
    }
    return { observing, publicDoor, url: server?.url ?? null, port: server?.port ?? null, close }
  } catch (thrown) {
    await observing.close()
    throw thrown
  }
}

/**
 * Serves metrics at an address of their own.
 * @returns null where none is configured
 * @throws Error with code EADDRINUSE when the port is taken
 */
export function openMetricsListener(
  config: Extract<MetricsConfig, { readonly listen: object }> | null,
  log: Log,
  text: () => Promise<string>,
) {
  if (config === null) return null
  const { listen, token } = config
  const door = openMetricsDoor(text, token)
  const server = listening(listen, '--metrics-port', () => serveMetrics(door, listen))
  const isOpen = token === null && !loopback.test(listen.host)
  if (isOpen) log.warn('metrics need no token', { url: server.url })
  else log.info('metrics', { url: server.url })
  return server
}
