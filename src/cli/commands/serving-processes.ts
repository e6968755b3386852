import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { dirname, resolve } from 'node:path'
import type { FrontsPlan } from '../../app/owner-run'
import type { FrontPorts } from '../../app/run'
import type { Log } from '../../observability/log'
import { runWithInput } from '../../outbound/run-program'

/** Where a front finds its owner: set by the owner, for its own program. */
const ownerVariable = 'CHAPAR_FRONT_OF'
/** Ports that fronts listen at while their owner is replaced. */
const portsVariable = 'CHAPAR_KEPT_PORTS'

/** Owner of a process that is to be a front; null in all others. */
export function frontOf(): { readonly socket: string; readonly dataFolder: string } | null {
  const socket = process.env[ownerVariable]
  if (!socket) return null
  return { socket, dataFolder: dirname(dirname(socket)) }
}

/** It may be gone by the time that it matters. */
const startedIn = process.cwd()

/** Same program, same arguments. */
const program = (): readonly string[] => [
  process.execPath,
  ...(Bun.isStandaloneExecutable ? process.argv.slice(2) : process.argv.slice(1)),
]

export const frontsPlan = (count: number): FrontsPlan => ({
  count,
  command: program(),
  environment: (socket) => ({ ...process.env, [ownerVariable]: resolve(socket) }),
  keptPorts: keptPorts(),
  faultOfNext,
})

const ownEnvironment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  )

/** To tell its version a program needs a part of a second. */
const maxTrialMs = 10_000

/** Has the program as it lies on the disk tell its version. @returns why it cannot; null where it can */
async function faultOfNext(): Promise<string | null> {
  const own = Bun.isStandaloneExecutable ? 1 : 2
  try {
    const code = await runWithInput(
      {
        command: [...program().slice(0, own), '--version'],
        environment: ownEnvironment(),
        timeoutMs: maxTrialMs,
      },
      '',
    )
    return code === 0 ? null : `exit code ${code}`
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
}

function keptPorts(): FrontPorts | null {
  const text = process.env[portsVariable]
  if (!text) return null
  const [port = 0, adminPort = 0] = text.split(' ').map(Number)
  return { port, adminPort: adminPort || null }
}

/**
 * Number of processes that can serve here.
 * @param wanted 0 for one less than there are cores, where one process looks after what is done once
 */
export function processCount(wanted: number, folder: string | null, log: Log): number {
  const count = wanted === 0 ? Math.max(1, availableParallelism() - 1) : wanted
  const why =
    folder === null
      ? 'what is kept in memory is of one process'
      : process.platform === 'linux'
        ? null
        : 'only Linux spreads the connections of one port over processes'
  if (count === 1 || why === null) return count
  log.warn('one process', { wanted: count, why })
  return 1
}

/** Begins this program anew, as it lies on the disk by now: same process, same arguments, same ports. */
export function becomeNewProgram({ port, adminPort }: FrontPorts): never {
  if (process.execve === undefined) throw new Error('this system replaces no program')
  const [path = process.execPath, ...args] = program()
  const kept = { [portsVariable]: `${port} ${adminPort ?? ''}` }
  if (!existsSync(startedIn)) process.chdir('/')
  return process.execve(path, [path, ...args], { ...ownEnvironment(), ...kept })
}
