import { TraceFlags } from '@opentelemetry/api'
import { ExportResultCode } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type ReadableSpan,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace'
import type { Clock } from '../../domain/clock'
import { openCallSpans } from './call-spans'
import { faultFields, type Log } from './log'
import type { TraceConfig } from './trace-config'
import type { Traces } from './traces'

/** How long the last spans may take to reach the collector. */
const maxCloseMs = 3000

interface OtlpParts {
  readonly config: TraceConfig
  readonly clock: Clock
  readonly log: Log
  /** Of this program. */
  readonly version: string
}

/** Only loaded when there is a collector. */
export function openOtlpTraces({ config, clock, log, version }: OtlpParts): Traces {
  const { url, headers, timeoutMs } = config
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: timeoutMs })
  const { processor, counts } = openCountedQueue(exporter, config, log)
  const provider = new TracerProvider({
    sampler: samplerOf(config.sampler),
    spanProcessors: [processor],
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.version': version,
        ...config.attributes,
        'service.name': config.serviceName,
      }),
    ),
  })
  let closing: Promise<void> | null = null
  const shutDown = async () => {
    const { promise: late, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, maxCloseMs)
    await Promise.race([provider.shutdown().catch(() => null), late])
    clearTimeout(timer)
  }
  return {
    observer: openCallSpans(provider.getTracer('chapar', version), clock.now),
    counts,
    close: () => (closing ??= shutDown()),
  }
}

/** The batches of the library, and what became of the spans. */
function openCountedQueue(exporter: SpanExporter, config: TraceConfig, log: Log) {
  let waiting = 0
  let taken = true
  const counts = { exported: 0, failed: 0, dropped: 0 }
  const counted: SpanExporter = {
    export(spans, done) {
      waiting -= spans.length
      exporter.export(spans, (result) => {
        const wasTaken = taken
        taken = result.code === ExportResultCode.SUCCESS
        if (taken) counts.exported += spans.length
        else counts.failed += spans.length
        // Once, not with every batch.
        if (wasTaken && !taken) log.warn('trace export failed', faultFields(result.error))
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
  const batches = new BatchSpanProcessor({
    exporter: counted,
    maxQueueSize: config.queueLength,
    maxExportBatchSize: config.batchLength,
    scheduledDelayMillis: config.delayMs,
  })
  const processor: SpanProcessor = {
    onStart: () => {},
    onEnd(span: ReadableSpan) {
      if ((span.spanContext().traceFlags & TraceFlags.SAMPLED) === 0) return
      if (waiting >= config.queueLength) {
        counts.dropped++
        return
      }
      waiting++
      batches.onEnd(span)
    },
    forceFlush: () => batches.forceFlush(),
    shutdown: () => batches.shutdown(),
  }
  return { processor, counts: () => counts }
}

function samplerOf({ kind, parentBased, ratio }: TraceConfig['sampler']): Sampler {
  const root = rootSampler(kind, ratio)
  return parentBased ? new ParentBasedSampler({ root }) : root
}

function rootSampler(kind: TraceConfig['sampler']['kind'], ratio: number): Sampler {
  if (kind === 'always_on') return new AlwaysOnSampler()
  if (kind === 'always_off') return new AlwaysOffSampler()
  return new TraceIdRatioBasedSampler(ratio)
}
