import type { RequestId } from '../domain/ids'
import type { FrontSpools } from '../ledger/leased/dead-front'
import type { Engine, NodeId } from '../ledger/leased/exchange'
import { openStoreEngine, type EngineWatch, type StoreEngine } from '../ledger/leased/store-engine'
import type { LedgerStore } from '../ledger/store'
import { openOwnerDoor, type OwnerDoor, type OwnerDoorParts } from './owner-door'
import { openStrangers } from './strangers'
import { superviseFronts, type Fronts, type SuperviseParts } from './supervise'

interface OwnerParts extends Pick<
  OwnerDoorParts,
  'database' | 'silentMs' | 'now' | 'greeting' | 'answering' | 'onFault'
> {
  readonly store: LedgerStore
  readonly spools: FrontSpools & {
    /** Path of the socket by which fronts find their owner. */
    socket(): string
    living(): readonly { readonly node: NodeId; readonly pid: number }[]
    keep(node: NodeId): void
    newest(): NodeId
  }
  /** Whether there is such a process. */
  isRunning(pid: number): boolean
  readonly count: number
  /** How long fronts go on without an owner: then those that did not come back are ended. */
  readonly fenceMs: number
  /** The program of a front, with its arguments. */
  readonly command: readonly string[]
  /** @param socket where it finds its owner */
  environment(socket: string): SuperviseParts['environment']
  /** A front that does not end by itself within so long is ended. */
  readonly drainMs: number
  readonly watch?: EngineWatch
  /** Calls were written. */
  onWritten?(): void
  readonly onEnded: SuperviseParts['onEnded']
}

/** The process that owns a data folder, and the fronts that serve for it. */
export interface Owner extends Pick<OwnerDoor, 'askAll' | 'tellAll'> {
  /** For a ledger of the owner's own. */
  readonly engine: Engine
  /** Number that no front has. */
  readonly node: NodeId
  /**
   * Brings back the fronts of an earlier owner, or ends them.
   * @returns their calls that may have a pending row: whatever else is pending is of who is gone
   */
  reunite(): Promise<ReadonlySet<RequestId>>
  /**
   * Answers fronts, and begins all of them; where those of an earlier owner serve, none.
   * @returns whether it began them
   */
  begin(): boolean
  /** Begins one more. */
  add(): void
  /** A front serves by now. */
  serves(node: NodeId): void
  /** Processes that were begun, and those of them that are connected. */
  pids(): readonly number[]
  connected(): number
  /** Money that fronts have slices of. */
  leased(): number
  /** Something but calls was written: sums are read anew, here and in every front. */
  changed(): void
  /** Writes what is to be told without a charge. */
  tell(): Promise<void>
  /**
   * A front of an earlier owner takes no more connections and ends its calls, however long they take.
   * @returns false where all were told
   */
  dismiss(): boolean
  /** Leaves every front to the next owner. */
  part(): Promise<void>
  /** Fronts end their calls and give everything back. */
  stop(): Promise<void>
  /** Ends every front, whatever it does. */
  abort(): void
}

/** Of the owner itself, which charges nothing. */
export const ownNode: NodeId = 0
const lookMs = 10
/** Fronts that flush at the same time are a millisecond apart where each has a core, and more where they share one. */
const gatherMs = 4

/** Answers exchanges of so many fronts from the store, and keeps so many running. */
export async function openOwner(parts: OwnerParts): Promise<Owner> {
  const { store, now, watch, onWritten } = parts
  const engine = openStoreEngine({
    store,
    // The end of a socket is the end of a front.
    ttlMs: Number.POSITIVE_INFINITY,
    now,
    onQuestion: ({ node, scope, no }) => owner.door.ask(node, scope, no),
    // What arrives in one turn of the loop is one commit.
    defer: (work) => void setImmediate(work),
    gatherMs,
    ...(watch === undefined ? {} : { watch }),
    ...(onWritten === undefined ? {} : { onWritten }),
  })
  const owner = new FolderOwner(parts, engine)
  await owner.listen()
  return owner
}

class FolderOwner implements Owner {
  readonly node = ownNode
  readonly engine: Engine
  door!: OwnerDoor
  #fronts: Fronts | null = null
  readonly #dismissed = new Set<number>()
  readonly #strangers: ReturnType<typeof openStrangers>
  readonly #engine: StoreEngine
  readonly #path: string
  readonly #parts: OwnerParts
  readonly #living: ReturnType<OwnerParts['spools']['living']>

  constructor(parts: OwnerParts, engine: StoreEngine) {
    this.#parts = parts
    this.#engine = engine
    engine.register(ownNode)
    this.engine = (exchange) => engine.answer(exchange)
    this.#living = parts.spools.living()
    this.#path = parts.spools.socket()
    this.#strangers = openStrangers(parts.isRunning, parts.now)
    for (const { pid } of this.#living) this.#strangers.add(pid)
  }

  async listen(): Promise<void> {
    const { store, spools, ...parts } = this.#parts
    const end = (pid: number) => this.#end(pid)
    const isOurs = (pid: number) => this.pids().includes(pid)
    const own = { path: this.#path, engine: this.#engine, newest: spools.newest() }
    const given = { ...parts, ...own, store, spools, end, isOurs }
    this.door = await openOwnerDoor(given)
  }

  async reunite(): Promise<ReadonlySet<RequestId>> {
    const { now, fenceMs, isRunning } = this.#parts
    const until = now() + fenceMs
    const missing = () =>
      this.#living.filter(({ pid }) => isRunning(pid) && !this.door.adopted().includes(pid))
    while (missing().length > 0 && now() < until) await Bun.sleep(lookMs)
    await Promise.all(missing().map(({ pid }) => this.#strangers.end(pid)))
    return this.door.adoptedCalls()
  }

  begin(): boolean {
    const isAlone = this.door.adopted().length === 0
    const { command, environment, drainMs, now, onEnded, onFault } = this.#parts
    this.door.begin()
    this.#fronts = superviseFronts({
      count: isAlone ? this.#parts.count : 0,
      command: () => command,
      environment: environment(this.#path),
      drainMs,
      now,
      onEnded,
      onFault,
    })
    return isAlone
  }

  add(): void {
    this.#fronts?.add()
  }

  serves(node: NodeId): void {
    const pid = this.door.pidOf(node)
    if (pid !== null) this.#fronts?.sound(pid)
  }

  pids(): readonly number[] {
    return this.#fronts?.pids() ?? []
  }

  connected(): number {
    return this.door.fronts()
  }

  leased(): number {
    return this.#engine.leased()
  }

  changed(): void {
    this.#engine.expire()
    this.door.tellChanged()
  }

  tell(): Promise<void> {
    return this.#engine.tell()
  }

  askAll(topic: string, body: unknown, waitMs: number, but?: NodeId) {
    return this.door.askAll(topic, body, waitMs, but)
  }

  tellAll(topic: string, body: unknown, but?: NodeId): void {
    this.door.tellAll(topic, body, but)
  }

  dismiss(): boolean {
    const pid = this.door.adopted().find((each) => !this.#dismissed.has(each))
    if (pid === undefined) return false
    this.#dismissed.add(pid)
    this.door.leave(pid)
    return true
  }

  async part(): Promise<void> {
    this.#fronts?.release()
    await this.door.part()
  }

  async stop(): Promise<void> {
    const { drainMs } = this.#parts
    await Promise.all([this.#fronts?.stop(), this.#strangers.stop(drainMs)])
    await this.door.close()
  }

  abort(): void {
    for (const pid of [...this.pids(), ...this.#strangers.pids()]) void this.#end(pid)
  }

  async #end(pid: number): Promise<void> {
    await Promise.all([this.#fronts?.end(pid), this.#strangers.end(pid)])
  }
}
