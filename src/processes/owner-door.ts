import { openInLine } from '../domain/in-line'
import { createServer, type Server, type Socket } from 'node:net'
import { lastWords, PendingCalls, type FrontSpools } from '../ledger/leased/dead-front'
import type { LeaseExchange, NodeId } from '../ledger/leased/exchange'
import type { StoreEngine } from '../ledger/leased/store-engine'
import type { LedgerStore } from '../ledger/store'
import { hear, say, type FrontMessage, type OwnerMessage } from './messages'

export interface OwnerDoorParts {
  /** Where fronts find it: a unix socket. */
  readonly path: string
  readonly engine: StoreEngine
  readonly store: Pick<LedgerStore, 'find'>
  readonly spools: FrontSpools
  /** Identity of the database. */
  readonly database: string
  /** A front that says nothing for so long is frozen. */
  readonly silentMs: number
  now(): number
  /** A front is to be ended: its money is taken back once its process is gone. */
  end(pid: number): void
  onFault(fault: unknown): void
}

export interface OwnerDoor {
  /** Number of fronts that are connected. */
  fronts(): number
  /** Another node asks a front for what it can spare of a scope. */
  ask(node: NodeId, scope: string, no: number): void
  /** Something but calls was written, by this process or beside it: every front reads anew. */
  tellChanged(): void
  /** What each front counts, in the text format of metrics; a front that does not answer is left out. */
  metrics(waitMs: number): Promise<readonly string[]>
  close(): Promise<void>
}

/** How often silent fronts are looked for, and dead ones that could not be buried. */
const lookMs = 1000

/** @throws Error with the system's code where nobody can listen at the path */
export async function openOwnerDoor(parts: OwnerDoorParts): Promise<OwnerDoor> {
  const door = new ListeningDoor(parts)
  await door.listen()
  return door
}

interface Front {
  readonly node: NodeId
  readonly socket: Socket
  readonly pid: number
  readonly pending: PendingCalls
  heardAt: number
}

class ListeningDoor implements OwnerDoor {
  readonly #fronts = new Map<NodeId, Front>()
  /** Their processes are gone, and their calls are not ended yet. */
  readonly #dead = new Map<NodeId, PendingCalls>()
  readonly #inLine = openInLine()
  readonly #asked = new Map<number, (text: string) => void>()
  readonly #server: Server
  readonly #parts: OwnerDoorParts
  #newest: NodeId = 0
  #question = 0
  #looking: ReturnType<typeof setInterval> | null = null

  constructor(parts: OwnerDoorParts) {
    this.#parts = parts
    this.#server = createServer((socket) => this.#open(socket))
  }

  listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(this.#parts.path, () => {
        this.#looking = setInterval(this.#look, lookMs)
        resolve()
      })
    })
  }

  fronts(): number {
    return this.#fronts.size
  }

  ask(node: NodeId, scope: string, no: number): void {
    const front = this.#fronts.get(node)
    if (front !== undefined) this.#say(front.socket, { kind: 'question', scope, no })
  }

  tellChanged(): void {
    for (const { socket } of this.#fronts.values()) this.#say(socket, { kind: 'changed' })
  }

  async metrics(waitMs: number): Promise<readonly string[]> {
    const asking = [...this.#fronts.values()].map(({ socket }) => {
      const no = ++this.#question
      const { promise, resolve } = Promise.withResolvers<string | null>()
      const timer = setTimeout(() => resolve(null), waitMs)
      this.#asked.set(no, resolve)
      this.#say(socket, { kind: 'metrics', no })
      return promise.finally(() => {
        clearTimeout(timer)
        this.#asked.delete(no)
      })
    })
    return (await Promise.all(asking)).filter((text) => text !== null)
  }

  async close(): Promise<void> {
    if (this.#looking !== null) clearInterval(this.#looking)
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const { socket } of this.#fronts.values()) socket.destroy()
    await closed
    await this.#buryAll()
  }

  #open(socket: Socket): void {
    let front: Front | null = null
    const heard = (message: FrontMessage) => {
      if (front === null) {
        if (message.kind === 'hello') front = this.#welcome(socket, message.pid)
        return
      }
      front.heardAt = this.#parts.now()
      if (message.kind === 'exchange') void this.#exchange(front, message.exchange)
      else if (message.kind === 'metrics') this.#asked.get(message.no)?.(message.text)
    }
    hear(socket, heard, (fault) => {
      if (fault !== null) this.#parts.onFault(fault)
      if (front === null) return
      this.#fronts.delete(front.node)
      this.#dead.set(front.node, front.pending)
      void this.#buryAll()
    })
  }

  #welcome(socket: Socket, pid: number): Front {
    const { engine, spools, database, now } = this.#parts
    const node = ++this.#newest
    engine.register(node)
    const front = { node, socket, pid, pending: new PendingCalls(), heardAt: now() }
    this.#fronts.set(node, front)
    const spoolFolders = spools.foldersOf(node)
    this.#say(socket, { kind: 'welcome', node, database, spoolFolders })
    return front
  }

  async #exchange({ node, socket, pending }: Front, exchange: LeaseExchange): Promise<void> {
    try {
      // A front speaks for itself alone.
      const answer = await this.#parts.engine.answer({ ...exchange, node }, (calls) =>
        pending.heard(calls),
      )
      this.#say(socket, { kind: 'answer', answer })
    } catch (fault) {
      const why = fault instanceof Error ? fault.message : 'it was not kept'
      this.#say(socket, { kind: 'failed', no: exchange.no, why })
    }
  }

  /** Ends the calls of those that died, then their slices go back: what they charged is paid by these. */
  #buryAll(): Promise<void> {
    return this.#inLine(() => this.#bury())
  }

  async #bury(): Promise<void> {
    const { engine, store, spools, onFault } = this.#parts
    for (const [node, pending] of this.#dead)
      try {
        await engine.bury(node, () => lastWords(store, spools.records(node), pending))
        this.#dead.delete(node)
        spools.remove(node)
      } catch (fault) {
        onFault(fault)
      }
  }

  readonly #look = (): void => {
    const { now, silentMs, end } = this.#parts
    for (const { heardAt, pid } of this.#fronts.values()) if (now() - heardAt > silentMs) end(pid)
    void this.#buryAll()
  }

  #say(socket: Socket, message: OwnerMessage): void {
    say(socket, message)
  }
}
