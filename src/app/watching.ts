import type { Config } from './config'
import { systemClock } from '../domain/clock'
import { listening } from './listening'
import type { Log } from '../observability/log'
import {
  openMetricsDoor,
  openPublicDoor,
  serveMetrics,
  type MetricsDoor,
} from '../observability/metrics-door'
import { loadTraces, openObserving, type Observing } from '../observability/observing'

/** Observability of a serving process, and the address of its metrics. */
export interface Watching {
  readonly observing: Observing
  /** Metrics at the public address, for whoever has the token. */
  readonly publicDoor: MetricsDoor | null
  /** Metrics at an address of their own. */
  readonly url: string | null
  /** Sends what waits; the last that is heard of the process. */
  close(): Promise<void>
}

const loopback = /^(?:127\.|::1$|localhost$)/

/** Where this process is one of several. */
interface SharedWatching {
  /** What all processes count. @param own of this one */
  gather(own: string): Promise<string>
  /** One process alone listens at an address of metrics. */
  readonly listens: boolean
}

/** Opens metrics and traces. @throws Error with code EADDRINUSE when the port of metrics is taken */
export async function openWatching(
  config: Config,
  log: Log,
  shared: SharedWatching | null = null,
): Promise<Watching> {
  const { metrics } = config
  const traces = config.traces === null ? null : await loadTraces(config.traces, systemClock, log)
  const observing = openObserving({ metrics, traces })
  const { metrics: registry } = observing
  const text = registry === null ? null : () => shared?.gather(registry.text()) ?? registry.text()
  const publicDoor = openPublicDoor(text, metrics)
  const listens = shared === null || shared.listens
  if (text === null || metrics === null || metrics.listen === null || !listens)
    return { observing, publicDoor, url: null, close: observing.close }
  try {
    const { listen, token } = metrics
    const door = openMetricsDoor(text, token)
    const server = listening(listen, '--metrics-port', () => serveMetrics(door, listen))
    const open = token === null && !loopback.test(listen.host)
    if (open) log.warn('metrics need no token', { url: server.url })
    else log.info('metrics', { url: server.url })
    const close = async () => {
      await observing.close()
      await server.close()
    }
    return { observing, publicDoor, url: server.url, close }
  } catch (thrown) {
    await observing.close()
    throw thrown
  }
}
