import { join } from 'node:path'
import type { Contestant } from './contestants'
import { firstAnswer } from './measure'
import type { OpenLoopOrder, OpenLoopResult } from './open-loop'
import { cpuMicros, freePort, runLoad, type Running } from './process'
import { median, tableOf } from './report'

interface LatencyDose {
  readonly rounds: number
  readonly warmSeconds: number
  readonly seconds: number
}

/** One contestant with so many connections, in one round. */
interface LatencyFigures {
  readonly callsPerSecond: number
  readonly cpuPerCall: number | null
  /** At full speed: a connection sends as soon as it is answered. */
  readonly full: OpenLoopResult
  /** At 70 % of that, whatever has been answered. */
  readonly steady: OpenLoopResult
}

/** By `name, connections`. */
type LatencyRounds = ReadonlyMap<string, readonly LatencyFigures[]>

const crowds = [32, 256]
const steadyShare = 0.7
const program = join(import.meta.dir, 'open-loop.ts')
const load = (order: OpenLoopOrder): Promise<OpenLoopResult> => runLoad(program, order)

/** How long calls wait at full speed and at 70 % of each contestant's own, in turns. */
export async function compareLatency(
  all: readonly Contestant[],
  dose: LatencyDose,
  say: (text: string) => void,
): Promise<LatencyRounds> {
  const found = new Map<string, LatencyFigures[]>()
  for (let round = 1; round <= dose.rounds; round++)
    for (const contestant of all) {
      if (contestant.start === null) continue
      say(`round ${round} of ${dose.rounds}: ${contestant.name}`)
      const port = freePort()
      const server = contestant.start(port)
      try {
        await firstAnswer(port, contestant.key)
        for (const connections of crowds) {
          const figures = await measure(server, { port, key: contestant.key, connections }, dose)
          const title = `${contestant.name}, ${connections}`
          found.set(title, [...(found.get(title) ?? []), figures])
        }
      } finally {
        await server.end()
      }
    }
  return found
}

async function measure(
  server: Running,
  crowd: Pick<OpenLoopOrder, 'port' | 'key' | 'connections'>,
  { warmSeconds, seconds }: LatencyDose,
): Promise<LatencyFigures> {
  await load({ ...crowd, seconds: warmSeconds, rate: null })
  const before = cpuMicros(server.pid)
  const full = await load({ ...crowd, seconds, rate: null })
  const after = cpuMicros(server.pid)
  const callsPerSecond = full.answers / full.seconds
  const steady = await load({ ...crowd, seconds, rate: callsPerSecond * steadyShare })
  const cpu = before === null || after === null ? null : (after - before) / full.answers
  return { callsPerSecond, cpuPerCall: cpu, full, steady }
}

export function latencyReport(found: LatencyRounds): string {
  const of = (rounds: readonly LatencyFigures[], figure: (one: LatencyFigures) => number | null) =>
    (median(rounds.map(figure).filter((value) => value !== null)) ?? Number.NaN).toFixed(1)
  const waits = (rounds: readonly LatencyFigures[], way: 'full' | 'steady') => [
    of(rounds, (one) => one[way].p50Ms),
    of(rounds, (one) => one[way].p99Ms),
    of(rounds, (one) => one[way].maxMs),
    rounds.map((one) => one[way].p99Ms.toFixed(0)).join(' '),
  ]
  const heading = ['p50', 'p99', 'longest', 'p99 of each']
  return tableOf([
    ['connections', 'calls/s', 'CPU µs', ...heading, ...heading.map((word) => `70 %: ${word}`)],
    ...[...found].map(([title, rounds]) => [
      title,
      of(rounds, (one) => one.callsPerSecond),
      of(rounds, (one) => one.cpuPerCall),
      ...waits(rounds, 'full'),
      ...waits(rounds, 'steady'),
    ]),
  ])
}
