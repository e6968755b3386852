import type { Script } from '../support/stand-in'

/*
 * What is asked and answered in every format alike. A format of clients joins by `runMatrix` with a
 * MatrixClient of its own; a vendor by recorded replies to every scenario.
 */

/** A question in no format. */
export interface Question {
  readonly text: string
  /** PNG as base64. */
  readonly image?: string
  readonly tools?: readonly string[]
  readonly effort?: 'high'
  /** The answer is to fit this. */
  readonly schema?: object
  readonly maxTokens?: number
}

interface SaidCall {
  readonly name: string
  readonly arguments: unknown
}

/** An answer in no format. */
export interface Said {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly SaidCall[]
  readonly finish: 'stop' | 'length' | 'tool_calls' | 'content_filter'
}

/** Tokens as a vendor tells them, in no format. */
export interface Told {
  /** All that went in. */
  readonly input: number
  readonly cached: number
  readonly written: number
  readonly output: number
}

export interface Scenario {
  readonly name: string
  readonly question: Question
  readonly says: Said
}

/** What a vendor of one format does in every scenario. */
export interface VendorReplies {
  /** The events of a streamed answer, as they stand on the wire. */
  events(scenario: Scenario): readonly string[]
  /** The whole answer. */
  whole(scenario: Scenario): object
  /** An event that is an error. */
  readonly errorEvent: string
  /** Its code for clients, in the middle of an answer. */
  readonly brokenBy: 'stream_interrupted' | 'upstream_capacity_full'
  /** Refuses for want of room. */
  readonly failing: Script
  /** Whether a stream is wanted. */
  streams(seen: {
    readonly path: string
    readonly body: Readonly<Record<string, unknown>>
  }): boolean
  readonly told: Told
  /** What the question must have become on its way, of what vendors see. */
  sees(body: Readonly<Record<string, unknown>>): Seen
}

/** What reached the vendor, in no format. */
export interface Seen {
  readonly image: boolean
  readonly tools: readonly string[]
  readonly schema: boolean
  readonly ceiling: number | null
}

export const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const answerSchema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city', 'days'],
  additionalProperties: false,
}

const plain: Said = { text: '', reasoning: '', calls: [], finish: 'stop' }

/** Letters of two, three and four bytes, joiners, escapes and line ends. */
const persian =
  'سلام! این یک آزمون بلند است 🌍 با نیم‌فاصله، «گیومه» و اعداد ۱۲۳.\n\t"quoted" \\ back '
    .repeat(12)
    .trim()

export const scenarios: readonly Scenario[] = [
  {
    name: 'plain text',
    question: { text: 'Hello there', maxTokens: 300 },
    says: { ...plain, text: 'Hello to you' },
  },
  {
    name: 'two parallel tools',
    question: { text: 'The weather and the time?', tools: ['weather', 'time'] },
    says: {
      ...plain,
      text: 'Let me look.',
      calls: [
        { name: 'weather', arguments: { city: 'تهران', days: [1, 2] } },
        { name: 'time', arguments: { zone: 'Asia/Tehran', deep: { er: '}{"' } } },
      ],
      finish: 'tool_calls',
    },
  },
  {
    name: 'a picture',
    question: { text: 'What is it?', image: picture },
    says: { ...plain, text: 'A dot.' },
  },
  {
    name: 'reasoning',
    question: { text: 'Think hard', effort: 'high', maxTokens: 40_000 },
    says: { ...plain, reasoning: 'First I think.', text: 'Forty-two.' },
  },
  {
    name: 'a JSON schema',
    question: { text: 'Plan a trip', schema: answerSchema },
    says: { ...plain, text: '{"city":"Shiraz","days":3}' },
  },
  {
    name: 'a long Persian text',
    question: { text: persian },
    says: { ...plain, text: persian },
  },
  {
    name: 'a refusal',
    question: { text: 'Something forbidden' },
    says: { ...plain, text: 'I cannot', finish: 'content_filter' },
  },
  {
    name: 'a length stop',
    question: { text: 'Tell a long story', maxTokens: 64 },
    says: { ...plain, text: 'Once upon a', finish: 'length' },
  },
]

/** @throws Error when there is none of this name */
export function scenarioNamed(name: string): Scenario {
  const found = scenarios.find((each) => each.name === name)
  if (found === undefined) throw new Error(`no scenario ${name}`)
  return found
}

/** Pieces of a text, none of which ends with a word. */
export const pieces = (text: string): readonly string[] => text.match(/\s*\S+|\s+$/g) ?? []
