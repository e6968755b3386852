import { once } from '../../domain/memoize'
import { nanosPerUsd } from '../../domain/money'
import type { EndpointName } from '../../domain/model'
import type { CallEnding } from '../../domain/record'
import { isTokenMeter, type Meter, type Units } from '../../domain/usage'
import type { CallObserver } from './call-observer'
import type { CounterSeries, HistogramSeries, MetricRegistry } from './metric-registry'

/** Milliseconds, as OpenTelemetry asks of the duration of AI calls, and on to ten minutes. */
const durationBounds = [
  10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10_240, 20_480, 40_960, 81_920, 163_840, 327_680,
  655_360,
]
/** Histogram bounds of the time to the first token, up to the longest vendor timeout. */
const firstByteBounds = [
  1, 5, 10, 20, 40, 60, 80, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000, 30_000, 60_000,
  240_000,
]
const msPerSecond = 1000
/** Stands where there is no vendor or no code: Prometheus takes an empty label for none. */
const none = 'none'

/** Series of one endpoint, model and vendor, found once. */
interface Place {
  duration(): HistogramSeries
  firstByte(): HistogramSeries
  charged(): CounterSeries
  vendorCost(): CounterSeries
  reasoning(): CounterSeries
  ended(ending: CallEnding): CounterSeries
  used(meter: Meter): CounterSeries
}

/** Counts calls by what the catalogue, the configuration and our own codes name, and by nothing of the client's. */
export function openCallMetrics(registry: MetricRegistry): CallObserver {
  const placeOf = openPlaces(registry)
  const { refusals, attempts, failures, changes } = attemptFamilies(registry)
  return {
    attempted({ route: { vendor }, error, instead }) {
      attempts.with(vendor).add(1)
      if (error !== null) failures.with(vendor, error.code).add(1)
      if (instead !== null) changes.with(instead.vendor).add(1)
    },
    ended({ endpoint, model }, ending) {
      const place = placeOf(endpoint, model, ending.vendor ?? none)
      place.ended(ending).add(1)
      if (ending.status === 'success') place.duration().observe(ending.latencyMs)
      if (ending.firstByteMs !== null) place.firstByte().observe(ending.firstByteMs)
      if (ending.cost > 0) place.charged().add(ending.cost)
      const billed = ending.vendorCost
      if (billed !== undefined && billed.amount > 0) {
        const { vendor, amount } = billed
        const its = vendor === ending.vendor ? place : placeOf(endpoint, model, vendor)
        its.vendorCost().add(amount)
      }
      if (ending.usage.reasoning > 0) place.reasoning().add(ending.usage.reasoning)
      const { units }: { units: Units } = ending.usage
      for (const meter in units) {
        const used = units[meter as Meter] ?? 0
        if (used > 0) place.used(meter as Meter).add(used)
      }
    },
    refused({ error, held }) {
      if (!held) refusals.with(error.code).add(1)
    },
  }
}

function attemptFamilies(registry: MetricRegistry) {
  return {
    refusals: registry.counter({
      name: 'chapar_refused_requests_total',
      help: 'Requests refused before money was held, by error code.',
      labels: ['code'],
    }),
    attempts: registry.counter({
      name: 'chapar_vendor_attempts_total',
      help: 'Times that a route was tried, by its vendor.',
      labels: ['vendor'],
    }),
    failures: registry.counter({
      name: 'chapar_vendor_failures_total',
      help: 'Routes that failed before an answer, by vendor and error code.',
      labels: ['vendor', 'code'],
    }),
    changes: registry.counter({
      name: 'chapar_route_changes_total',
      help: 'Times that another route was tried because this vendor failed.',
      labels: ['vendor'],
    }),
  }
}

function callFamilies(registry: MetricRegistry) {
  const labels = ['endpoint', 'model', 'vendor']
  return {
    calls: registry.counter({
      name: 'chapar_calls_total',
      help: 'Calls that ended after money was held for them, by how they ended.',
      labels: [...labels, 'status', 'code'],
    }),
    duration: registry.histogram({
      name: 'chapar_call_duration_seconds',
      help: 'Time from the request to the end of the answer, of calls that succeeded.',
      labels,
      divisor: msPerSecond,
      bounds: durationBounds,
    }),
    firstByte: registry.histogram({
      name: 'chapar_call_first_byte_seconds',
      help: 'Time from the request to the beginning of the answer.',
      labels,
      divisor: msPerSecond,
      bounds: firstByteBounds,
    }),
    tokens: registry.counter({
      name: 'chapar_tokens_total',
      help: 'Tokens that were charged for, by meter; meters do not overlap.',
      labels: [...labels, 'meter'],
    }),
    units: registry.counter({
      name: 'chapar_units_total',
      help: 'What was charged for besides tokens, by meter: images, seconds, characters, requests, uses of tools.',
      labels: [...labels, 'meter'],
    }),
    reasoning: registry.counter({
      name: 'chapar_reasoning_tokens_total',
      help: 'The part of the output tokens that was reasoning.',
      labels,
    }),
    charged: registry.counter({
      name: 'chapar_charged_dollars_total',
      help: 'Dollars that calls were charged.',
      labels,
      divisor: nanosPerUsd,
    }),
    vendorCost: registry.counter({
      name: 'chapar_vendor_cost_dollars_total',
      help: 'Dollars that vendors bill us for calls, as far as it is known.',
      labels,
      divisor: nanosPerUsd,
    }),
  }
}

function openPlaces(registry: MetricRegistry) {
  const { calls, duration, firstByte, tokens, units, reasoning, charged, vendorCost } =
    callFamilies(registry)
  const open = (...at: readonly [EndpointName, string, string]): Place => {
    const endings = new Map<string, CounterSeries>()
    const meters = new Map<Meter, CounterSeries>()
    return {
      // A call that failed has no time to show.
      duration: once(() => duration.with(...at)),
      firstByte: once(() => firstByte.with(...at)),
      charged: once(() => charged.with(...at)),
      vendorCost: once(() => vendorCost.with(...at)),
      reasoning: once(() => reasoning.with(...at)),
      ended({ status, error }) {
        // An error has a code, and only an error has one: together they are as good as either.
        const key = error ?? status
        let series = endings.get(key)
        if (series === undefined)
          endings.set(key, (series = calls.with(...at, status, error ?? none)))
        return series
      },
      used(meter) {
        let series = meters.get(meter)
        if (series === undefined) {
          const family = isTokenMeter(meter) ? tokens : units
          meters.set(meter, (series = family.with(...at, meter)))
        }
        return series
      },
    }
  }
  const places = new Map<string, Place>()
  return (endpoint: EndpointName, model: string, vendor: string): Place => {
    const key = `${endpoint} ${vendor} ${model}`
    let place = places.get(key)
    if (place === undefined) places.set(key, (place = open(endpoint, model, vendor)))
    return place
  }
}
