import { fieldsOf, isFields, listOf, textOf, type Fields } from '../../formats/chat/wire'
import { heardTokens } from './realtime-sound'
import { sandboxAnswer, type SandboxAnswer } from './text'
import { countWords } from './words'

/** Tokens of one kind in all, and which of them the answer before had read already. */
interface Count {
  all: number
  cached: number
}

/** What is older is forgotten, as vendors cut a conversation that outgrows their models. */
const mostChars = 400_000

/** What was said so far. */
export interface Memory {
  /** @param seconds of sound in it */
  add(item: Fields, seconds?: number): Fields
  find(id: unknown): Fields | null
  remove(id: unknown): boolean
  lastId(): string | null
  /** What the sandbox says to it. */
  answer(session: Fields): SandboxAnswer
  /** What an answer to all of it reads; from then on it is cached. */
  read(session: Fields): { readonly text: Count; readonly audio: Count }
}

interface Kept {
  readonly item: Fields
  readonly chars: number
  readonly seconds: number
  cached: boolean
}

export function openMemory(): Memory {
  let items: Kept[] = []
  let count = 0
  let all = 0
  let instructionsRead = false
  return {
    add(item, seconds = 0) {
      const id = typeof item['id'] === 'string' ? item['id'] : `item_sandbox_${++count}`
      const kept = { ...item, id, object: 'realtime.item', status: item['status'] ?? 'completed' }
      const chars = JSON.stringify(kept).length
      items.push({ item: kept, chars, seconds, cached: false })
      all += chars
      while (all > mostChars && items.length > 1) all -= items.shift()?.chars ?? 0
      return kept
    },
    find: (id) => items.find(({ item }) => item['id'] === id)?.item ?? null,
    remove(id) {
      const left = items.filter(({ item }) => item['id'] !== id)
      const removed = left.length < items.length
      items = left
      all = left.reduce((sum, { chars }) => sum + chars, 0)
      return removed
    },
    lastId: () => {
      const id = items.at(-1)?.item['id']
      return typeof id === 'string' ? id : null
    },
    answer(session) {
      const tools = listOf(session['tools']).map((tool) => ({
        type: 'function',
        function: fieldsOf(tool),
      }))
      const messages = items.map(({ item, seconds }) => messageOf(item, seconds))
      return sandboxAnswer({ messages, tools, tool_choice: session['tool_choice'] })
    },
    read(session) {
      const instructions = countWords(textOf(session['instructions']) ?? '')
      const text = { all: instructions, cached: instructionsRead ? instructions : 0 }
      const audio = { all: 0, cached: 0 }
      for (const kept of items) {
        const words = countWords(wordsOf(kept.item))
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
