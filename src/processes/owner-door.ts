import { createServer, type Server, type Socket } from 'node:net'
import { openInLine } from '../domain/in-line'
import type { RequestId } from '../domain/ids'
import { lastWords, PendingCalls, type FrontSpools } from '../ledger/leased/dead-front'
import type { LeaseExchange, NodeId } from '../ledger/leased/exchange'
import type { StoreEngine } from '../ledger/leased/store-engine'
import type { LedgerStore } from '../ledger/store'
import { hear, say, type FrontHello, type FrontMessage, type OwnerMessage } from './messages'
import { answerAsked, newsNo, Questions } from './questions'

export interface OwnerDoorParts {
  /** Where fronts find it: a unix socket. */
  readonly path: string
  readonly engine: StoreEngine
  readonly store: Pick<LedgerStore, 'find'>
  readonly spools: FrontSpools
  /** Identity of the database. */
  readonly database: string
  /** Highest number of a node that an earlier owner gave. */
  readonly newest: NodeId
  /** A front that says nothing for so long is frozen. */
  readonly silentMs: number
  /** Whether this owner began the process. */
  isOurs(pid: number): boolean
  now(): number
  /** What whoever composes a front is to know. */
  greeting(): unknown
  /** Answers what a front asks. */
  answering(from: NodeId, topic: string, body: unknown): Promise<unknown>
  /** Ends a front. Resolves when its process is gone: only then its money is taken back. */
  end(pid: number): Promise<void>
  onFault(fault: unknown): void
}

export interface OwnerDoor {
  /** Number of fronts that are connected. */
  fronts(): number
  /** Null for one that is gone. */
  pidOf(node: NodeId): number | null
  /** Processes of fronts that an earlier owner began. */
  adopted(): readonly number[]
  /** Calls of those that may have a pending row. */
  adoptedCalls(): ReadonlySet<RequestId>
  /** Answers exchanges from now on: every front of an earlier owner has come back, or is dead. */
  begin(): void
  /** Another node asks a front for what it can spare of a scope. */
  ask(node: NodeId, scope: string, no: number): void
  /** Asks every front, but one. One that does not answer in time is left out. */
  askAll(topic: string, body: unknown, waitMs: number, but?: NodeId): Promise<readonly unknown[]>
  /** Tells every front, but one. */
  tellAll(topic: string, body: unknown, but?: NodeId): void
  /** Something but calls was written, by this process or beside it: every front reads anew. */
  tellChanged(): void
  /** Another front takes the place of one. */
  leave(pid: number): void
  /** Lets every front go on by itself, for another owner. */
  part(): Promise<void>
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
  readonly questions: Questions
  readonly isAdopted: boolean
  /** It gave everything back. */
  isLeaving: boolean
  heardAt: number
}

class ListeningDoor implements OwnerDoor {
  readonly #fronts = new Map<NodeId, Front>()
  /** Their processes are gone, and their calls are not ended yet. */
  readonly #dead = new Map<NodeId, PendingCalls>()
  readonly #inLine = openInLine()
  /** Those whose processes are being ended. */
  readonly #going = new Set<Promise<void>>()
  readonly #begun = Promise.withResolvers<void>()
  readonly #server: Server
  readonly #parts: OwnerDoorParts
  #hasBegun = false
  #isParting = false
  #newest: NodeId
  #looking: ReturnType<typeof setInterval> | null = null

  constructor(parts: OwnerDoorParts) {
    this.#parts = parts
    this.#newest = parts.newest
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

  pidOf(node: NodeId): number | null {
    return this.#fronts.get(node)?.pid ?? null
  }

  adopted(): readonly number[] {
    return [...this.#fronts.values()].flatMap(({ isAdopted, pid }) => (isAdopted ? pid : []))
  }

  adoptedCalls(): ReadonlySet<RequestId> {
    const calls = [...this.#fronts.values()].flatMap(({ pending }) => [...pending.all()])
    return new Set(calls.map(({ opening }) => opening.id))
  }

  begin(): void {
    this.#hasBegun = true
    this.#begun.resolve()
  }

  ask(node: NodeId, scope: string, no: number): void {
    const front = this.#fronts.get(node)
    if (front !== undefined) sayTo(front.socket, { kind: 'question', scope, no })
  }

  async askAll(topic: string, body: unknown, waitMs: number, but?: NodeId): Promise<unknown[]> {
    const asking = this.#others(but).map(({ socket, questions }) => {
      const { promise: late, resolve } = Promise.withResolvers<undefined>()
      const timer = setTimeout(() => resolve(undefined), waitMs)
      const answer = questions.ask((no) => sayTo(socket, { kind: 'ask', no, topic, body }))
      return Promise.race([answer.catch(() => undefined), late]).finally(() => clearTimeout(timer))
    })
    return (await Promise.all(asking)).filter((each) => each !== undefined)
  }

  tellAll(topic: string, body: unknown, but?: NodeId): void {
    for (const { socket } of this.#others(but))
      sayTo(socket, { kind: 'ask', no: newsNo, topic, body })
  }

  tellChanged(): void {
    for (const { socket } of this.#fronts.values()) sayTo(socket, { kind: 'changed' })
  }

  leave(pid: number): void {
    for (const front of this.#fronts.values())
      if (front.pid === pid) sayTo(front.socket, { kind: 'leave' })
  }

  async part(): Promise<void> {
    this.#isParting = true
    await this.#shut()
  }

  async close(): Promise<void> {
    await this.#shut()
    await Promise.all(this.#going)
    await this.#buryAll()
  }

  async #shut(): Promise<void> {
    if (this.#looking !== null) clearInterval(this.#looking)
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const { socket } of this.#fronts.values()) socket.destroy()
    await closed
  }

  #others(but: NodeId | undefined): readonly Front[] {
    return [...this.#fronts.values()].filter(({ node }) => node !== but)
  }

  #open(socket: Socket): void {
    let front: Front | null = null
    const sayAsked = (message: OwnerMessage) => sayTo(socket, message)
    const heard = (message: FrontMessage) => {
      if (front === null) {
        if (message.kind === 'hello') front = this.#welcome(socket, message)
        return
      }
      front.heardAt = this.#parts.now()
      const { node, questions } = front
      if (message.kind === 'exchange') return void this.#exchange(front, message.exchange)
      if (message.kind === 'bye') return void (front.isLeaving = true)
      if (message.kind === 'hello') return
      const answering = (topic: string, body: unknown) => this.#parts.answering(node, topic, body)
      void answerAsked(message, questions, answering, sayAsked)
    }
    hear(socket, heard, (fault) => {
      if (fault !== null) this.#parts.onFault(fault)
      if (front === null) return
      const going = this.#gone(front)
      this.#going.add(going)
      void going.finally(() => this.#going.delete(going))
    })
  }

  /** One that did not say so may still serve: it is ended, and what it had goes back. */
  async #gone(front: Front): Promise<void> {
    const { node, pid, pending, questions, isLeaving } = front
    questions.close(new Error('the front is gone'))
    this.#fronts.delete(node)
    if (this.#isParting) return
    if (!isLeaving) await this.#parts.end(pid)
    this.#dead.set(node, pending)
    await this.#buryAll()
  }

  #welcome(socket: Socket, { pid, resumed }: FrontHello): Front | null {
    const { engine, spools, database, now, greeting } = this.#parts
    const pending = new PendingCalls()
    const isRefused =
      resumed === null
        ? // One that an earlier owner began in its last moment: nobody would ever dismiss it.
          !this.#parts.isOurs(pid)
        : // Its money was taken back, or is another's by now.
          this.#hasBegun || this.#fronts.has(resumed.node)
    if (isRefused) {
      socket.destroy()
      return null
    }
    const node = resumed?.node ?? ++this.#newest
    if (resumed === null) engine.register(node)
    else {
      engine.adopt(node, resumed.standing)
      pending.adopt(resumed.standing.pending)
    }
    const front: Front = {
      node,
      socket,
      pid,
      pending,
      questions: new Questions(),
      isAdopted: resumed !== null,
      isLeaving: false,
      heardAt: now(),
    }
    this.#fronts.set(node, front)
    const spoolFolders = spools.foldersOf(node, pid)
    sayTo(socket, { kind: 'welcome', node, database, spoolFolders, greeting: greeting() })
    return front
  }

  async #exchange({ node, socket, pending }: Front, exchange: LeaseExchange): Promise<void> {
    if (!this.#hasBegun) await this.#begun.promise
    try {
      // A front speaks for itself alone.
      const answer = await this.#parts.engine.answer({ ...exchange, node }, (calls) =>
        pending.heard(calls),
      )
      sayTo(socket, { kind: 'answer', answer })
    } catch (fault) {
      const why = fault instanceof Error ? fault.message : 'it was not kept'
      sayTo(socket, { kind: 'failed', no: exchange.no, why })
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
    for (const { heardAt, pid } of this.#fronts.values())
      if (now() - heardAt > silentMs) void end(pid)
    void this.#buryAll()
  }
}

const sayTo = (socket: Socket, message: OwnerMessage): void => say(socket, message)
