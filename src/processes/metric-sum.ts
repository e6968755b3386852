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
  const lines: (string | { readonly series: string })[] = []
  const values = new Map<string, number>()
  const comments = new Set<string>()
  for (const { process, text } of all)
    for (const line of text.split('\n')) {
      if (line === '') continue
      if (line.startsWith('#')) {
        if (!comments.has(line)) lines.push(line)
        comments.add(line)
        continue
      }
      const at = line.lastIndexOf(' ')
      const told = line.slice(0, at)
      const series = ofProcess.test(told) ? labelled(told, process) : told
      const before = values.get(series)
      values.set(series, (before ?? 0) + Number(line.slice(at + 1)))
      if (before === undefined) lines.push({ series })
    }
  const texts = lines.map((line) =>
    typeof line === 'string' ? line : `${line.series} ${values.get(line.series)}`,
  )
  return `${texts.join('\n')}\n`
}

function labelled(series: string, process: string): string {
  const label = `process="${process}"`
  return series.endsWith('}') ? `${series.slice(0, -1)},${label}}` : `${series}{${label}}`
}
