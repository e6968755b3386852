import { build } from '../../domain/build'
import type { Clock } from '../../domain/clock'
import { openCallMetrics } from './call-metrics'
import type { CallObserver } from './call-observer'
import type { Log } from './log'
import { openMetricRegistry, type MetricRegistry } from './metric-registry'
import type { MetricsConfig } from './metrics-door'
import type { TraceConfig } from './trace-config'
import type { SpanCounts, Traces } from './traces'

interface ObservingParts {
  /** Null: nothing is counted. */
  readonly metrics: MetricsConfig | null
  readonly traces: Traces | null
}

/** Everything that watches a process beside its log: metrics and traces. */
export interface Observing {
  readonly calls: readonly CallObserver[]
  readonly metrics: MetricRegistry | null
  /** Sends what waits, for a few seconds at most. */
  close(): Promise<void>
}

/** Lines of one metric: about 230 pairs of model and vendor in the widest. */
const maxSamples = 5000

export function openObserving({ traces, ...parts }: ObservingParts): Observing {
  const metrics = parts.metrics === null ? null : openMetricRegistry(maxSamples)
  const unwatch = metrics === null ? null : openProcessMetrics(metrics)
  if (metrics !== null && traces !== null) showSpanCounts(metrics, traces.counts)
  return {
    calls: [
      ...(metrics === null ? [] : [openCallMetrics(metrics)]),
      ...(traces === null ? [] : [traces.observer]),
    ],
    metrics,
    async close() {
      unwatch?.()
      await traces?.close()
    },
  }
}

/** They cost memory and time at start, so they are read when there is somewhere to send to. */
export async function loadTraces(config: TraceConfig, clock: Clock, log: Log): Promise<Traces> {
  const { openOtlpTraces } = await import('./otlp-traces')
  return openOtlpTraces({ config, clock, log, version: build.version })
}

function showSpanCounts(registry: MetricRegistry, counts: () => SpanCounts): void {
  const show = (name: keyof SpanCounts, help: string) =>
    registry.total({ name: `chapar_trace_spans_${name}_total`, help }, () => counts()[name])
  show('exported', 'Spans that the collector took.')
  show('failed', 'Spans that the collector did not take.')
  show('dropped', 'Spans that came while too many were waiting.')
}

/** Milliseconds that the event loop came too late. */
const lagBounds = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500]
const lookEveryMs = 500

/** Memory, processor, age, version, and how late the event loop comes. @returns what ends the watch */
function openProcessMetrics(registry: MetricRegistry): () => void {
  const options = (name: string, help: string) => ({ name, help })
  registry
    .counter({
      name: 'chapar_build_info',
      help: 'Always 1; says which version runs, of which commit and day.',
      labels: ['version', 'commit', 'built', 'bun'],
      type: 'gauge',
    })
    .with(build.version, build.commit, build.date, Bun.version)
    .add(1)
  registry.gauge(
    options('process_resident_memory_bytes', 'Memory of the process that is in use.'),
    () => process.memoryUsage.rss(),
  )
  registry.total(
    options('process_cpu_seconds_total', 'Processor time used, by the program and for it.'),
    () => {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1_000_000
    },
  )
  registry.gauge(
    options('process_start_time_seconds', 'When the process began, in seconds since 1970.'),
    () => performance.timeOrigin / 1000,
  )
  return watchEventLoop(registry)
}

function watchEventLoop(registry: MetricRegistry): () => void {
  const lag = registry
    .histogram({
      name: 'chapar_event_loop_lag_seconds',
      help: 'How much later than asked for a timer came, looked at twice a second.',
      divisor: 1000,
      bounds: lagBounds,
    })
    .with()
  let due = performance.now() + lookEveryMs
  const timer = setInterval(() => {
    const now = performance.now()
    lag.observe(Math.max(0, now - due))
    due = now + lookEveryMs
  }, lookEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}
