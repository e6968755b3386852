import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { textOf } from '../../formats/chat/wire'
import { sandboxInputTokens } from './realtime-sound'
import type { Steps } from './slices'
import { sandboxAnswer, type SandboxAnswer } from './text'
import { countSandboxTokens } from './tokens'

/** Tokens of one kind in all, and which of them the answer before had read already. */
interface Count {
  all: number
  cached: number
}

/** Maximum characters kept; older ones are forgotten, as vendors truncate conversations. */
export const maxMemoryChars = 400_000

interface Kept {
  readonly item: Fields
  chars: number
  readonly seconds: number
  cached: boolean
}

/** Conversation so far. */
export class Memory {
  /** By id, oldest first. */
  readonly #items = new Map<unknown, Kept>()
  #count = 0
  #chars = 0
  #instructionsRead = false

  /** @param seconds of sound in it */
  add(item: Fields, seconds = 0): Fields {
    const id = typeof item['id'] === 'string' ? item['id'] : `item_sandbox_${++this.#count}`
    const added = { ...item, id, object: 'realtime.item', status: item['status'] ?? 'completed' }
    const kept = { item: added, chars: 0, seconds, cached: false }
    // One of the same name goes: the new one is the last.
    this.remove(id)
    this.#items.set(id, kept)
    this.#keep(kept)
    return added
  }

  /** Sets fields of an item that was added. */
  change(item: Fields, fields: Fields): void {
    Object.assign(item, fields)
    const kept = this.#items.get(item['id'])
    if (kept?.item !== item) return
    this.#chars -= kept.chars
    this.#keep(kept)
  }

  find(id: unknown): Fields | null {
    return this.#items.get(id)?.item ?? null
  }

  remove(id: unknown): boolean {
    this.#chars -= this.#items.get(id)?.chars ?? 0
    return this.#items.delete(id)
  }

  lastId(): string | null {
    const last = [...this.#items.keys()].at(-1)
    return typeof last === 'string' ? last : null
  }

  /** Answer to the conversation. */
  answer(session: Fields): Steps<SandboxAnswer> {
    const tools = listOf(session['tools']).map((tool) => ({
      type: 'function',
      function: fieldsOf(tool),
    }))
    const messages = Array.from(this.#items.values(), ({ item, seconds }) =>
      messageOf(item, seconds),
    )
    return sandboxAnswer({ messages, tools, tool_choice: session['tool_choice'] })
  }

  /** Input counts of an answer to all of it; cached from then on. */
  read(session: Fields): { readonly text: Count; readonly audio: Count } {
    const instructions = countSandboxTokens(textOf(session['instructions']) ?? '')
    const text = { all: instructions, cached: this.#instructionsRead ? instructions : 0 }
    const audio = { all: 0, cached: 0 }
    for (const kept of this.#items.values()) {
      count(text, countSandboxTokens(wordsOf(kept.item)), kept.cached)
      count(audio, sandboxInputTokens(kept.seconds), kept.cached)
      kept.cached = true
    }
    this.#instructionsRead = true
    return { text, audio }
  }

  #keep(kept: Kept): void {
    kept.chars = JSON.stringify(kept.item).length
    this.#chars += kept.chars
    for (const id of this.#items.keys()) {
      if (this.#chars <= maxMemoryChars || this.#items.size === 1) return
      this.remove(id)
    }
  }
}

function count(all: Count, tokens: number, cached: boolean): void {
  all.all += tokens
  if (cached) all.cached += tokens
}

const wordsOf = (item: Fields): string =>
  [
    ...listOf(item['content']).flatMap((part) => [
      fieldsOf(part)['text'],
      fieldsOf(part)['transcript'],
    ]),
    item['output'],
    item['arguments'],
  ]
    .filter((text) => typeof text === 'string')
    .join(' ')

function messageOf(item: Fields, seconds: number): Fields {
  if (item['type'] === 'function_call_output') return { role: 'tool', content: item['output'] }
  if (item['type'] === 'function_call') return { role: 'assistant', content: '' }
  const sound = seconds > 0 ? [`I heard ${seconds.toFixed(1)} seconds of sound.`] : []
  const texts = listOf(item['content'])
    .filter(isFields)
    .flatMap(({ text, transcript }) => [text, transcript])
    .filter((text) => typeof text === 'string')
  return { role: item['role'], content: [...texts, ...sound].join(' ') }
}
