import { systemMonotonic, ticksAfter, type Ticks } from '../../domain/clock'
import { faultFields } from '../../gateway/observability/log'
import { drain, type Draining } from './drain'
import type { FolderDuties } from './folder-duties'
import { Replacement } from './leave'
import type { RunningServer } from './run-contract'
import type { RunParts } from './run-parts'
import type { Leaving } from '../listeners/server-contract'
import type { Predecessors } from './succeed'
import type { Watching } from '../telemetry'

interface Running extends RunParts, Omit<Draining, 'notes'> {
  readonly key: string | null
  readonly operatorLink: RunningServer['operatorLink']
  readonly predecessors: Predecessors
  readonly watching: Watching
  readonly duties: FolderDuties
  /** Stops watching for faults. */
  unwatch(): void
}

/** Sessions without an end of their own are asked to end after so long. */
const maxSessionMs = 600_000
const lookMs = 50

/** Until when calls may go on: as long as they do, until it is set. */
class Deadline {
  #at: Ticks | null = null

  /** The first one counts. */
  set(ms: number): void {
    this.#at ??= ticksAfter(systemMonotonic.ticks(), ms)
  }

  isSet(): boolean {
    return this.#at !== null
  }

  isOver(): boolean {
    return this.#at !== null && systemMonotonic.ticks() >= this.#at
  }
}

/** A gateway that serves, and how it ends. */
export function running(parts: Running): RunningServer {
  const { server, gateway, key, operatorLink, predecessors } = parts
  const { promise: stopped, resolve: ended } = Promise.withResolvers<void>()
  const deadline = new Deadline()
  let stopping: Promise<void> | null = null
  const end = async (delayMs: number) => {
    try {
      await drain(parts, () => !deadline.isOver(), delayMs)
      await predecessors.close()
      parts.storage.handover?.forget()
    } finally {
      parts.unwatch()
      ended()
    }
  }
  const stop = () => {
    deadline.set(parts.config.drainMs)
    // A balancer hears of it before connections are refused that it would use once more.
    const delayMs = (parts.cluster ?? null) === null ? 0 : parts.config.drainDelayMs
    return (stopping ??= end(delayMs))
  }
  const leaveNow = async (how: Leaving) => {
    await server.leave(how)
    await end(0)
  }
  const leaveToNext = async () => {
    parts.notes.leaving?.()
    await server.leave({ isSteered: true })
    const patience = new Deadline()
    patience.set(maxSessionMs)
    while (gateway.runningCalls() > 0 && !deadline.isSet() && !patience.isOver())
      await Bun.sleep(lookMs)
    try {
      await end(0)
    } catch (fault) {
      // Their spool stays: the process that serves the folder next charges them.
      parts.log.error('calls left to the next process', faultFields(fault))
      parts.log.flush()
    }
  }
  const replacement = replacementOf(parts, {
    leave: () => void (stopping ??= leaveToNext()),
    stop,
  })
  return {
    url: server.url,
    key,
    operatorLink,
    ...gateway.onSale(),
    stop,
    leave: (how = {}) => (stopping ??= leaveNow(how)),
    spread: () => server.spread(),
    stopped,
    ...(replacement === null
      ? {}
      : {
          replace: async () => {
            if (stopping === null) await replacement.replace()
          },
        }),
  }
}

/** Null where this process has no data folder of its own, and where the system offers no way to hand it over. */
function replacementOf(
  {
    storage,
    gateway,
    duties,
    predecessors,
    server,
    watching,
    next = null,
    tellManager: notifyServiceManager = () => {},
    log,
  }: Running,
  ends: { leave(): void; stop(): Promise<void> },
): Replacement | null {
  const { handover } = storage
  if (handover === null || gateway.handover === null || next === null) return null
  return new Replacement({
    storage: { ledger: storage.ledger, handover },
    choice: { handover: gateway.handover },
    duties,
    jobs: gateway.jobs,
    predecessors,
    program: next,
    ports: { port: server.port, adminPort: server.adminPort, metricsPort: watching.port },
    log,
    tellManager: notifyServiceManager,
    ...ends,
  })
}
