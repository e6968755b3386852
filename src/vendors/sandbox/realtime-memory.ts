import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { textOf } from '../../formats/chat/wire'
import { heardTokens } from './realtime-sound'
import type { Steps } from './slices'
import { sandboxAnswer, type SandboxAnswer } from './text'
import { countTokens } from './tokens'

/** Tokens of one kind in all, and which of them the answer before had read already. */
interface Count {
  all: number
  cached: number
}

/** What is older is forgotten, as vendors cut a conversation that outgrows their models. */
export const maxMemoryChars = 400_000

/** What was said so far. */
export interface Memory {
  /** @param seconds of sound in it */
  add(item: Fields, seconds?: number): Fields
  /** Sets fields of an item that was added. */
  change(item: Fields, fields: Fields): void
  find(id: unknown): Fields | null
  remove(id: unknown): boolean
  lastId(): string | null
  /** What the sandbox says to it. */
  answer(session: Fields): Steps<SandboxAnswer>
  /** What an answer to all of it reads; from then on it is cached. */
  read(session: Fields): { readonly text: Count; readonly audio: Count }
}

interface Kept {
  readonly item: Fields
  chars: number
  readonly seconds: number
  cached: boolean
}

export function openMemory(): Memory {
  /** By id, oldest first. */
  const items = new Map<unknown, Kept>()
  let count = 0
  let all = 0
  let instructionsRead = false

  const remove = (id: unknown): boolean => {
    all -= items.get(id)?.chars ?? 0
    return items.delete(id)
  }
  const keep = (kept: Kept) => {
    kept.chars = JSON.stringify(kept.item).length
    all += kept.chars
    for (const id of items.keys()) {
      if (all <= maxMemoryChars || items.size === 1) return
      remove(id)
    }
  }

  return {
    add(item, seconds = 0) {
      const id = typeof item['id'] === 'string' ? item['id'] : `item_sandbox_${++count}`
      const added = { ...item, id, object: 'realtime.item', status: item['status'] ?? 'completed' }
      const kept = { item: added, chars: 0, seconds, cached: false }
      // One of the same name goes: the new one is the last.
      remove(id)
      items.set(id, kept)
      keep(kept)
      return added
    },
    change(item, fields) {
      Object.assign(item, fields)
      const kept = items.get(item['id'])
      if (kept?.item !== item) return
      all -= kept.chars
      keep(kept)
    },
    find: (id) => items.get(id)?.item ?? null,
    remove,
    lastId: () => {
      const last = [...items.keys()].at(-1)
      return typeof last === 'string' ? last : null
    },
    answer(session) {
      const tools = listOf(session['tools']).map((tool) => ({
        type: 'function',
        function: fieldsOf(tool),
      }))
      const messages = Array.from(items.values(), ({ item, seconds }) => messageOf(item, seconds))
      return sandboxAnswer({ messages, tools, tool_choice: session['tool_choice'] })
    },
    read(session) {
      const instructions = countTokens(textOf(session['instructions']) ?? '')
      const text = { all: instructions, cached: instructionsRead ? instructions : 0 }
      const audio = { all: 0, cached: 0 }
      for (const kept of items.values()) {
        const words = countTokens(wordsOf(kept.item))
        const heard = heardTokens(kept.seconds)
        text.all += words
        audio.all += heard
        if (kept.cached) {
          text.cached += words
          audio.cached += heard
        }
        kept.cached = true
      }
      instructionsRead = true
      return { text, audio }
    },
  }
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
