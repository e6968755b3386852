import type { NodeId } from '../../domain/ids'

/** Answers one kind of question; undefined is no answer. */
type Handler = (body: never, from: NodeId) => unknown

/** Questions and messages between processes of one service. A message is sent once: whoever is away does not hear it. */
export interface ProcessBus {
  /** Answers of all other processes that answer in time. */
  others<Body, Answer>(topic: BusTopic<Body, Answer>, body: Body): Promise<readonly Answer[]>
  tell<Body>(topic: BusTopic<Body, unknown>, body: Body): void
  on<Body, Answer>(
    topic: BusTopic<Body, Answer>,
    handler: (body: Body, from: NodeId) => Answer | Promise<Answer>,
  ): void
}

/** Name of a kind of question, with the types of both sides. */
interface BusTopic<Body, Answer> {
  readonly name: string
  /** Types alone. */
  readonly of?: readonly [Body, Answer]
}

export const topic = <Body, Answer = null>(name: string): BusTopic<Body, Answer> => ({ name })

/** Message on its last leg. */
interface Delivered {
  readonly from: NodeId
  readonly body: unknown
}

/** One end of the bus, which takes what comes before anybody asks. */
export class BusEnd {
  readonly #handlers = new Map<string, Handler>()

  on(name: string, handler: Handler): void {
    this.#handlers.set(name, handler)
  }

  async answer(name: string, { from, body }: Delivered): Promise<unknown> {
    return await this.#handlers.get(name)?.(body as never, from)
  }
}

export const isAnswered = (answer: unknown): boolean => answer !== null && answer !== undefined
