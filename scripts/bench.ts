/** Measures the gateway beside what it could at best be; see --help. */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import {
  audit,
  chapar,
  direct,
  nginx,
  passthrough,
  serving,
  setUp,
  type Contestant,
} from './benchmark/contestants'
import { chunkReport, compareChunks, startPacedVendor, type ChunkDose } from './benchmark/chunks'
import { fill, type Past } from './benchmark/history'
import { compareLatency, latencyReport } from './benchmark/latency'
import { firstAnswer, measure, type Dose, type Figures } from './benchmark/measure'
import { listReport, measureLists } from './benchmark/lists'
import { cpuMicros, endAll, freePort, load, measurable, pinned, start } from './benchmark/process'
import { compareSockets, socketReport } from './benchmark/realtime'
import { doubts, median, medians, report, tableOf } from './benchmark/report'
import { compareTurns, turnReport } from './benchmark/turns'

const help = `Measures Chapar beside nginx and a bare passthrough, on this machine, over loopback.

  ./scripts/bench                        everything, about four minutes
  ./scripts/bench --quick                one short round
  ./scripts/bench --against DIR          also another checkout's (or file's) executable
  ./scripts/bench --only chapar,nginx    only these of direct, nginx, piped, buffered, chapar, against
  ./scripts/bench --history              an empty database against one with a past
                  [--calls 1000000] [--keys 100000]
  ./scripts/bench --lists                first pages of operators over a year of calls, and who waits beside them
                  [--calls 10000000] [--accounts 100000]; gigabytes in the folder for temporary files
  ./scripts/bench --chunks               a chunk at 50, 100 and 500 a second, 64 and 256 streams, all warm
                  [--paces 50,100,500] [--streams 64,256]
  ./scripts/bench --realtime             frames of 1,000 sockets against a bare relay of the same runtime
  ./scripts/bench --latency              waits of 32 and 256 connections, at full speed and at 70 % of it
  --turns                                the longest turn of the event loop beside large calls
                  [--only WORD]
  --rounds N   --json   --executable FILE

The server has one core, load generator and vendor another. Contestants take turns, round after
round; the tables show medians. A stream chunk is one write of the vendor, 2 ms after the last.
`

const { values: asked } = parseArgs({
  args: process.argv.slice(2),
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    against: { type: 'string' },
    only: { type: 'string' },
    history: { type: 'boolean', default: false },
    lists: { type: 'boolean', default: false },
    accounts: { type: 'string', default: '100000' },
    chunks: { type: 'boolean', default: false },
    paces: { type: 'string' },
    streams: { type: 'string' },
    realtime: { type: 'boolean', default: false },
    latency: { type: 'boolean', default: false },
    turns: { type: 'boolean', default: false },
    sockets: { type: 'string', default: '1000' },
    calls: { type: 'string' },
    keys: { type: 'string', default: '100000' },
    executable: { type: 'string', default: join(import.meta.dir, '../dist/chapar') },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const dose: Dose = asked.quick
  ? { warmSeconds: 0.5, wholeSeconds: 1, warmStreams: 32, streams: 160, openStreams: 1000 }
  : { warmSeconds: 8, wholeSeconds: 4, warmStreams: 640, streams: 960, openStreams: 1000 }
const rounds = Number(asked.rounds ?? (asked.quick ? 1 : 4))
const limitMs = asked.quick ? 40_000 : 300_000

const say = (text: string): void => void process.stderr.write(`${text}\n`)

function executableAt(path: string): string {
  const whole = resolve(path)
  const file =
    existsSync(whole) && statSync(whole).isDirectory() ? join(whole, 'dist/chapar') : whole
  if (!existsSync(file)) throw new Error(`no executable at ${file}: run scripts/build there`)
  return file
}

const folder = mkdtempSync(join(tmpdir(), 'chapar-bench-'))
const tidy = () => {
  endAll()
  rmSync(folder, { recursive: true, force: true })
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    tidy()
    process.exit(1)
  })

function startVendor(): number {
  const port = freePort()
  start([process.execPath, join(import.meta.dir, 'benchmark/vendor.ts'), String(port)], {
    core: 'load',
    log: join(folder, 'vendor.log'),
  })
  return port
}

function contestants(vendorPort: number): readonly Contestant[] {
  const place = { folder, vendorPort }
  const makers: readonly (readonly [string, () => Contestant | null])[] = [
    ['direct', () => direct],
    ['nginx', () => nginx(place)],
    ['piped', () => passthrough('piped', place)],
    ['buffered', () => passthrough('buffered', place)],
    ['chapar', () => chapar('chapar', executableAt(asked.executable), place)],
    [
      'against',
      () =>
        asked.against === undefined ? null : chapar('against', executableAt(asked.against), place),
    ],
  ]
  const only = asked.only?.split(',')
  const names = makers.map(([name]) => name)
  const unknown = only?.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new Error(`no contestant is called ${unknown}: ${[...new Set(names)].join(', ')}`)
  return makers.flatMap(([name, make]) => {
    if (only !== undefined && !only.includes(name)) return []
    const made = make()
    if (made === null && name === 'nginx') say('nginx is not installed: left out')
    return made === null ? [] : [made]
  })
}

async function compare(): Promise<void> {
  const began = performance.now()
  const vendorPort = startVendor()
  const all = contestants(vendorPort)
  await firstAnswer(vendorPort, 'none')
  const found = new Map<string, Figures[]>(all.map(({ name }) => [name, []]))
  let longestMs = 0
  for (let round = 1; round <= rounds; round++) {
    const roundBegan = performance.now()
    if (round > 1 && roundBegan - began + longestMs > limitMs) {
      say(`no time for more than ${round - 1} rounds`)
      break
    }
    for (const each of all) {
      say(`round ${round} of ${rounds}: ${each.name}`)
      found.get(each.name)?.push(await measure(each, vendorPort, dose))
    }
    longestMs = Math.max(longestMs, performance.now() - roundBegan)
  }
  const audits = all.flatMap(({ name, check }) => (check ? [`${name}: ${check()}`] : []))
  if (asked.json) {
    const figures = Object.fromEntries(medians(found))
    return console.log(JSON.stringify({ pinned, rounds, median: figures, doubts: doubts(found) }))
  }
  const bases = ['bun piped', 'bun buffered', 'nginx', 'against']
  console.log(`\n${report(found, bases)}\n`)
  for (const line of [...audits, ...doubts(found), ...conditions()]) console.log(line)
  console.log(`${((performance.now() - began) / 1000).toFixed(0)} s`)
}

const conditions = (): readonly string[] => [
  ...(pinned ? [] : ['server and load share cores (no taskset): ratios are rough']),
  ...(measurable ? [] : ['this system does not tell CPU time and memory of a process']),
]

const keysPerAccount = 100

/** One database without a past and one with, in turns. */
async function compareHistory(): Promise<void> {
  const keys = Number(asked.keys)
  const past = {
    keys,
    accounts: Math.ceil(keys / keysPerAccount),
    calls: Number(asked.calls ?? 1_000_000),
  }
  const spread = Math.min(1000, keys)
  // As many customers call as in the other one, which is the same work: only the past differs.
  const callers = Math.min(spread, past.accounts)
  const executable = executableAt(asked.executable)
  const vendorPort = startVendor()
  const setUpDatabase = async ({ name, ...made }: Past & { readonly name: string }) => {
    const data = join(folder, name.replaceAll(' ', '-'))
    const began = performance.now()
    const one = setUp(executable, data, vendorPort)
    const many = await fill(data, made, spread)
    // What the filling wrote must not go to the disk while the calls are measured.
    Bun.spawnSync(['sync'])
    const seconds = ((performance.now() - began) / 1000).toFixed(0)
    say(`${name}: ${made.keys} keys, ${made.calls} calls, made in ${seconds} s`)
    const ways: Record<string, readonly string[]> = { 'one key': [one], [`${spread} keys`]: many }
    return { name, data, ways }
  }
  const databases = [
    await setUpDatabase({ name: 'empty', keys: spread, accounts: callers, calls: 0 }),
    await setUpDatabase({ name: 'with a past', ...past }),
  ]
  const found = new Map<string, { rate: number[]; cpu: number[]; p99: number[]; start: number[] }>()
  for (let round = 1; round <= rounds; round++)
    for (const { name, data, ways } of databases) {
      const port = freePort()
      const began = performance.now()
      const server = serving(executable, data)(port)
      await firstAnswer(port, ways['one key']?.[0] ?? '')
      const startMs = performance.now() - began
      for (const [way, keys] of Object.entries(ways)) {
        say(`round ${round} of ${rounds}: ${name}, ${way}`)
        const order = { asked: 'whole', port, keys, connections: 32 } as const
        await load({ ...order, seconds: dose.warmSeconds })
        const before = cpuMicros(server.pid) ?? 0
        const { answers, seconds, p99Ms, errors } = await load({
          ...order,
          seconds: dose.wholeSeconds,
        })
        if (errors > 0) throw new Error(`${errors} calls failed`)
        const title = `${name}, ${way}`
        const row = found.get(title) ?? { rate: [], cpu: [], p99: [], start: [] }
        found.set(title, row)
        row.rate.push(answers / seconds)
        row.cpu.push(((cpuMicros(server.pid) ?? 0) - before) / answers)
        row.p99.push(p99Ms)
        row.start.push(startMs)
      }
      await server.end()
    }
  const rateOf = (title: string) => median(found.get(title)?.rate ?? []) ?? 0
  const lines = [...found].map(([title, { rate, cpu, p99, start: begun }]) => [
    title,
    (median(rate) ?? 0).toFixed(0),
    (rateOf(title) / rateOf(title.replace(/^[^,]+/, 'empty'))).toFixed(2),
    (median(cpu) ?? 0).toFixed(1),
    (median(p99) ?? 0).toFixed(2),
    (median(begun) ?? 0).toFixed(0),
  ])
  const heading = ['database', 'calls/s', 'ratio', 'CPU µs a call', 'p99 ms', 'first answer ms']
  console.log(`\n${tableOf([heading, ...lines])}\n`)
  for (const { name, data } of databases) console.log(`${name}: ${audit(executable, data)}`)
  for (const line of conditions()) console.log(line)
}

const listOf = (text: string): readonly number[] => text.split(',').map(Number)

/** Windows of warm servers in turns: what a chunk costs at the speed of real models. */
async function compareChunkPaces(): Promise<void> {
  const began = performance.now()
  const chunkDose: ChunkDose = {
    paces: listOf(asked.paces ?? (asked.quick ? '50,500' : '50,100,500')),
    streams: listOf(asked.streams ?? (asked.quick ? '64' : '64,256')),
    rounds,
    ...(asked.quick
      ? { warmSeconds: 5, settleSeconds: 0.5, seconds: 1 }
      : { warmSeconds: 60, settleSeconds: 1, seconds: 4 }),
  }
  const vendorPort = startPacedVendor(folder)
  const all = contestants(vendorPort).filter(({ name }) => name !== 'bun buffered')
  const figures = await compareChunks(all, chunkDose, say)
  if (asked.json) return console.log(JSON.stringify({ pinned, ...chunkDose, figures }))
  console.log(`\n${chunkReport(figures, 'bun piped')}\n`)
  const audits = all.flatMap(({ name, check }) => (check ? [`${name}: ${check()}`] : []))
  for (const line of [...audits, ...conditions()]) console.log(line)
  console.log(`${((performance.now() - began) / 1000).toFixed(0)} s`)
}

/** Both relay the sound of many sockets. */
async function compareRealtime(): Promise<void> {
  const sockets = Number(asked.sockets)
  const seconds = asked.quick ? 2 : 5
  const figures = await compareSockets(
    { folder, chapar: [executableAt(asked.executable)] },
    { sockets, warmSeconds: seconds, seconds, rounds },
    say,
  )
  if (asked.json) return console.log(JSON.stringify({ pinned, rounds, sockets, figures }))
  console.log(`\n${socketReport(figures)}\n`)
  for (const line of conditions()) console.log(line)
}

/** How long calls wait, in turns. */
async function compareWaits(): Promise<void> {
  const vendorPort = startVendor()
  const all = contestants(vendorPort)
  await firstAnswer(vendorPort, 'none')
  const seconds = asked.quick ? 1 : 5
  const found = await compareLatency(all, { rounds, warmSeconds: seconds, seconds }, say)
  if (asked.json) return console.log(JSON.stringify({ pinned, rounds, found: [...found] }))
  console.log(`\n${latencyReport(found)}\n`)
  for (const { name, check } of all) if (check) console.log(`${name}: ${check()}`)
  for (const line of conditions()) console.log(line)
}

/** First pages of a large service, and calls beside whoever reads them. */
async function measureLargeLists(): Promise<void> {
  const service = {
    accounts: Number(asked.accounts),
    calls: Number(asked.calls ?? 10_000_000),
  }
  const figures = await measureLists(
    {
      executable: executableAt(asked.executable),
      folder,
      vendorPort: startVendor(),
      service,
      rounds: asked.quick ? 1 : rounds,
      seconds: asked.quick ? 2 : 5,
    },
    say,
  )
  if (asked.json)
    return console.log(JSON.stringify({ pinned, service, ...figures, pages: [...figures.pages] }))
  console.log(`\n${listReport(figures)}\n`)
  for (const line of conditions()) console.log(line)
}

/** One large call after the other, and who waits beside it. */
async function measureTurns(): Promise<void> {
  const executable = executableAt(asked.executable)
  const only = asked.only ?? ''
  const figures = await compareTurns(
    { folder, executable, only },
    Number(asked.rounds ?? (asked.quick ? 1 : 5)),
    say,
  )
  if (asked.json) return console.log(JSON.stringify({ pinned, figures }))
  console.log(`\n${turnReport(figures)}\n`)
  for (const line of conditions()) console.log(line)
}

try {
  if (asked.help) console.log(help)
  else if (asked.latency) await compareWaits()
  else if (asked.lists) await measureLargeLists()
  else if (asked.chunks) await compareChunkPaces()
  else if (asked.turns) await measureTurns()
  else await (asked.realtime ? compareRealtime() : asked.history ? compareHistory() : compare())
} finally {
  tidy()
}
process.exit()
