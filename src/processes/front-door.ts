import { createConnection, type Socket } from 'node:net'
import type { LeaseAnswer, Engine, LeaseExchange } from '../ledger/leased/exchange'
import { hear, say, type FrontHello, type OwnerMessage, type OwnerWelcome } from './messages'
import { answerAsked, newsNo, Questions, type AnswersPeer, type Asked } from './questions'

export interface FrontDoorParts extends Omit<FrontHello, 'kind'> {
  /** Where the owner listens: a unix socket. */
  readonly path: string
  /** Answers what the owner asks. */
  readonly answering: AnswersPeer
}

/** One connection of a front to the owner of the data folder. */
export interface FrontDoor extends Omit<OwnerWelcome, 'kind'> {
  readonly engine: Engine
  /** @throws Error when the owner is gone, or refuses */
  ask(topic: string, body: unknown): Promise<unknown>
  /** Same, where no answer is waited for. */
  tell(topic: string, body: unknown): void
  /** Another node asks for what this one can spare of a scope. */
  onQuestion(asked: (scope: string, no: number) => void): void
  /** What is kept in memory of accounts, keys, settings and sums is old. */
  onChanged(changed: () => void): void
  /** Another front takes the place of this one. */
  onLeave(leave: () => void): void
  /** The owner is gone. */
  readonly closed: Promise<void>
  close(): void
}

/** @throws Error when no owner listens there, or it does not take the front */
export function openFrontDoor(parts: FrontDoorParts): Promise<FrontDoor> {
  const socket = createConnection(parts.path)
  const opened = Promise.withResolvers<FrontDoor>()
  const closed = Promise.withResolvers<void>()
  const questions = new Questions()
  const exchanges = new Exchanges(socket)
  const on = { question: (_scope: string, _no: number) => {}, changed: () => {}, leave: () => {} }
  const sayAsked = (message: Asked) => say(socket, message)
  const ask = (no: number, topic: string, body: unknown) =>
    sayAsked({ kind: 'ask', no, topic, body })

  const heard = (message: OwnerMessage): void => {
    switch (message.kind) {
      case 'answer':
        return exchanges.answered(message.answer)
      case 'failed':
        return exchanges.failed(message.no, message.why)
      case 'question':
        return on.question(message.scope, message.no)
      case 'changed':
        return on.changed()
      case 'leave':
        return on.leave()
      case 'welcome':
        return opened.resolve({
          ...message,
          engine: (exchange) => exchanges.send(exchange),
          ask: (topic, body) => questions.ask((no) => ask(no, topic, body)),
          tell: (topic, body) => ask(newsNo, topic, body),
          onQuestion: (asked) => void (on.question = asked),
          onChanged: (changed) => void (on.changed = changed),
          onLeave: (leave) => void (on.leave = leave),
          closed: closed.promise,
          close() {
            say(socket, { kind: 'bye' })
            socket.end()
          },
        })
      default:
        return void answerAsked(message, questions, parts.answering, sayAsked)
    }
  }
  hear(socket, heard, (fault) => {
    const gone = fault ?? new Error('the owner of the data folder is gone')
    opened.reject(gone)
    exchanges.close(gone)
    questions.close(gone)
    closed.resolve()
  })
  const { pid, resumed } = parts
  const hello: FrontHello = { kind: 'hello', pid, resumed }
  socket.on('connect', () => say(socket, hello))
  return opened.promise
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
    say(this.#socket, { kind: 'exchange', exchange })
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
