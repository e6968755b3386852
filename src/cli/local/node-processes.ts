import { availableParallelism } from 'node:os'
import {
  openSupervisorLink,
  parentChannel,
  type SharedPorts,
  type SupervisorLink,
} from '../../server/process/node-process'
import type { NodesPlan } from '../../server/process/supervisor'
import { runWithInput } from '../../gateway/outbound/run-program'

/** Set by a supervisor for its own program: the ports that its nodes share. */
const nodeVariable = 'CHAPAR_NODE_PROCESS'

/** Whether a supervisor began this process as one of its nodes. */
export const isNodeProcess = (): boolean => Boolean(process.env[nodeVariable])

/** Link to the supervisor that began this process; null where none did. */
export function supervisorLink(): SupervisorLink | null {
  const text = process.env[nodeVariable]
  if (!text || process.send === undefined) return null
  return openSupervisorLink(parentChannel(), JSON.parse(text) as SharedPorts)
}

/** Same program, same arguments. */
export const ownProgram = (): readonly string[] => [
  process.execPath,
  ...(Bun.isStandaloneExecutable ? process.argv.slice(2) : process.argv.slice(1)),
]

/** @param count nodes that serve */
export const nodesPlan = (count: number): NodesPlan => ({
  count,
  command: ownProgram(),
  environment: (ports) => ({ ...process.env, [nodeVariable]: JSON.stringify(ports) }),
  faultOfNext,
})

const ownEnvironment = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
  )

/** To print its version a program needs a part of a second. */
const maxTrialMs = 10_000

/** Has the program on the disk print its version. @returns why it cannot; null where it can */
export async function faultOfNext(): Promise<string | null> {
  const own = Bun.isStandaloneExecutable ? 1 : 2
  try {
    const code = await runWithInput(
      {
        command: [...ownProgram().slice(0, own), '--version'],
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

interface ServedFrom {
  /** Null: everything in memory. */
  readonly folder: string | null
  /** Whether the data is in a database that processes share. */
  readonly isShared: boolean
}

/**
 * Number of node processes to run.
 * @param wanted as configured; 0 for as many as there are cores, where several can serve
 * @throws RangeError where several were asked for and cannot serve, with what helps
 */
export function processCount(wanted: number, from: ServedFrom): number {
  const why = whyOne(from)
  if (wanted === 0) return why === null ? availableParallelism() : 1
  if (wanted > 1 && why !== null) throw new RangeError(why)
  return wanted
}

/** Why one process alone can serve; null where several can. */
function whyOne({ folder, isShared }: ServedFrom): string | null {
  if (folder === null)
    return '--ephemeral keeps everything in the memory of one process: leave --processes out'
  if (process.platform !== 'linux')
    return 'only Linux spreads the connections of one port over processes: serve with one process here, or start several gateways on ports of their own'
  if (!isShared)
    return `several processes share a PostgreSQL database: move this folder there with chapar migrate --data ${folder} --to postgres://USER@HOST/NAME, then serve with --database and --processes`
  return null
}
