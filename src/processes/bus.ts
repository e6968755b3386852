import type { NodeId } from '../ledger/leased/exchange'
import type { Front } from './front'
import type { Owner } from './owner'

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

/** A question on its way. */
interface Relayed {
  readonly topic: string
  readonly body: unknown
}

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

/** @returns what answers an owner, and the bus once there is a front */
export function openFrontBus() {
  const end = new BusEnd()
  return {
    answering: (name: string, body: unknown) => end.answer(name, body as Delivered),
    bus: (front: Pick<Front, 'ask' | 'tell'>): ProcessBus => ({
      async others({ name }, body) {
        const relayed: Relayed = { topic: name, body }
        return (await front.ask('others', relayed)) as never
      },
      tell: ({ name }, body) => front.tell('tell', { topic: name, body } satisfies Relayed),
      on: ({ name }, handler) => end.on(name, handler),
    }),
  }
}

/** How long a process is waited for. */
const answerMs = 2000

/** @returns what answers fronts, and the bus once there is an owner */
export function openOwnerBus(ownNode: NodeId) {
  const end = new BusEnd()
  let owner: Pick<Owner, 'askAll' | 'tellAll'> | null = null
  const gather = async (name: string, delivered: Delivered): Promise<readonly unknown[]> => {
    const { from } = delivered
    const own = from === ownNode ? null : end.answer(name, delivered).catch(() => null)
    const fronts = owner?.askAll(name, delivered, answerMs, from) ?? []
    return [await own, ...(await fronts)].filter(isAnswered)
  }
  const bus: ProcessBus = {
    others: async ({ name }, body) => (await gather(name, { from: ownNode, body })) as never,
    tell: ({ name }, body) => owner?.tellAll(name, { from: ownNode, body } satisfies Delivered),
    on: ({ name }, handler) => end.on(name, handler),
  }
  return {
    async answering(from: NodeId, kind: string, asked: unknown): Promise<unknown> {
      const { topic: name, body } = asked as Relayed
      if (kind === 'others') return await gather(name, { from, body })
      owner?.tellAll(name, { from, body } satisfies Delivered, from)
      return await end.answer(name, { from, body })
    },
    bus(opened: Pick<Owner, 'askAll' | 'tellAll'>): ProcessBus {
      owner = opened
      return bus
    },
  }
}
