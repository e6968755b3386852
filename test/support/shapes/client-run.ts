import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ShapeCall } from './shape'

/** What one client made of one stream. */
export interface ClientRun {
  readonly client: string
  readonly model: string
  readonly text: string
  readonly calls: readonly ShapeCall[]
  readonly cites: readonly string[]
  /** What it threw or told as an error; null for nothing. */
  readonly error: {
    /** Of the HTTP answer; null where the error came in the stream, or is the client's own. */
    readonly status: number | null
    readonly code: string | null
    readonly message: string
  } | null
}

/** What clients are to ask. */
export interface ClientJob {
  readonly url: string
  readonly key: string
  readonly models: readonly string[]
  /** Names of tools that are offered with every question. */
  readonly tools: readonly string[]
}

const tools = join(import.meta.dir, '../../tools')
const aiSdk = join(tools, 'node_modules/ai')
const python = join(tools, '.venv/bin/python')

/** Whether `scripts/test` has brought the packages: it does for the whole suite and for `clients`. */
export const hasAiSdk = (): boolean => existsSync(aiSdk)
export const hasPython = (): boolean => existsSync(python)

/** The AI SDK's providers, in a process of their own. */
export const aiSdkRuns = (job: ClientJob): Promise<readonly ClientRun[]> =>
  runsOf([process.execPath, join(tools, 'ai-sdk-clients.mjs')], job)

/** The official Python clients. */
export const pythonRuns = (job: ClientJob): Promise<readonly ClientRun[]> =>
  runsOf([python, join(tools, 'official_clients.py')], job)

async function runsOf(command: readonly string[], job: ClientJob): Promise<readonly ClientRun[]> {
  const child = Bun.spawn([...command], {
    stdin: new Blob([JSON.stringify(job)]),
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: process.env['PATH'] ?? '', AI_SDK_LOG_WARNINGS: 'false' },
  })
  const [out, said, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${said}`)
  return JSON.parse(out) as readonly ClientRun[]
}
