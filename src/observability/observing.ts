import { build } from '../domain/build'
import type { Clock } from '../domain/clock'
import { openCallMetrics } from './call-metrics'
import type { CallObserver } from './call-observer'
import type { Log } from './log'
import { openMetricRegistry, type MetricRegistry } from './metric-registry'
import type { MetricsConfig } from './metrics-door'
import { openProcessMetrics } from './process-metrics'
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
