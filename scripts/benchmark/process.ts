import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { LoadOrder, LoadResult } from './load'

/** Which core a process runs on: the measured server has one for itself. */
type Core = 'server' | 'load'

const cores: Readonly<Record<Core, string>> = { server: '0', load: '1' }

const taskset = availableParallelism() > 1 ? Bun.which('taskset') : null

/** Whether server and load each have a core of their own. */
export const pinned = taskset !== null

const pin = (core: Core): readonly string[] =>
  taskset === null ? [] : [taskset, '--cpu-list', cores[core]]

const children = new Set<Bun.Subprocess>()

/** Ends everything that was started here. */
export function endAll(): void {
  for (const child of children) child.kill('SIGKILL')
}

export interface Running {
  readonly pid: number
  end(): Promise<void>
}

interface StartOptions {
  readonly core: Core
  readonly env?: Readonly<Record<string, string>>
  /** File for what it says. */
  readonly log: string
}

/** Starts a server in a process of its own. */
export function start(command: readonly string[], options: StartOptions): Running {
  const child = Bun.spawn([...pin(options.core), ...command], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...options.env },
    stdin: 'ignore',
    stdout: Bun.file(options.log),
    stderr: Bun.file(options.log),
  })
  children.add(child)
  return {
    pid: child.pid,
    async end() {
      child.kill('SIGTERM')
      const tooLate = setTimeout(() => child.kill('SIGKILL'), 3000)
      await child.exited
      clearTimeout(tooLate)
      children.delete(child)
    },
  }
}

const loadCommand = (order: LoadOrder): string[] => [
  ...pin('load'),
  process.execPath,
  join(import.meta.dir, 'load.ts'),
  JSON.stringify(order),
]

/** @throws Error when the load generator fails */
export async function load(order: LoadOrder): Promise<LoadResult> {
  return runLoad<LoadResult>(join(import.meta.dir, 'load.ts'), order)
}

/** Runs a load of another kind, which tells one result as JSON. @throws Error when it fails */
export async function runLoad<Result>(program: string, order: object): Promise<Result> {
  const command = [...pin('load'), process.execPath, program, JSON.stringify(order)]
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' })
  children.add(child)
  const text = await new Response(child.stdout).text()
  await child.exited
  children.delete(child)
  return JSON.parse(text) as Result
}

/** Runs a load that tells of itself line by line. */
export async function* loadLines(program: string, order: object): AsyncGenerator<string, void> {
  const command = [...pin('load'), process.execPath, program, 'load', JSON.stringify(order)]
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' })
  children.add(child)
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of child.stdout) {
    text += decoder.decode(bytes, { stream: true })
    const lines = text.split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
  await child.exited
  children.delete(child)
}

/** Does something while streams are open. */
export async function whileOpen<T>(
  order: Omit<LoadOrder, 'asked' | 'answers'>,
  work: (opened: LoadResult) => Promise<T>,
): Promise<T> {
  const child = Bun.spawn(loadCommand({ ...order, asked: 'open', answers: order.connections }), {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  children.add(child)
  const reader = child.stdout.getReader()
  const { value } = await reader.read()
  try {
    return await work(JSON.parse(new TextDecoder().decode(value)) as LoadResult)
  } finally {
    await child.stdin.end()
    await child.exited
    children.delete(child)
  }
}

/** Whether the system tells what a process used. */
export const measurable = existsSync('/proc/self/stat')

const ticksPerSecond = measurable
  ? Number(Bun.spawnSync(['getconf', 'CLK_TCK']).stdout.toString().trim()) || 100
  : 100

/** Processor time so far of a process and those that it began, in microseconds; null where it is not told. */
export function cpuMicros(pid: number): number | null {
  if (!measurable) return null
  const ticks = familyOf(pid).reduce((sum, each) => sum + (statOf(each)?.ticks ?? 0), 0)
  return (ticks / ticksPerSecond) * 1_000_000
}

/** A process, those that it began, and theirs. */
function familyOf(pid: number): readonly number[] {
  const parents = readdirSync('/proc').flatMap((name) => {
    const one = Number(name)
    const parent = Number.isInteger(one) ? statOf(one)?.parent : undefined
    return parent === undefined ? [] : [[one, parent] as const]
  })
  const family = [pid]
  for (const member of family)
    family.push(...parents.flatMap(([one, parent]) => (parent === member ? [one] : [])))
  return family
}

/** Null for a process that has just ended. */
function statOf(pid: number): { readonly parent: number; readonly ticks: number } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name may hold spaces; what follows it begins with the state, field 3.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }
  } catch {
    return null
  }
}

/**
 * Processor time so far of a process and those that it began, summed over their threads, in nanoseconds; null where
 * it is not told. From the scheduler's own sums: ticks of a hundredth of a second are too coarse for windows of
 * seconds.
 */
export function cpuNanos(pid: number): number | null {
  if (!existsSync(`/proc/${pid}/schedstat`)) return null
  return familyOf(pid)
    .flatMap(threadsOf)
    .reduce((sum, thread) => sum + nanosOf(thread), 0)
}

/** None for a process that has just ended. */
function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}`)
  } catch {
    return []
  }
}

/** None for a thread that has just ended. */
function nanosOf(thread: string): number {
  try {
    return Number(readFileSync(`${thread}/schedstat`, 'utf8').split(' ')[0])
  } catch {
    return 0
  }
}

/** Time that the server's core worked for any process, in microseconds; null where it is not told. */
export function serverCoreMicros(): number | null {
  if (!pinned || !existsSync('/proc/stat')) return null
  const line = new RegExp(`^cpu${cores.server} (\\d+) (\\d+) (\\d+)`, 'm').exec(
    readFileSync('/proc/stat', 'utf8'),
  )
  if (line === null) return null
  const ticks = line.slice(1).reduce((sum, each) => sum + Number(each), 0)
  return (ticks / ticksPerSecond) * 1_000_000
}

/**
 * Resident memory of a process and those that it began, in megabytes; null where it is not told. Pages that
 * several of them share count for each.
 */
export function residentMb(pid: number): number | null {
  if (!measurable) return null
  const kb = familyOf(pid).map((each) => {
    const status = readFileSync(`/proc/${each}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0)
  })
  return kb.reduce((sum, each) => sum + each, 0) / 1024
}

export function freePort(): number {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } })
  const { port } = server
  server.stop(true)
  return port
}
