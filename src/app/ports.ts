import { freePort } from '../cluster/free-port'
import type { Storage } from '../storage/storage'
import type { Config } from './config'
import { refusedPort } from './listening'
import type { RunParts } from './run-parts'
import type { ServerOptions } from './server'
import type { Released } from './succeed'

/** Where a process listens, and whether another one may listen there too. */
interface RunPorts {
  readonly config: Config
  readonly address: ServerOptions
}

/**
 * Ports that a supervisor chose for its nodes, those of the process whose place this one takes, or the configured ones.
 * A process whose place another one may take shares them; so nobody else may have them before.
 * @throws RangeError with the system's code where somebody listens there
 */
export async function portsOfRun(
  parts: RunParts,
  released: Released | null,
  { handover }: Pick<Storage, 'handover'>,
): Promise<RunPorts> {
  const { supervisor = null } = parts
  const chosen = supervisor?.ports ?? released
  if (chosen !== null) return sharedAt(parts, chosen.port, chosen.adminPort)
  if (handover === null) return parts
  const { address, config } = parts
  const { listen } = config.operators
  const port = await found(address, '--port')
  return sharedAt(parts, port, listen === null ? null : await found(listen, '--admin-port'))
}

async function found(at: { readonly host: string; readonly port: number }, option: string) {
  try {
    return await freePort(at.host, at.port)
  } catch (thrown) {
    throw refusedPort(thrown, at, option)
  }
}

function sharedAt({ config, address }: RunPorts, port: number, adminPort: number | null): RunPorts {
  const { operators } = config
  const { listen } = operators
  return {
    address: { ...address, port, isShared: true },
    config:
      listen === null || adminPort === null
        ? config
        : { ...config, operators: { ...operators, listen: { ...listen, port: adminPort } } },
  }
}
