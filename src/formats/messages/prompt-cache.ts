import { fieldsOf, listOf, type Fields } from '../../json/fields'

/**
 * About 4,000 tokens, in characters: some models cache no shorter prompt, and a short one is not worth its
 * write.
 */
const minChars = 16_000

const mark = { type: 'ephemeral' }

/**
 * Asks the vendor to keep the prompt for the next turn, which then costs a tenth of it; the write
 * costs a quarter more.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts`
 *   (`CacheControlEphemeral`)
 * @param text the request as JSON
 * @returns the request as JSON, as it was where it is too short
 */
export function markedForCache(request: Fields, text: string): string {
  if (text.length < minChars) return text
  const system = listOf(request['system']).map(fieldsOf)
  const messages = listOf(request['messages']).map(fieldsOf)
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const marked = messages.map((message, index) =>
    index === at
      ? { ...message, content: endMarked(listOf(message['content']).map(fieldsOf)) }
      : message,
  )
  return JSON.stringify({
    ...request,
    ...(system.length > 0 ? { system: endMarked(system) } : {}),
    messages: marked,
  })
}

const endMarked = (blocks: readonly Fields[]): readonly Fields[] =>
  blocks.map((block, index) =>
    index === blocks.length - 1 ? { ...block, cache_control: mark } : block,
  )
