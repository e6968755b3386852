/** A number that only grows. */
export interface CounterSeries {
  add(by: number): void
}

/** Counts of values by bucket. */
export interface HistogramSeries {
  observe(value: number): void
}

/** All series of one metric, by the values of its labels. */
interface Family<Series> {
  /**
   * The series of these values, in the order of the labels; the same one every time.
   * What comes when there are too many is counted together, with every label `other`.
   */
  with(...values: readonly string[]): Series
}

/** One series of a gauge, with the values of its labels in their order. */
interface GaugeSample {
  readonly values: readonly string[]
  readonly value: number
}

interface MetricOptions {
  readonly name: string
  readonly help: string
  readonly labels?: readonly string[]
  /** Divisor of shown values: integers are added without an error. */
  readonly divisor?: number
  /** Told to be a gauge although it is kept as a counter. */
  readonly type?: 'gauge'
}

interface HistogramOptions extends MetricOptions {
  /** Upper bounds, rising, in the unit that is observed. */
  readonly bounds: readonly number[]
}

/** Every metric of a process, and how Prometheus reads them. */
export interface MetricRegistry {
  counter(options: MetricOptions): Family<CounterSeries>
  histogram(options: HistogramOptions): Family<HistogramSeries>
  /** Read when somebody looks. */
  gauge(options: MetricOptions, read: () => number): void
  /** Registers gauges of several series, by the values of their labels. */
  gauges(options: MetricOptions, read: () => readonly GaugeSample[]): void
  /** A counter that somebody else keeps. */
  total(options: MetricOptions, read: () => number): void
  /** Text format 0.0.4. */
  text(): string
}

/** Label of series beyond the ceiling. */
const other = 'other'

/** Opens an empty registry. @param maxSamples lines of one metric, `other` not counted */
export function openMetricRegistry(maxSamples: number): MetricRegistry {
  const names = new Set<string>()
  const writers: (() => string)[] = []

  const declare = (type: string, { name, help }: MetricOptions, write: () => string) => {
    if (names.has(name)) throw new Error(`two metrics are called ${name}`)
    names.add(name)
    const head = `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`
    writers.push(() => head + write())
  }

  const read = (type: string) => (options: MetricOptions, value: () => number) =>
    declare(type, options, () => `${options.name} ${numberText(value() / divisorOf(options))}\n`)

  return {
    counter(options) {
      const most = maxSamples
      const { family, write } = openFamily(options, most, (labels) => openCounter(options, labels))
      declare(options.type ?? 'counter', options, write)
      return family
    },
    histogram(options) {
      const most = Math.floor(maxSamples / (options.bounds.length + 3))
      const { family, write } = openFamily(options, most, (labels) =>
        openHistogram(options, labels),
      )
      declare('histogram', options, write)
      return family
    },
    gauge: read('gauge'),
    gauges(options, samples) {
      const { name, labels = [] } = options
      declare('gauge', options, () =>
        samples()
          .slice(0, maxSamples)
          .map(({ values, value }) => {
            const shown = numberText(value / divisorOf(options))
            return `${name}{${labelText(labels, values)}} ${shown}\n`
          })
          .join(''),
      )
    },
    total: read('counter'),
    text: () => writers.map((write) => write()).join(''),
  }
}

interface Written {
  write(): string
}

function openFamily<Series extends Written>(
  { name, labels = [] }: MetricOptions,
  most: number,
  open: (labels: string) => Series,
): { family: Family<Series>; write(): string } {
  const all = new Map<string, Series>()
  let rest: Series | null = null
  const labelled = (values: readonly string[]) => open(labelText(labels, values))
  const fold = (): Series => (rest ??= labelled(labels.map(() => other)))
  // Without labels there is one series, which is there from the beginning.
  if (labels.length === 0) all.set('', labelled([]))
  return {
    family: {
      with(...values) {
        if (values.length !== labels.length) throw new Error(`${name} has other labels`)
        const key = values.join('\0')
        const known = all.get(key)
        if (known !== undefined) return known
        if (all.size >= most) return fold()
        const series = labelled(values)
        all.set(key, series)
        return series
      },
    },
    write() {
      let out = ''
      for (const series of all.values()) out += series.write()
      return rest === null ? out : out + rest.write()
    },
  }
}

function openCounter(options: MetricOptions, labels: string): CounterSeries & Written {
  const head = `${options.name}${labels === '' ? '' : `{${labels}}`} `
  const divisor = divisorOf(options)
  let value = 0
  return {
    add: (by) => void (value += by),
    write: () => `${head}${numberText(value / divisor)}\n`,
  }
}

function openHistogram(options: HistogramOptions, labels: string): HistogramSeries & Written {
  const { name, bounds } = options
  const divisor = divisorOf(options)
  const before = labels === '' ? '' : `${labels},`
  const tail = labels === '' ? '' : `{${labels}}`
  const heads = [...bounds.map((bound) => numberText(bound / divisor)), '+Inf'].map(
    (bound) => `${name}_bucket{${before}le="${bound}"} `,
  )
  const counts = new Float64Array(bounds.length + 1)
  let sum = 0
  return {
    observe(value) {
      let at = 0
      while (at < bounds.length && value > (bounds[at] ?? 0)) at++
      counts[at] = (counts[at] ?? 0) + 1
      sum += value
    },
    write() {
      let out = ''
      let count = 0
      for (const [at, head] of heads.entries()) out += `${head}${(count += counts[at] ?? 0)}\n`
      return `${out}${name}_sum${tail} ${numberText(sum / divisor)}\n${name}_count${tail} ${count}\n`
    },
  }
}

const labelText = (labels: readonly string[], values: readonly string[]): string =>
  labels.map((label, at) => `${label}="${escapeLabel(values[at] ?? '')}"`).join(',')

const divisorOf = ({ divisor = 1 }: MetricOptions): number => divisor

const numberText = (value: number): string =>
  Number.isFinite(value) ? String(value) : Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')

const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"')
