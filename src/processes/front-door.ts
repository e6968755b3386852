import { createConnection, type Socket } from 'node:net'
import type { LeaseAnswer, Engine, LeaseExchange, NodeId } from '../ledger/leased/exchange'
import { hear, say, type FrontMessage, type OwnerMessage } from './messages'

export interface FrontDoorParts {
  /** Where the owner listens: a unix socket. */
  readonly path: string
  readonly pid: number
  /** What this process counts, in the text format of metrics. */
  metrics(): Promise<string>
}

/** The way of a front to the owner of the data folder. */
export interface FrontDoor {
  readonly node: NodeId
  /** Identity of the database that its spools belong to. */
  readonly database: string
  readonly spoolFolders: readonly [string, string]
  readonly engine: Engine
  /** Another node asks for what this one can spare of a scope. */
  onQuestion(asked: (scope: string, no: number) => void): void
  /** What is kept in memory of accounts, keys, settings and sums is old. */
  onChanged(changed: () => void): void
  /** The owner is gone: what this process holds counts no more. */
  readonly closed: Promise<void>
  close(): void
}

/** @throws Error when no owner listens there, or it does not take the front */
export function openFrontDoor(parts: FrontDoorParts): Promise<FrontDoor> {
  const socket = createConnection(parts.path)
  const opened = Promise.withResolvers<FrontDoor>()
  const closed = Promise.withResolvers<void>()
  const door = { asked: (_scope: string, _no: number) => {}, changed: () => {} }
  const exchanges = new Exchanges(socket)

  const heard = (message: OwnerMessage) => {
    if (message.kind === 'answer') exchanges.answered(message.answer)
    else if (message.kind === 'failed') exchanges.failed(message.no, message.why)
    else if (message.kind === 'question') door.asked(message.scope, message.no)
    else if (message.kind === 'changed') door.changed()
    else if (message.kind === 'metrics') void tellMetrics(socket, parts, message.no)
    else {
      const { node, database, spoolFolders } = message
      opened.resolve({
        node,
        database,
        spoolFolders,
        engine: (exchange) => exchanges.send(exchange),
        onQuestion: (asked) => void (door.asked = asked),
        onChanged: (changed) => void (door.changed = changed),
        closed: closed.promise,
        close: () => void socket.end(),
      })
    }
  }
  hear(socket, heard, (fault) => {
    const gone = fault ?? new Error('the owner of the data folder is gone')
    opened.reject(gone)
    exchanges.close(gone)
    closed.resolve()
  })
  const hello: FrontMessage = { kind: 'hello', pid: parts.pid }
  socket.on('connect', () => say(socket, hello))
  return opened.promise
}

async function tellMetrics(socket: Socket, { metrics }: FrontDoorParts, no: number): Promise<void> {
  const told: FrontMessage = { kind: 'metrics', no, text: await metrics() }
  say(socket, told)
}

/** Exchanges that wait for their answer, by their numbers. */
class Exchanges {
  readonly #waiting = new Map<number, PromiseWithResolvers<LeaseAnswer>>()
  readonly #socket: Socket
  #gone: Error | null = null

  constructor(socket: Socket) {
    this.#socket = socket
  }

  send(exchange: LeaseExchange): Promise<LeaseAnswer> {
    if (this.#gone !== null) return Promise.reject(this.#gone)
    const waiting = Promise.withResolvers<LeaseAnswer>()
    this.#waiting.set(exchange.no, waiting)
    const message: FrontMessage = { kind: 'exchange', exchange }
    say(this.#socket, message)
    return waiting.promise
  }

  answered(answer: LeaseAnswer): void {
    this.#waiting.get(answer.no)?.resolve(answer)
    this.#waiting.delete(answer.no)
  }

  failed(no: number, why: string): void {
    this.#waiting.get(no)?.reject(new Error(why))
    this.#waiting.delete(no)
  }

  close(gone: Error): void {
    this.#gone = gone
    for (const { reject } of this.#waiting.values()) reject(gone)
    this.#waiting.clear()
  }
}
