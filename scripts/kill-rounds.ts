/** Rounds in which fronts and owners are killed and frozen; see --help. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const help = `Kills and freezes processes of a service under load. After each round every balance is the sum of its
transfers, nothing is overspent, every whole answer is paid, and no call of a process that lives is lost.

  ./scripts/kill-rounds                  1,000 rounds, about half an hour
  --rounds N                             so many rounds
  --minutes M                            no round begins after so long
  --fronts N                             processes that serve (default: 3)
  --executable FILE                      the program (default: dist/chapar)

Of a hundred rounds about sixty kill a front, nine the owner and six replace the program, so that all fronts
are others; the rest freeze one of them for a moment. Each fiftieth freezes a front until its owner ends it.
Linux only.
`

const { values: asked } = parseArgs({
  args: process.argv.slice(2),
  options: {
    rounds: { type: 'string', default: '1000' },
    minutes: { type: 'string' },
    fronts: { type: 'string', default: '3' },
    executable: { type: 'string', default: join(import.meta.dir, '../dist/chapar') },
    help: { type: 'boolean', default: false },
  },
})
const msPerMinute = 60_000

async function main(): Promise<void> {
  if (asked.help) return console.log(help)
  const executable = resolve(asked.executable)
  if (!existsSync(executable)) throw new Error(`no executable at ${executable}: run scripts/build`)
  process.env['CHAPAR_EXECUTABLE'] = executable
  // Reads it as it is loaded.
  const { playRounds } = await import('../test/processes/rounds/rounds')
  const began = performance.now()
  // Rounds that were begun end in order, and count.
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort())
  const report = await playRounds({
    rounds: Number(asked.rounds),
    maxMs: asked.minutes === undefined ? Number.MAX_VALUE : Number(asked.minutes) * msPerMinute,
    fronts: Number(asked.fronts),
    freezesForGood: true,
    signal: stopped.signal,
    say: (text) => void process.stderr.write(`${text}\n`),
  })
  const { rounds, acts, answers, killed, unaccepted } = report
  for (const [act, count] of Object.entries(acts)) console.log(`${act}: ${count}`)
  console.log(`${rounds} rounds, ${((performance.now() - began) / 1000).toFixed(0)} s`)
  console.log(
    `${answers} whole answers, each of them paid; every balance adds up, none is overspent`,
  )
  console.log(`${killed} calls of killed processes; of living ones none was lost`)
  console.log(`${unaccepted} connections reset that no process had accepted`)
}

await main()
process.exit()
