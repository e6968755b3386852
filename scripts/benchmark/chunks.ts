import { join } from 'node:path'
import type { Contestant } from './contestants'
import { firstAnswer } from './measure'
import type { PacedOrder, PacedResult } from './paced'
import { cpuNanos, freePort, loadLines, start, type Running } from './process'
import { median, tableOf } from './report'

/** How much is measured. */
export interface ChunkDose {
  readonly paces: readonly number[]
  readonly streams: readonly number[]
  /** Of all contestants at once: they are compiled further for about a minute. */
  readonly warmSeconds: number
  /** After streams began and before their window. */
  readonly settleSeconds: number
  readonly seconds: number
  readonly rounds: number
}

/** One window of one contestant. */
interface Window extends PacedResult {
  readonly cpuPerChunk: number | null
}

/** CPU of a chunk at one pace and number of streams, window by window. */
interface ChunkFigures {
  readonly pace: number
  readonly streams: number
  readonly name: string
  readonly windows: readonly Window[]
}

const program = join(import.meta.dir, 'paced.ts')

export function startPacedVendor(folder: string): number {
  const port = freePort()
  start([process.execPath, program, 'vendor', String(port)], {
    core: 'load',
    log: join(folder, 'paced-vendor.log'),
  })
  return port
}

interface Warm {
  readonly contestant: Contestant
  readonly port: number
  readonly server: Running
}

/**
 * Alternates windows between servers that are all warm: what the machine does beside them changes
 * from second to second, so only ratios of neighbouring windows mean anything.
 */
export async function compareChunks(
  contestants: readonly Contestant[],
  dose: ChunkDose,
  say: (text: string) => void,
): Promise<readonly ChunkFigures[]> {
  const all = await started(contestants)
  say(`warming ${all.length} servers for ${dose.warmSeconds} s`)
  await Promise.all(all.map((each) => warm(each, dose)))
  const found: (ChunkFigures & { readonly windows: Window[] })[] = []
  for (const pace of dose.paces)
    for (const streams of dose.streams) {
      const rows = all.map(({ contestant: { name } }) => {
        const windows: Window[] = []
        return { pace, streams, name, windows }
      })
      found.push(...rows)
      for (let round = 0; round < dose.rounds; round++) {
        for (const [at, one] of all.entries())
          rows[at]?.windows.push(await measured(one, { ...dose, pace, streams }))
        const costs = rows.map(
          ({ name, windows }) => `${name} ${shown(windows.at(-1)?.cpuPerChunk ?? null)}`,
        )
        say(
          `${streams} streams of ${pace}/s, ${round + 1} of ${dose.rounds}: ${costs.join(', ')} µs`,
        )
      }
    }
  for (const { server } of all) await server.end()
  return found
}

async function started(contestants: readonly Contestant[]): Promise<readonly Warm[]> {
  const all: Warm[] = []
  for (const contestant of contestants) {
    const port = freePort()
    const server = contestant.start?.(port)
    if (server === undefined) continue
    await firstAnswer(port, contestant.key)
    all.push({ contestant, port, server })
  }
  return all
}

const warmStreams = 32

/** At the pace of a real model, then of a fast one: both ways through the program. */
async function warm(one: Warm, { warmSeconds }: ChunkDose): Promise<void> {
  const order = { streams: warmStreams, settleSeconds: 0 }
  await measured(one, { ...order, pace: 50, seconds: warmSeconds * 0.8 })
  await measured(one, { ...order, pace: 200, seconds: warmSeconds * 0.2 })
}

async function measured(
  { contestant, port, server }: Warm,
  dose: Omit<PacedOrder, 'port' | 'key'>,
): Promise<Window> {
  const { streams, pace, settleSeconds, seconds } = dose
  const order: PacedOrder = { port, key: contestant.key, streams, pace, settleSeconds, seconds }
  let before: number | null = null
  let after: number | null = null
  let result: PacedResult | null = null
  for await (const line of loadLines(program, order)) {
    if (line === 'begin') before = cpuNanos(server.pid)
    else {
      after = cpuNanos(server.pid)
      result = JSON.parse(line) as PacedResult
    }
  }
  if (result === null || result.chunks === 0) throw new Error(`${contestant.name}: no chunk came`)
  if (result.errors > 0)
    throw new Error(`${contestant.name}: ${result.errors} answers failed or broke`)
  const cpu = before === null || after === null ? null : (after - before) / 1000 / result.chunks
  return { ...result, cpuPerChunk: cpu }
}

/** The table that people read. @param base what the ratios are to */
export function chunkReport(figures: readonly ChunkFigures[], base: string): string {
  const rows = figures.map(({ pace, streams, name, windows }) => {
    const against = figures.find(
      (each) => each.pace === pace && each.streams === streams && each.name === base,
    )
    const ratios = windows.map((window, at) => ratio(window, against?.windows[at]))
    const of = (figure: (window: Window) => number | null) =>
      median(windows.map(figure).filter((each) => each !== null))
    return [
      `${streams} streams of ${pace}/s: ${name}`,
      shown(of((each) => each.cpuPerChunk)),
      shown(median(ratios.filter((each) => each !== null))),
      ratios.map((each) => shown(each)).join(' '),
      shown(of((each) => each.p50Ms)),
      shown(of((each) => each.p99Ms)),
      shown(of((each) => each.chunks / each.reads)),
      shown(
        of((each) => each.chunks / each.seconds / streams),
        0,
      ),
    ]
  })
  const heading = ['CPU µs a chunk', `ratio to ${base}`, 'of each round', 'p50 ms', 'p99 ms']
  return tableOf([['median', ...heading, 'chunks a read', 'real pace'], ...rows])
}

const ratio = (one: Window, other: Window | undefined): number | null =>
  one.cpuPerChunk === null || !other?.cpuPerChunk ? null : one.cpuPerChunk / other.cpuPerChunk

const shown = (value: number | null, digits = 2): string =>
  value === null ? '–' : value.toFixed(digits)
