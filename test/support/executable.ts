import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paced } from './pace'

/** The program as a user has it; from source when none is named. */
const program: readonly string[] = process.env['CHAPAR_EXECUTABLE']
  ? [process.env['CHAPAR_EXECUTABLE']]
  : [process.execPath, join(import.meta.dir, '../../src/main.ts')]

const environment = (extra: Readonly<Record<string, string>> = {}) => ({
  PATH: process.env['PATH'] ?? '',
  // A machine that other tests keep busy is no reason to refuse calls.
  CHAPAR_OVERLOAD_LAG: '0',
  HOME: process.env['HOME'] ?? '',
  XDG_STATE_HOME: process.env['XDG_STATE_HOME'] ?? '',
  CHAPAR_COMMAND: 'chapar',
  CHAPAR_DETECT: '0',
  CHAPAR_SANDBOX: 'on',
  CHAPAR_LOG: 'warn',
  ...extra,
})

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'chapar-test-'))

interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** Standard output as JSON. */
  json<T>(): T
}

/** Runs one command to its end, in an empty folder. */
export async function run(
  args: readonly string[],
  options: {
    data?: string
    env?: Record<string, string>
    cwd?: string
    stdin?: string
    command?: readonly string[]
  } = {},
): Promise<CommandResult> {
  const env = environment({
    ...(options.data ? { CHAPAR_DATA: options.data } : {}),
    ...options.env,
  })
  const child = Bun.spawn([...(options.command ?? program), ...args], {
    env,
    cwd: options.cwd ?? tmpdir(),
    stdin: options.stdin === undefined ? 'ignore' : new TextEncoder().encode(options.stdin),
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, stdout, stderr, json: <T>() => JSON.parse(stdout) as T }
}

/** A program that was begun. */
export interface Begun {
  readonly pid: number
  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGHUP' | 'SIGUSR2'): void
  /** What it said so far, on both outputs. */
  logs(): string
  /** Exit code, once it has ended. */
  readonly exited: Promise<number>
}

/** Puts the program at a path of its own, where it can be replaced. @returns the words that run it */
export function programAt(path: string): readonly string[] {
  const [first = '', main] = program
  if (main === undefined) copyFileSync(first, path)
  else writeFileSync(path, `await import(${JSON.stringify(main)})\n`)
  return main === undefined ? [path] : [first, path]
}

/** Begins the program, and waits for nothing. */
export function begin(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  command = program,
): Begun {
  const child = Bun.spawn([...command, ...args], {
    env: environment(env),
    cwd: tmpdir(),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const heard = listenTo(child)
  return {
    pid: child.pid,
    kill: (signal) => child.kill(signal),
    logs: heard.logs,
    exited: heard.ended.then(() => child.exited),
  }
}

type Bytes = ReadableStream<Uint8Array<ArrayBuffer>>

/** Both outputs of a program, as they come. */
function listenTo(child: { readonly stdout: Bytes; readonly stderr: Bytes }) {
  let said = ''
  const listen = async (stream: Bytes) => {
    const decoder = new TextDecoder()
    for await (const bytes of stream) said += decoder.decode(bytes, { stream: true })
  }
  return { logs: () => said, ended: Promise.all([listen(child.stdout), listen(child.stderr)]) }
}

export interface Serving {
  /** With the version. */
  readonly url: string
  readonly key: string | null
  /** Where its metrics are, when they have an address of their own. */
  readonly metricsUrl: string | null
  readonly pid: number
  /** The process that was started, where that began the one that serves. */
  readonly started: number
  readonly readyMs: number
  kill(signal: 'SIGKILL' | 'SIGTERM' | 'SIGHUP'): void
  /** What it said so far, on both outputs. */
  logs(): string
  /** Exit code, once it has ended. */
  readonly exited: Promise<number>
}

const maxStartMs = paced(20_000)

/**
 * Starts `serve` and waits for its ready file.
 * @param before a command that runs the program
 * @throws Error with what it said when it does not become ready
 */
export async function serve(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  before: readonly string[] = [],
  command = program,
): Promise<Serving> {
  const folder = temporaryFolder()
  const file = join(folder, 'ready.env')
  const began = performance.now()
  const words = [...before, ...command, 'serve', '--port', '0', '--ready-file', file, ...args]
  const child = Bun.spawn(words, {
    env: environment(env),
    cwd: folder,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const { logs, ended: heard } = listenTo(child)
  try {
    while (!existsSync(file)) {
      if (child.exitCode === null && performance.now() - began < maxStartMs) {
        await Bun.sleep(5)
        continue
      }
      child.kill('SIGKILL')
      await heard
      throw new Error(`serve is not ready, but said: ${logs()}`)
    }
    const readyMs = performance.now() - began
    const lines = new Map(
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )
    return {
      url: lines.get('OPENAI_BASE_URL') ?? '',
      key: lines.get('OPENAI_API_KEY') ?? null,
      metricsUrl: lines.get('CHAPAR_METRICS_URL') ?? null,
      pid: Number(lines.get('CHAPAR_PID')),
      started: child.pid,
      readyMs,
      kill: (signal) => child.kill(signal),
      exited: heard.then(() => child.exited),
      logs,
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** An account with money, a model of a vendor at `vendorUrl`, and a key. @returns the key */
export async function setUp(data: string, vendorUrl: string, usd = '100'): Promise<string> {
  const json = async (...args: string[]) => {
    const result = await run([...args, '--json'], { data })
    if (result.code !== 0) throw new Error(result.stdout + result.stderr)
    return result.json<{ id: number; key: string }>()
  }
  const generous = ['--verified', '--concurrency', '10000', '--rpm', '10000000']
  const { id } = await json('account', 'create', '--name', 'test', ...generous)
  await json('topup', String(id), usd)
  const project = await json('project', 'create', '--account', String(id), '--name', 'test')
  await json(
    'vendor',
    'add',
    '--name',
    'standin',
    '--kind',
    'openai',
    '--base-url',
    vendorUrl,
    '--api-key',
    'x',
    '--no-test',
  )
  const prices = ['--price', 'input_per_million=1.5', '--price', 'output_per_million=6']
  await json(
    'model',
    'add',
    '--id',
    'priced',
    '--type',
    'chat',
    '--route',
    'standin:vendor-model',
    ...prices,
  )
  return (
    await json(
      'key',
      'create',
      '--project',
      String(project.id),
      '--name',
      'test',
      '--rpm',
      '1000000',
    )
  ).key
}
