import { yieldToLoop } from '../../../domain/yield-to-loop'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { InnerJson } from '../../json/inner-json'
import type { AnsweredTurn } from '../hub'
import type { ChatBody } from './schema'
import { callOf } from './turns'
import { textOf, textOrRefusal } from './wire'

type Message = ChatBody['messages'][number]

/** Characters that are digested in two milliseconds, arguments in which every name is put in order included. */
const sliceChars = 262_144
/** Texts from here on are hashed apart. */
const longChars = 16_384

/** One per body: all routes of a call ask. */
const known = new WeakMap<ChatBody['messages'], ConversationDigest>()

/**
 * Digests the messages of a checked body.
 * @returns a promise where they are so long that the event loop gets turns in between
 */
export function digestConversation(
  messages: ChatBody['messages'],
): ConversationDigest | Promise<ConversationDigest> {
  let digesting = known.get(messages)
  if (digesting === undefined) known.set(messages, (digesting = new ConversationDigest(messages)))
  return digesting.goOn() ? digesting : digesting.rest()
}

/**
 * Digests of a conversation's turns: each covers what a model answered (text and calls) and every message
 * before it. Two conversations share one only where they are the same up to there.
 *
 * Clients write history anew from text and calls, so a digest covers what they all send back and nothing
 * else: a text is the same as one part or several, with blanks at its ends or without; an empty text is the
 * same as none; arguments are compared as JSON values. Reasoning, marks of caches and null members of parts
 * are left out, and messages of the assistant that stand together are one turn.
 */
export class ConversationDigest {
  readonly #turns = new Map<object, string>()
  readonly #steps: Iterator<void, void>
  readonly #inner = new InnerJson()
  /** Of everything before the open turn. */
  #prefix = ''
  /** The assistant's messages that stand together, as far as they are read. */
  #open: OpenTurn = noTurn()
  #isDone = false
  #rest: Promise<ConversationDigest> | null = null

  constructor(messages: readonly Message[]) {
    this.#steps = this.#read(messages)
  }

  /** @returns whether all of it is digested */
  goOn(): boolean {
    if (this.#rest !== null) return this.#isDone
    return (this.#isDone ||= this.#steps.next().done === true)
  }

  rest(): Promise<ConversationDigest> {
    return (this.#rest ??= this.#finish())
  }

  /** The turn that made a call, by the call's object in the body; undefined for no call of it. */
  turnOf(call: object): string | undefined {
    return this.#turns.get(call)
  }

  /** The turn that an answer to the whole conversation would be. */
  answered(turn: AnsweredTurn): string {
    const { text, calls } = this.#open
    return this.#turnDigest({ text: text + turn.text, calls: [...calls, ...turn.calls] })
  }

  async #finish(): Promise<ConversationDigest> {
    do await yieldToLoop()
    while (this.#steps.next().done !== true)
    this.#isDone = true
    return this
  }

  *#read(messages: readonly Message[]): Generator<void, void> {
    const share = { left: sliceChars }
    for (const message of messages) {
      if (message.role === 'assistant') {
        this.#readTurn(message, share)
      } else {
        this.#closeTurn()
        const hash = new FieldHash(share)
        hash.text(this.#prefix)
        hash.text(message.role)
        yield* addMessage(hash, message)
        this.#prefix = hash.digest()
      }
      if (share.left <= 0) {
        yield
        share.left = sliceChars
      }
    }
    // Its calls may be asked for. An answer goes on with it all the same.
    this.#nameCalls()
  }

  #readTurn(message: Message, share: Share): void {
    const { content, refusal, tool_calls: calls } = message as Fields
    const turn = this.#open
    const text = textOrRefusal(textOf(content) ?? '', refusal)
    turn.text += text
    for (const raw of listOf(calls).filter(isFields)) {
      const call = callOf(raw, '', turn.calls.length)
      turn.calls.push(call)
      turn.objects.push(raw)
      share.left -= call.arguments.length
    }
    share.left -= text.length
  }

  #closeTurn(): void {
    if (this.#open.text === '' && this.#open.calls.length === 0) return
    this.#prefix = this.#nameCalls()
    this.#open = noTurn()
  }

  #nameCalls(): string {
    const turn = this.#turnDigest(this.#open)
    for (const call of this.#open.objects) this.#turns.set(call, turn)
    return turn
  }

  #turnDigest({ text, calls }: AnsweredTurn): string {
    const hash = new FieldHash({ left: 0 })
    hash.text(this.#prefix)
    hash.text('assistant')
    hash.text(text.trim())
    for (const { id, name, arguments: input } of calls) {
      hash.text(id)
      hash.text(name)
      hash.text(this.#canonical(input))
    }
    return hash.digest()
  }

  /** Arguments as clients may write them anew: with their names in order, without blanks. */
  #canonical(text: string): string {
    if (text.trim() === '') return '{}'
    try {
      return JSON.stringify(inOrder(this.#inner.parse(text), maxDepth))
    } catch {
      return text.trim()
    }
  }
}

interface OpenTurn extends AnsweredTurn {
  text: string
  readonly calls: AnsweredTurn['calls'][number][]
  /** The calls as they lie in the body. */
  readonly objects: object[]
}

const noTurn = (): OpenTurn => ({ text: '', calls: [], objects: [] })

/** What one slice of the event loop has left, in characters. */
interface Share {
  left: number
}

/** Digest of fields, each with its length before it, so that no two lists of them look alike. */
class FieldHash {
  readonly #share: Share
  /** Null where all of it waits: to hash a text at once costs half as much. */
  #hash: Bun.CryptoHasher | null = null
  /** Short fields, hashed together. */
  #waiting = ''

  constructor(share: Share) {
    this.#share = share
  }

  text(text: string): void {
    this.#share.left -= text.length
    this.#waiting += `${text.length}:${text}`
  }

  /** A text of any length, in slices. */
  *long(text: string): Generator<void, void> {
    if (text.length < longChars) return this.text(text)
    this.#hash ??= new Bun.CryptoHasher('sha256')
    this.#hash.update(`${this.#waiting}${text.length}:`)
    this.#waiting = ''
    for (let at = 0; at < text.length; at += sliceChars) {
      const slice = text.slice(at, at + sliceChars)
      this.#hash.update(slice)
      this.#share.left -= slice.length
      if (this.#share.left > 0 || at + sliceChars >= text.length) continue
      yield
      this.#share.left = sliceChars
    }
  }

  digest(): string {
    return this.#hash === null
      ? Bun.CryptoHasher.hash('sha256', this.#waiting, 'base64')
      : this.#hash.update(this.#waiting).digest('base64')
  }
}

/** What a user, a tool or an instruction says. */
function* addMessage(hash: FieldHash, message: Message): Generator<void, void> {
  const { content, tool_call_id: answers, name, role } = message
  hash.text(role === 'tool' || role === 'function' ? (answers ?? name ?? '') : (name ?? ''))
  let text = ''
  for (const part of typeof content === 'string'
    ? [{ type: 'text', text: content }]
    : (content ?? [])) {
    const { type, text: said } = fieldsOf(part)
    if (type === 'text' && typeof said === 'string') {
      text += said
      continue
    }
    yield* addText(hash, text)
    text = ''
    yield* addValue(hash, part, maxDepth)
  }
  yield* addText(hash, text)
}

function* addText(hash: FieldHash, text: string): Generator<void, void> {
  const told = text.trim()
  if (told === '') return
  hash.text('text')
  yield* hash.long(told)
}

/** Members that say nothing of what is said. */
const unsaid = new Set(['cache_control', 'prompt_cache_breakpoint'])

/** A picture, a sound, a file or a part of another kind. */
function* addValue(hash: FieldHash, value: unknown, depth: number): Generator<void, void> {
  if (typeof value === 'string') {
    hash.text('string')
    yield* hash.long(value)
  } else if (typeof value === 'object' && value !== null && depth > 0) {
    const members = Object.entries(value)
      .filter(([name, each]) => each !== null && each !== undefined && !unsaid.has(name))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
    hash.text(`members ${members.length}`)
    for (const [name, each] of members) {
      hash.text(name)
      yield* addValue(hash, each, depth - 1)
    }
  } else {
    hash.text('value')
    hash.text(JSON.stringify(value))
  }
}

/** Deeper values are compared as they were written. */
const maxDepth = 64

/** @throws Error for what lies deeper */
function inOrder(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) throw new Error('nested too deeply')
  if (Array.isArray(value)) return value.map((each) => inOrder(each, depth - 1))
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, inOrder(each, depth - 1)]),
  )
}
