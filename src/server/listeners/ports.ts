import { freePort } from '../cluster/free-port'
import type { SharedPorts } from '../cluster/node-messages'
import type { Storage } from '../../business/data/storage'
import type { Config } from '../config'
import { refusedPort } from './listening'
import type { ChosenPorts } from '../process/run-contract'
import type { RunParts } from '../process/run-parts'
import type { ServerOptions } from './server-contract'

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
  released: ChosenPorts | null,
  { handover }: Pick<Storage, 'handover'>,
): Promise<RunPorts> {
  const { supervisor = null, config, address } = parts
  const chosen = supervisor?.ports ?? released
  if (chosen !== null) return sharedAt(parts, chosen)
  if (handover === null) return parts
  const { listen } = config.operators
  const metrics = config.metrics?.listen ?? null
  return sharedAt(parts, {
    port: await free(address, '--port'),
    adminPort: listen === null ? null : await free(listen, '--admin-port'),
    metricsPort: metrics === null ? null : await free(metrics, '--metrics-port'),
  })
}

/** @param until when it is tried no more, by `performance.now` */
async function free(
  { host, port }: { readonly host: string; readonly port: number },
  option: string,
  until = 0,
): Promise<number> {
  for (;;)
    try {
      return await freePort(host, port)
    } catch (thrown) {
      if (performance.now() > until) throw refusedPort(thrown, { host, port }, option)
      await Bun.sleep(portPollMs)
    }
}

function sharedAt(
  { config, address }: RunPorts,
  { port, adminPort, metricsPort = null }: ChosenPorts,
): RunPorts {
  const { operators, metrics } = config
  const { listen } = operators
  const isShared = true
  return {
    address: { ...address, port, isShared },
    config: {
      ...config,
      operators:
        listen === null || adminPort === null
          ? operators
          : { ...operators, listen: { ...listen, port: adminPort } },
      metrics:
        metrics === null || metrics.listen === null || metricsPort === null
          ? metrics
          : { ...metrics, listen: { ...metrics.listen, port: metricsPort, isShared } },
    },
  }
}

/** A predecessor's nodes stop listening as soon as they notice that it is gone. */
const portWaitMs = 3000
const portPollMs = 50

/** Ports that nodes of one machine are to share. @throws RangeError with the system's code where somebody listens there */
export async function portsOfNodes({ address, config }: RunPorts): Promise<SharedPorts> {
  const { listen } = config.operators
  const until = performance.now() + portWaitMs
  return {
    port: await free(address, '--port', until),
    adminPort: listen === null ? null : await free(listen, '--admin-port', until),
  }
}
