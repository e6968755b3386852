/**
 * Metrics of several processes as those of one: counters and histograms are added up; a gauge too, for what
 * runs or is held in one runs or is held in all.
 * @param texts in the text format of Prometheus, all of one program
 */
export function sumMetrics(texts: readonly string[]): string {
  const lines: (string | { readonly series: string })[] = []
  const values = new Map<string, number>()
  const comments = new Set<string>()
  for (const text of texts)
    for (const line of text.split('\n')) {
      if (line === '') continue
      if (line.startsWith('#')) {
        if (!comments.has(line)) lines.push(line)
        comments.add(line)
        continue
      }
      const at = line.lastIndexOf(' ')
      const series = line.slice(0, at)
      const before = values.get(series)
      values.set(series, (before ?? 0) + Number(line.slice(at + 1)))
      if (before === undefined) lines.push({ series })
    }
  return `${lines.map((line) => (typeof line === 'string' ? line : `${line.series} ${values.get(line.series)}`)).join('\n')}\n`
}
