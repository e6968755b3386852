import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'

/**
 * About 4,000 tokens, in characters: some models cache no shorter prompt, and a short one is not worth its
 * write.
 */
const minChars = 16_000

const mark = { type: 'ephemeral' }

/**
 * The most marks of one request, that of the request itself among them: one more is refused ("A maximum of 4 blocks
 * with cache_control may be provided", platform.claude.com/docs, prompt caching, 2026-11).
 */
const maxMarks = 4

/**
 * Takes off the marks of a request that are too many, in place. The latest stay, where the longest prompts are read,
 * and the last of tools and instructions, which conversations share.
 */
export function limitMarks(request: Fields): void {
  const lasting = [...markedBlocks(request['tools']), ...markedBlocks(request['system'])]
  const all = [...lasting, ...markedInMessages(request)]
  const room = request['cache_control'] === undefined ? maxMarks : maxMarks - 1
  if (all.length <= room) return
  const kept = all.slice(-room)
  const base = lasting.at(-1)
  if (base !== undefined && !kept.includes(base)) kept[0] = base
  for (const block of all) if (!kept.includes(block)) delete block['cache_control']
}

const markedBlocks = (blocks: unknown): readonly Fields[] =>
  listOf(blocks)
    .filter(isFields)
    .filter((block) => block['cache_control'] !== undefined)

const markedInMessages = ({ messages }: Fields): readonly Fields[] =>
  listOf(messages).flatMap((message) => markedBlocks(fieldsOf(message)['content']))

/**
 * Whether its client marked anything. Marks of the operator beside those could be too many, or live shorter than one
 * behind them, and both are refused.
 */
const isMarked = (request: Fields): boolean =>
  request['cache_control'] !== undefined ||
  [request['tools'], request['system']].some((blocks) => markedBlocks(blocks).length > 0) ||
  markedInMessages(request).length > 0

/**
 * Asks the vendor to keep the prompt for the next turn, which then costs a tenth of it; the write
 * costs a quarter more.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts`
 *   (`CacheControlEphemeral`)
 * @param text the request as JSON
 * @returns the request as JSON, as it was where it is too short or its client marked it
 */
export function markedForCache(request: Fields, text: string): string {
  if (text.length < minChars || isMarked(request)) return text
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
