import type { Figures } from './measure'

/** Of all rounds, by contestant, in the order they ran. */
type Rounds = ReadonlyMap<string, readonly Figures[]>

type Measured = Exclude<keyof Figures, 'errors' | 'readsPerChunk' | 'othersShare'>

/** Rows of the table. */
const rows: readonly {
  readonly figure: Measured
  readonly title: string
  readonly digits: number
}[] = [
  { figure: 'callsPerSecond', title: 'calls a second, 32 connections', digits: 0 },
  { figure: 'p50Ms', title: 'p50 ms', digits: 2 },
  { figure: 'p99Ms', title: 'p99 ms', digits: 2 },
  { figure: 'cpuPerCall', title: 'server CPU µs a call', digits: 1 },
  { figure: 'cpuPerChunk', title: 'server CPU µs a stream chunk', digits: 2 },
  { figure: 'idleMb', title: 'RSS MB, no stream open', digits: 0 },
  { figure: 'openMb', title: 'RSS MB, streams open', digits: 0 },
  { figure: 'firstAnswerMs', title: 'start to first answer ms', digits: 0 },
]

export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const high = sorted[middle]
  if (high === undefined) return null
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? high)) / 2
}

/** Medians over the rounds. */
export function medians(rounds: Rounds): Map<string, Record<Measured, number | null>> {
  return new Map(
    [...rounds].map(([name, figures]) => {
      const of = (figure: Measured) =>
        median(figures.map((each) => each[figure]).filter((value) => value !== null))
      return [
        name,
        Object.fromEntries(rows.map(({ figure }) => [figure, of(figure)])) as Record<
          Measured,
          number | null
        >,
      ]
    }),
  )
}

/** Columns that line up, the first to the left. */
export function tableOf(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, at) =>
    Math.max(...lines.map((line) => (line[at] ?? '').length)),
  )
  return lines
    .map((line) =>
      line
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join('  '),
    )
    .join('\n')
}

const shown = (value: number | null, digits: number): string =>
  value === null ? '–' : value.toFixed(digits)

/** The table of medians, then the ratios to each of `bases`. */
export function report(rounds: Rounds, bases: readonly string[]): string {
  const found = medians(rounds)
  const names = [...found.keys()]
  const parts = [
    tableOf([
      ['median', ...names],
      ...rows.map(({ figure, title, digits }) => [
        title,
        ...names.map((name) => shown(found.get(name)?.[figure] ?? null, digits)),
      ]),
    ]),
  ]
  for (const base of bases) {
    const against = found.get(base)
    if (against === undefined) continue
    parts.push(
      tableOf([
        [`ratio to ${base}`, ...names],
        ...rows.map(({ figure, title }) => [
          title,
          ...names.map((name) => shown(ratio(found.get(name)?.[figure], against[figure]), 2)),
        ]),
      ]),
    )
  }
  return parts.join('\n\n')
}

const ratio = (value: number | null | undefined, base: number | null): number | null =>
  value === null || value === undefined || base === null || base === 0 ? null : value / base

const percent = (part: number): string => `${(part * 100).toFixed(0)} %`

/** What makes the figures doubtful. */
export function doubts(rounds: Rounds): readonly string[] {
  return [...rounds].flatMap(([name, figures]) => {
    const errors = figures.reduce((sum, each) => sum + each.errors, 0)
    const reads = median(figures.map((each) => each.readsPerChunk ?? 1)) ?? 1
    const others = Math.max(...figures.map((each) => each.othersShare ?? 0))
    return [
      ...(others > 0.1 ? [`${name}: other programs took ${percent(others)} of its core`] : []),
      ...(errors > 0 ? [`${name}: ${errors} answers failed`] : []),
      ...(reads < 0.9 ? [`${name}: only ${reads.toFixed(2)} reads a chunk: some were lumped`] : []),
    ]
  })
}
