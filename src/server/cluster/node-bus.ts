import type { NodeId } from '../../domain/ids'
import { BusEnd, isAnswered, type ProcessBus } from './bus'

interface NodeBusParts {
  readonly node: NodeId
  /** Tells all others, who hear it at most once, and messages of one call without any between them. */
  tell(messages: readonly string[]): Promise<void>
  /** Nodes that serve, this one included. */
  living(): number
  /** How long the others are waited for; two seconds unless told. */
  readonly answerMs?: number
}

/** Message of one node to others. */
type Letter =
  | { readonly kind: 'news'; readonly topic: string; readonly body: unknown }
  | {
      readonly kind: 'question'
      readonly topic: string
      readonly body: unknown
      readonly no: number
    }
  | { readonly kind: 'answer'; readonly to: NodeId; readonly no: number; readonly body: unknown }

/** Bus between nodes that share a database, and what has it hear. */
export interface NodeBus {
  readonly bus: ProcessBus
  /** @param message as another node's `tell` was given it */
  hear(from: NodeId, message: string): void
}

const usualAnswerMs = 2000
/** PostgreSQL takes less than 8000 bytes in one notice; before them stand numbers. */
const maxPartBytes = 7000
/** Longer letters are not sent: a list of all calls of a busy node has some two million bytes. */
const maxLetterBytes = 4_000_000

/** Questions and messages between nodes by short messages: what is longer comes in parts. */
export function openNodeBus(parts: NodeBusParts): NodeBus {
  const { node, tell, living, answerMs = usualAnswerMs } = parts
  const end = new BusEnd()
  const asked = new Map<number, Gathering>()
  const heard = new Parts()
  let letterNo = 0
  let questionNo = 0

  const send = async (letter: Letter): Promise<void> => {
    const text = asciiOf(letter)
    const fits = text.length <= maxLetterBytes
    // Whoever asked need not wait for what is too long.
    if (!fits && letter.kind !== 'answer') return
    await tell(partsOf(++letterNo, fits ? text : asciiOf({ ...letter, body: null })))
  }
  /** A database that is away has nobody hear anything. */
  const sendIfItCan = (letter: Letter): void => void send(letter).catch(() => {})

  const take = async (from: NodeId, letter: Letter): Promise<void> => {
    if (letter.kind === 'answer') {
      if (letter.to === node) asked.get(letter.no)?.add(letter.body)
      return
    }
    const { topic, body } = letter
    const answer = await end.answer(topic, { from, body }).catch(() => null)
    if (letter.kind === 'question')
      sendIfItCan({ kind: 'answer', to: from, no: letter.no, body: answer ?? null })
  }

  const bus: ProcessBus = {
    async others({ name }, body) {
      const expected = living() - 1
      if (expected <= 0) return []
      const no = ++questionNo
      const gathering = new Gathering(expected, answerMs)
      asked.set(no, gathering)
      try {
        await send({ kind: 'question', topic: name, body, no })
        return (await gathering.answers()) as never
      } finally {
        gathering.end()
        asked.delete(no)
      }
    },
    tell({ name }, body) {
      if (living() > 1) sendIfItCan({ kind: 'news', topic: name, body })
    },
    on: ({ name }, handler) => end.on(name, handler),
  }
  return {
    bus,
    hear(from, message) {
      const text = heard.add(from, message)
      if (text !== null) void take(from, JSON.parse(text) as Letter)
    },
  }
}

/** Answers to one question, until all are there or it took too long. */
class Gathering {
  readonly #all: unknown[] = []
  readonly #over = Promise.withResolvers<void>()
  readonly #timer: ReturnType<typeof setTimeout>
  #left: number

  constructor(expected: number, waitMs: number) {
    this.#left = expected
    this.#timer = setTimeout(this.#over.resolve, waitMs)
    this.#timer.unref()
  }

  add(answer: unknown): void {
    this.#all.push(answer)
    if (--this.#left <= 0) this.#over.resolve()
  }

  async answers(): Promise<readonly unknown[]> {
    await this.#over.promise
    return this.#all.filter(isAnswered)
  }

  end(): void {
    clearTimeout(this.#timer)
  }
}

/** Parts of letters that are not whole yet: one of each node, since those of one come together. */
class Parts {
  readonly #begun = new Map<NodeId, { readonly no: string; readonly texts: string[] }>()

  /** @returns the letter that this part is the last of; null before that, and where one was lost */
  add(from: NodeId, message: string): string | null {
    const [no = '', at = '', of = ''] = message.split(' ', 3)
    const text = message.slice(no.length + at.length + of.length + 3)
    if (at === '0') this.#begun.set(from, { no, texts: [] })
    const begun = this.#begun.get(from)
    if (begun?.no !== no || begun.texts.length !== Number(at)) return null
    begun.texts.push(text)
    if (begun.texts.length < Number(of)) return null
    this.#begun.delete(from)
    return begun.texts.join('')
  }
}

/** As many bytes as it has characters: what is not ASCII stands in strings alone, which may escape it. */
const asciiOf = (letter: Letter): string =>
  JSON.stringify(letter).replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

function partsOf(no: number, text: string): readonly string[] {
  const count = Math.ceil(text.length / maxPartBytes)
  return Array.from(
    { length: count },
    (_, at) => `${no} ${at} ${count} ${text.slice(at * maxPartBytes, (at + 1) * maxPartBytes)}`,
  )
}
