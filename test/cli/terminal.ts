import { spyOn } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { runProgram } from '../../src/cli/program'
import { systemClock } from '../../src/domain/clock'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { temporaryFolder } from '../support/executable'

interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
  /** Standard output as the one JSON object that it is. */
  json<T>(): T
}

export interface Terminal {
  readonly data: string
  /** Makes the data folder, with nothing in it yet. */
  make(): Promise<void>
  /** Everything printed so far, on both streams. */
  readonly printed: readonly string[]
  /** One command in this process, on the terminal's data folder. */
  run(...args: readonly string[]): Promise<Ran>
  /** The same with `--json`. @throws Error when it fails */
  json<T>(...args: readonly string[]): Promise<T>
  close(): void
}

/** A data folder, and a place where commands are typed; whose variables end with it. */
export function openTerminal(): Terminal {
  const folder = temporaryFolder()
  const data = join(folder, 'data')
  const printed: string[] = []
  const kept = { ...process.env }
  Object.assign(process.env, { CHAPAR_DATA: data, CHAPAR_DETECT: '0', CHAPAR_OVERLOAD_LAG: '0' })

  const run = async (...args: readonly string[]): Promise<Ran> => {
    const out: string[] = []
    const err: string[] = []
    const exit = process.exitCode
    process.exitCode = 0
    const spies = [spyOn(process.stdout, 'write'), spyOn(process.stderr, 'write')] as const
    spies[0].mockImplementation((text) => out.push(String(text)) > 0)
    spies[1].mockImplementation((text) => err.push(String(text)) > 0)
    try {
      await runProgram(args)
      const [stdout, stderr] = [out.join(''), err.join('')]
      printed.push(stdout, stderr)
      const code = process.exitCode
      return { code, stdout, stderr, json: <T>() => JSON.parse(stdout) as T }
    } finally {
      for (const spy of spies) spy.mockRestore()
      process.exitCode = exit ?? 0
    }
  }

  return {
    data,
    make: () => openStorage({ folder: data, exclusive: false, clock: systemClock }).close(),
    printed,
    run,
    async json<T>(...args: readonly string[]) {
      const ran = await run(...args, '--json')
      if (ran.code !== 0) throw new Error(ran.stdout + ran.stderr)
      return ran.json<T>()
    },
    close() {
      for (const name of Object.keys(process.env)) if (!(name in kept)) delete process.env[name]
      Object.assign(process.env, kept)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
