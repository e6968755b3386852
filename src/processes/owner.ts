import type { FrontSpools } from '../ledger/leased/dead-front'
import { openStoreEngine } from '../ledger/leased/store-engine'
import type { LedgerStore } from '../ledger/store'
import { sumMetrics } from './metric-sum'
import { openOwnerDoor } from './owner-door'
import { superviseFronts, type SuperviseParts } from './supervise'

export interface OwnerParts {
  readonly store: LedgerStore
  readonly spools: FrontSpools & {
    /** Path of the socket by which fronts find their owner. */
    socket(): string
  }
  /** Identity of the database. */
  readonly database: string
  /** A front that says nothing for so long is frozen, and is ended. */
  readonly silentMs: number
  readonly count: number
  /** The program of a front, with its arguments. @param socket where it finds its owner */
  command(socket: string): readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** A front that does not end by itself within so long is ended. */
  readonly drainMs: number
  /** Milliseconds of a clock that only goes forward. */
  now(): number
  readonly onEnded: SuperviseParts['onEnded']
  onFault(fault: unknown): void
}

/** The process that owns a data folder, and the fronts that serve for it. */
export interface Owner {
  /** Processes that were begun, and those of them that are connected. */
  pids(): readonly number[]
  connected(): number
  /** Money that fronts have slices of. */
  leased(): number
  /** Something but calls was written: sums are read anew, here and in every front. */
  changed(): void
  /** What all fronts count, as of one process. */
  metrics(waitMs: number): Promise<string>
  /** Fronts end their calls and give everything back. */
  stop(): Promise<void>
}

/** Answers exchanges of so many fronts from the store, and keeps so many running. */
export async function openOwner(parts: OwnerParts): Promise<Owner> {
  const { store, spools, database, silentMs, count, environment, drainMs, now } = parts
  const { onEnded, onFault } = parts
  const engine = openStoreEngine({
    store,
    // The end of a socket is the end of a front.
    ttlMs: Number.POSITIVE_INFINITY,
    now,
    onQuestion: ({ node, scope, no }) => door.ask(node, scope, no),
    // What arrives in one turn of the loop is one commit.
    defer: (work) => void setImmediate(work),
  })
  const path = spools.socket()
  const end = (pid: number) => fronts.end(pid)
  const given = { path, engine, store, spools, database, silentMs, now, end, onFault }
  const door = await openOwnerDoor(given)
  const command = () => parts.command(path)
  const fronts = superviseFronts({
    count,
    command,
    environment,
    drainMs,
    now,
    onEnded,
    onFault,
  })

  return {
    pids: fronts.pids,
    connected: () => door.fronts(),
    leased: () => engine.leased(),
    changed() {
      engine.expire()
      door.tellChanged()
    },
    metrics: async (waitMs) => sumMetrics(await door.metrics(waitMs)),
    async stop() {
      await fronts.stop()
      await door.close()
    },
  }
}
