import { expect } from 'bun:test'
import type { ModelId } from './vendors'
import type { Charge, Player, Service } from './service'

/** A red picture of one dot. */
export const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** A user's question, the model that answers it with a call, and the one that reads its result. */
interface ConversationTurn {
  readonly question: string
  readonly result: string
  readonly model: ModelId
  readonly after: ModelId
  /** A picture goes with the question. */
  readonly shows: boolean
  /** One goes with the result. */
  readonly resultShows: boolean
  readonly stream: boolean
}

export const turnCount = 10

/** Each turn at another vendor; in each second one it changes between a call and its result too. */
const order: readonly ModelId[] = [
  'sealed',
  'adaptive',
  'signed',
  'kimi',
  'budget',
  'plain',
  'mistral',
  'signed',
  'sealed',
  'adaptive',
  'budget',
]

export const conversation = (): readonly ConversationTurn[] =>
  Array.from({ length: turnCount }, (_, at) => ({
    question: `Question ${at + 1}. What is there?`,
    result: `Result ${at + 1}.`,
    model: order[at] ?? 'plain',
    after: order[at % 2 === 0 ? at : at + 1] ?? 'plain',
    shows: at % 3 === 0,
    resultShows: at % 4 === 1,
    stream: at % 3 !== 1,
  }))

const numbered = /Question (\d+)\./g

/** Number of the last question that stands in what a user said. */
const questionIn = (said: readonly string[]): number =>
  Math.max(0, ...[...said.join('\n').matchAll(numbered)].map(([, number]) => Number(number)))

/** A model that calls the tool once for each question, and then says what its number is. */
export const oneCallEach =
  (name: string, inputOf: (question: number) => object): Player =>
  ({ said, results, tools }) => {
    const question = questionIn(said)
    return results.length < question && tools.includes(name)
      ? { text: `Let me look ${question}.`, call: { name, input: inputOf(question) } }
      : { text: `Turn ${question} done.`, call: null }
  }

const sorted = (charges: readonly Charge[]): readonly string[] =>
  charges.map(([model, nanos]) => `${model} ${nanos}`).toSorted()

/** Everything that vendors answered since, at the price it was recorded for. */
export async function expectCharged({ vendors, recorded }: Service): Promise<void> {
  const charges = await recorded()
  expect(sorted(charges)).toEqual(sorted(vendors.charges))
  expect(new Set(vendors.charges.map(String)).size).toBe(vendors.charges.length)
}
