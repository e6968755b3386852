import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { paced } from '../support/pace'

/** Folders for one run of somebody's program: an empty home, and an empty place to work in. */
export interface CleanPlace extends Disposable {
  readonly home: string
  readonly work: string
}

export function cleanPlace(): CleanPlace {
  const root = mkdtempSync(join(tmpdir(), 'chapar-cli-'))
  const home = join(root, 'home')
  const work = join(root, 'work')
  mkdirSync(home)
  mkdirSync(work)
  return {
    home,
    work,
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

export interface CliRun {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const longestMs = paced(60_000)

/** Runs it with these variables and no others; what hangs is ended. */
export async function runCli(
  command: readonly string[],
  { home, work }: CleanPlace,
  env: Readonly<Record<string, string>>,
): Promise<CliRun> {
  const child = Bun.spawn([...command], {
    cwd: work,
    env: { HOME: home, PATH: process.env['PATH'] ?? '', TMPDIR: home, ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), longestMs)
  try {
    const [stdout, stderr, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ])
    return { code, stdout, stderr }
  } finally {
    clearTimeout(timer)
  }
}

/** What a package among the tools of the tests starts. */
export const programOf = (name: 'claude' | 'codex'): string =>
  join(import.meta.dir, '../tools/node_modules/.bin', name)
