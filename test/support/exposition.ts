/** A series by its name and labels as they are written. */
interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

interface ExposedFamily {
  readonly name: string
  readonly type: string
  readonly help: string
  readonly samples: Sample[]
}

export interface Exposition {
  readonly families: ReadonlyMap<string, ExposedFamily>
  readonly samples: readonly Sample[]
  /** Sum of all series that have these labels; 0 when there is none. */
  value(name: string, labels?: Readonly<Record<string, string>>): number
}

const nameForm = '[a-zA-Z_:][a-zA-Z0-9_:]*'
const helpLine = new RegExp(`^# HELP (${nameForm}) (.*)$`)
const typeLine = new RegExp(`^# TYPE (${nameForm}) (counter|gauge|histogram)$`)
const sampleLine = new RegExp(`^(${nameForm})(?:\\{(.*)\\})? (\\S+)$`)

/**
 * Reads the text format as strictly as its grammar, and the rules that Prometheus' own linter has.
 * @throws Error that names the line
 */
export function readExposition(text: string): Exposition {
  if (!text.endsWith('\n')) throw new Error('the last line does not end')
  const families = new Map<string, ExposedFamily>()
  const seen = new Set<string>()
  let help: RegExpExecArray | null = null
  let family: ExposedFamily | null = null
  for (const line of text.slice(0, -1).split('\n')) {
    const wrong = (why: string) => new Error(`${why}: ${line}`)
    if (line.startsWith('# HELP ')) {
      if (help !== null) throw wrong('help without a type before')
      help = helpLine.exec(line)
      if (help === null) throw wrong('no help')
      if (!/^(?:[^\\]|\\[\\n])*$/.test(help[2] ?? ''))
        throw wrong('a backslash that escapes nothing')
      continue
    }
    if (line.startsWith('# TYPE ')) {
      const [, name = '', type = ''] = typeLine.exec(line) ?? []
      if (name === '' || name !== help?.[1]) throw wrong('a type without its help')
      if (families.has(name)) throw wrong('a metric that comes twice')
      if ((type === 'counter') !== name.endsWith('_total')) throw wrong('a name of another type')
      families.set(name, (family = { name, type, help: help[2] ?? '', samples: [] }))
      help = null
      continue
    }
    const sample = readSample(line)
    if (family === null || help !== null) throw wrong('a sample without a type')
    if (!namesOf(family).includes(sample.name)) throw wrong('a sample of another metric')
    const key = line.slice(0, line.lastIndexOf(' '))
    if (seen.has(key)) throw wrong('a series that comes twice')
    seen.add(key)
    family.samples.push(sample)
  }
  for (const each of families.values()) if (each.type === 'histogram') checkHistogram(each)
  const samples = [...families.values()].flatMap((each) => each.samples)
  const has = (sample: Sample, labels: Readonly<Record<string, string>>) =>
    Object.entries(labels).every(([label, value]) => sample.labels[label] === value)
  return {
    families,
    samples,
    value: (name, labels = {}) =>
      samples
        .filter((each) => each.name === name && has(each, labels))
        .reduce((sum, { value }) => sum + value, 0),
  }
}

const namesOf = ({ name, type }: ExposedFamily): readonly string[] =>
  type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]

function readSample(line: string): Sample {
  const [, name = '', inside, number = ''] = sampleLine.exec(line) ?? []
  if (name === '') throw new Error(`no sample: ${line}`)
  const value = number === '+Inf' ? Infinity : Number(number)
  if (Number.isNaN(value)) throw new Error(`no number: ${line}`)
  const labels: Record<string, string> = {}
  let rest = inside ?? ''
  if (inside === '') throw new Error(`empty braces: ${line}`)
  while (rest !== '') {
    const [all, label = '', written = ''] =
      /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\"n])*)"(?:,(?!$)|$)/.exec(rest) ?? []
    if (all === undefined || label.startsWith('__') || label in labels)
      throw new Error(`no label: ${line}`)
    labels[label] = written.replaceAll(/\\(.)/g, (_, sign) => (sign === 'n' ? '\n' : String(sign)))
    rest = rest.slice(all.length)
  }
  return { name, labels, value }
}

/** Buckets rise, the last is of everything, and there are sum and count of each. */
function checkHistogram({ name, samples }: ExposedFamily): void {
  const groups = Map.groupBy(samples, ({ labels: { le: _, ...labels } }) => JSON.stringify(labels))
  for (const [labels, group] of groups) {
    const wrong = new Error(`${name}${labels} is no histogram`)
    const buckets = group.filter((each) => each.name === `${name}_bucket`)
    const bounds = buckets.map(({ labels: { le } }) => (le === '+Inf' ? Infinity : Number(le)))
    const rising = (numbers: readonly number[], least: number) =>
      numbers.every((each, at) => at === 0 || each - (numbers[at - 1] ?? 0) >= least)
    if (bounds.at(-1) !== Infinity || !rising(bounds, Number.MIN_VALUE)) throw wrong
    if (
      !rising(
        buckets.map(({ value }) => value),
        0,
      )
    )
      throw wrong
    const count = group.filter((each) => each.name === `${name}_count`)
    if (count.length !== 1 || count[0]?.value !== buckets.at(-1)?.value) throw wrong
    if (group.filter((each) => each.name === `${name}_sum`).length !== 1) throw wrong
  }
}
