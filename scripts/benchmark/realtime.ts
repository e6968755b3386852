import { join } from 'node:path'
import { addStandIn, audit, command, type Contestant } from './contestants'
import { cpuMicros, freePort, loadLines, start, type Running } from './process'
import { median, tableOf } from './report'
import { socketModel, type SocketOrder, type SocketResult } from './socket'

/** How much is measured. */
interface SocketDose {
  readonly sockets: number
  readonly warmSeconds: number
  readonly seconds: number
  readonly rounds: number
}

/** What one frame costs, of the bare relay and of us, in the same run. */
interface SocketFigures {
  readonly name: string
  /** Server CPU microseconds for each frame that passed, either way; null where it is not told. */
  readonly cpuPerFrame: number | null
  readonly framesPerSecond: number
}

const program = join(import.meta.dir, 'socket.ts')

interface SocketPlace {
  readonly folder: string
  /** What runs the gateway: the executable, or the runtime and the program's source. */
  readonly chapar: readonly string[]
}

/** The bare relay and the gateway in turns, both in front of the same vendor. @throws Error when sockets fail */
export async function compareSockets(
  { folder, chapar }: SocketPlace,
  dose: SocketDose,
  say: (text: string) => void,
): Promise<readonly SocketFigures[]> {
  const vendorPort = freePort()
  const log = (name: string) => join(folder, `${name}.log`)
  const vendor = start([process.execPath, program, 'vendor', String(vendorPort)], {
    core: 'load',
    log: log('socket-vendor'),
  })
  const data = join(folder, 'sockets')
  const key = setUp(chapar, data, vendorPort)
  const all: readonly Contestant[] = [
    {
      name: 'bun relay',
      key: 'none',
      start: (port) =>
        start([process.execPath, program, 'relay', String(port), String(vendorPort)], {
          core: 'server',
          env: { NODE_ENV: 'production' },
          log: log('socket-relay'),
        }),
    },
    {
      name: 'chapar',
      key,
      start: (port) =>
        start([...chapar, 'serve', '--port', String(port), '--data', data], {
          core: 'server',
          env: { CHAPAR_ADDRESS_RPM: '1000000000', CHAPAR_DETECT: '0', CHAPAR_DRAIN: '0' },
          log: log('socket-chapar'),
        }),
    },
  ]
  const found = new Map<string, { cpu: (number | null)[]; rate: number[] }>()
  for (let round = 1; round <= dose.rounds; round++)
    for (const { name, key: own, start: begin } of all) {
      say(`round ${round} of ${dose.rounds}: ${name}, ${dose.sockets} sockets`)
      const port = freePort()
      const server = begin?.(port)
      if (server === undefined) continue
      await listening(port)
      const { cpu, answers, seconds } = await measured(server, { ...dose, port, key: own })
      await server.end()
      const row = found.get(name) ?? { cpu: [], rate: [] }
      found.set(name, row)
      // Each answer is a frame there and a frame back.
      row.cpu.push(cpu === null ? null : cpu / (answers * 2))
      row.rate.push((answers * 2) / seconds)
    }
  await vendor.end()
  say(audit(chapar, data))
  return [...found].map(([name, { cpu, rate }]) => ({
    name,
    cpuPerFrame: median(cpu.filter((each) => each !== null)),
    framesPerSecond: median(rate) ?? 0,
  }))
}

async function measured(
  server: Running,
  order: SocketOrder,
): Promise<SocketResult & { readonly cpu: number | null }> {
  let before: number | null = null
  let after: number | null = null
  let result: SocketResult | null = null
  for await (const line of loadLines(program, order)) {
    if (line === 'begin') before = cpuMicros(server.pid)
    else {
      after = cpuMicros(server.pid)
      result = JSON.parse(line) as SocketResult
    }
  }
  if (result === null || result.answers === 0) throw new Error('no frame came back')
  if (result.errors > 0) throw new Error(`${result.errors} sockets broke`)
  return { ...result, cpu: before === null || after === null ? null : after - before }
}

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 1000; tries++) {
    const response = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null)
    if (response !== null) return
    await Bun.sleep(10)
  }
  throw new Error('nothing listens')
}

/** A customer without limits, and a model that speaks. @returns the key */
function setUp(chapar: readonly string[], data: string, vendorPort: number): string {
  const run = (...args: string[]) =>
    command(chapar, data, args) as { readonly id: number; readonly key: string }
  const generous = '100000000'
  const account = String(run('account', 'create', '--name', 'bench', '--verified').id)
  run('account', 'set', account, '--concurrency', '100000', '--rpm', generous)
  run('topup', account, '1000000')
  const project = String(run('project', 'create', '--account', account, '--name', 'bench').id)
  const { key } = run('key', 'create', '--project', project, '--name', 'bench', '--rpm', generous)
  const address = ['--base-url', `http://127.0.0.1:${vendorPort}/v1`, '--api-key', 'x']
  addStandIn(chapar, data, ['--kind', 'openai', ...address])
  const prices = ['input', 'output', 'input_audio', 'output_audio'].flatMap((meter) => [
    '--price',
    `${meter}_per_million=0.01`,
  ])
  const kind = ['--type', 'chat', '--trait', 'realtime=true', '--route', 'standin:voice']
  run('model', 'add', '--id', socketModel, ...kind, ...prices)
  return key
}

/** The table that people read, with the ratio to the bare relay. */
export function socketReport(figures: readonly SocketFigures[]): string {
  const base = figures[0]
  return tableOf([
    ['relay of sound', 'CPU µs a frame', 'ratio', 'frames/s'],
    ...figures.map(({ name, cpuPerFrame, framesPerSecond }) => [
      name,
      cpuPerFrame?.toFixed(2) ?? '–',
      ratio(cpuPerFrame, base?.cpuPerFrame ?? null),
      framesPerSecond.toFixed(0),
    ]),
  ])
}

const ratio = (one: number | null, other: number | null): string =>
  one === null || other === null || other === 0 ? '–' : (one / other).toFixed(2)
