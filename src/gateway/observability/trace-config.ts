/** How a part of all traces is chosen. */
type TraceSampler = 'always_on' | 'always_off' | 'traceidratio'

/** Destination and sampling of traces, as the variables of OpenTelemetry tell it. */
export interface TraceConfig {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly serviceName: string
  readonly attributes: Readonly<Record<string, string>>
  readonly sampler: {
    readonly kind: TraceSampler
    /** Sampling follows the caller's decision. */
    readonly parentBased: boolean
    /** Share that `traceidratio` takes, from 0 to 1. */
    readonly ratio: number
  }
  /** Spans that may wait for the collector; what comes when there are more is dropped. */
  readonly queueLength: number
  readonly batchLength: number
  readonly delayMs: number
  readonly timeoutMs: number
}

type Environment = Readonly<Record<string, string | undefined>>

const samplers: readonly TraceSampler[] = ['always_on', 'always_off', 'traceidratio']
const parentBasedMark = 'parentbased_'

/**
 * Reads the configuration of traces; null when no endpoint is named, or they are switched off.
 * @throws RangeError with a sentence that names the variable
 */
export function readTraceConfig(env: Environment): TraceConfig | null {
  const text = (name: string): string => env[name]?.trim() ?? ''
  const ofTraces = (name: string): string =>
    text(`OTEL_EXPORTER_OTLP_TRACES_${name}`) || text(`OTEL_EXPORTER_OTLP_${name}`)
  const whole = (name: string, preset: number): number => {
    const given = text(name)
    if (given === '') return preset
    if (!/^[1-9]\d{0,8}$/.test(given)) throw new RangeError(`${name} must be a whole number from 1`)
    return Number(given)
  }
  const url = urlOf(text)
  const off = /^true$/i.test(text('OTEL_SDK_DISABLED')) || text('OTEL_TRACES_EXPORTER') === 'none'
  if (url === null || off) return null
  if (ofTraces('PROTOCOL') === 'grpc')
    throw new RangeError('OTEL_EXPORTER_OTLP_PROTOCOL must be http/json: gRPC is not spoken')
  const attributes = pairsOf(text('OTEL_RESOURCE_ATTRIBUTES'), 'OTEL_RESOURCE_ATTRIBUTES')
  const queueLength = whole('OTEL_BSP_MAX_QUEUE_SIZE', 2048)
  return {
    url,
    headers: {
      ...pairsOf(text('OTEL_EXPORTER_OTLP_HEADERS'), 'OTEL_EXPORTER_OTLP_HEADERS'),
      ...pairsOf(text('OTEL_EXPORTER_OTLP_TRACES_HEADERS'), 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'),
    },
    serviceName: text('OTEL_SERVICE_NAME') || (attributes['service.name'] ?? 'chapar'),
    attributes,
    sampler: samplerOf(text('OTEL_TRACES_SAMPLER'), text('OTEL_TRACES_SAMPLER_ARG')),
    queueLength,
    batchLength: Math.min(whole('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512), queueLength),
    delayMs: whole('OTEL_BSP_SCHEDULE_DELAY', 5000),
    timeoutMs: whole(
      text('OTEL_EXPORTER_OTLP_TRACES_TIMEOUT') === ''
        ? 'OTEL_EXPORTER_OTLP_TIMEOUT'
        : 'OTEL_EXPORTER_OTLP_TRACES_TIMEOUT',
      10_000,
    ),
  }
}

/** The endpoint of traces is taken as it is, the one of everything is a folder. */
function urlOf(text: (name: string) => string): string | null {
  const own = text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT')
  const common = text('OTEL_EXPORTER_OTLP_ENDPOINT')
  if (own === '' && common === '') return null
  const [name, url] =
    own === ''
      ? ['OTEL_EXPORTER_OTLP_ENDPOINT', `${common.replace(/\/+$/, '')}/v1/traces`]
      : ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', own]
  // An address may hold a credential: it is not told.
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new RangeError(`${name} must be an http or https address`)
  return url
}

/** `key=value,…`, as W3C Baggage writes it. @throws RangeError */
function pairsOf(text: string, name: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((each) => each.trim())
  const read = pairs.filter(Boolean).map((pair) => {
    const at = pair.indexOf('=')
    // What stands there may be a secret: it is not told.
    if (at < 1) throw new RangeError(`${name} must be key=value, with commas between`)
    return [decoded(pair.slice(0, at).trim(), name), decoded(pair.slice(at + 1).trim(), name)]
  })
  return Object.fromEntries(read) as Record<string, string>
}

function decoded(text: string, name: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new RangeError(`${name} holds a % that encodes nothing`)
  }
}

function samplerOf(name: string, argument: string): TraceConfig['sampler'] {
  if (name === '') return { kind: 'always_on', parentBased: true, ratio: 1 }
  const parentBased = name.startsWith(parentBasedMark)
  const plain = parentBased ? name.slice(parentBasedMark.length) : name
  const kind = samplers.find((each) => each === plain)
  if (kind === undefined) {
    const names = samplers.flatMap((each) => [each, parentBasedMark + each]).join(', ')
    throw new RangeError(`OTEL_TRACES_SAMPLER must be one of ${names}`)
  }
  const ratio = argument === '' ? 1 : Number(argument)
  if (kind === 'traceidratio' && !(ratio >= 0 && ratio <= 1))
    throw new RangeError('OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1')
  return { kind, parentBased, ratio }
}
