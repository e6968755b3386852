/** Metrics of one process, in the text format of Prometheus. */
export interface ProcessMetrics {
  readonly process: string
  readonly text: string
}

/** What is of a process and of no sum: told of each, with its name. */
const ofProcess = /^(?:process_|chapar_build_info|chapar_event_loop_lag)/

/**
 * Metrics of several processes as those of one: counters and histograms are added up; a gauge too, for what
 * runs or is held in one runs or is held in all. Memory, age and the like stay those of each.
 * @param all of one program
 */
export function sumMetrics(all: readonly ProcessMetrics[]): string {
  const families = new Map<string, Family>()
  for (const { process, text } of all) {
    let family: Family = { comments: new Set(), values: new Map() }
    for (const line of text.split('\n')) {
      if (line === '') continue
      if (line.startsWith('#')) {
        const [, , name = ''] = line.split(' ')
        family = families.get(name) ?? { comments: new Set(), values: new Map() }
        families.set(name, family)
        family.comments.add(line)
        continue
      }
      const at = line.lastIndexOf(' ')
      const told = line.slice(0, at)
      const series = ofProcess.test(told) ? labelled(told, process) : told
      family.values.set(series, (family.values.get(series) ?? 0) + Number(line.slice(at + 1)))
    }
  }
  const lines = [...families.values()].flatMap(({ comments, values }) => [
    ...comments,
    ...[...values].map(([series, value]) => `${series} ${value}`),
  ])
  return `${lines.join('\n')}\n`
}

/** Lines of one metric, which stand together. */
interface Family {
  readonly comments: Set<string>
  readonly values: Map<string, number>
}

function labelled(series: string, process: string): string {
  const label = `process="${process}"`
  return series.endsWith('}') ? `${series.slice(0, -1)},${label}}` : `${series}{${label}}`
}
