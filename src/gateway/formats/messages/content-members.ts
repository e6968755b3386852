import { fieldsOf, listOf, type Fields } from '../../json/fields'
import {
  own,
  ownHint,
  translated,
  unsaidInList,
  type RequestMembers,
  type UnlistedMembers,
} from '../request-members'
import type { MessagesBody } from './schema'

/*
 * Members inside the messages of a request, as vendors of other formats can be asked for them.
 * anthropics/anthropic-sdk-typescript 1.14.0, `src/resources/beta/messages/messages.ts` (`BetaMessageParam`).
 */

const block = {
  type: translated(),
  cache_control: translated(),
} satisfies RequestMembers

/** Quotes of given pages in the answer: only a vendor of the format makes them. */
const citations = own({ enabled: false }, {})

export const messageMembers: RequestMembers = {
  role: translated(),
  content: translated(),
  // Of instructions in the middle: until when they hold, and how much is thought from there on.
  clear_at: own('never'),
  output_config: own({}),
}

/** By the type of a block; blocks of other types are looked at elsewhere. */
export const blockMembers: Readonly<Record<string, RequestMembers>> = {
  text: {
    ...block,
    text: translated(),
    // Of an earlier answer: what it quotes stands in the text.
    citations: ownHint('hint'),
  },
  image: {
    ...block,
    source: translated(),
    transformations: ownHint('hint'),
  },
  document: {
    ...block,
    source: translated(),
    title: translated(),
    context: translated(),
    citations,
  },
  search_result: {
    ...block,
    content: translated(),
    source: translated(),
    title: translated(),
    citations,
  },
  tool_use: {
    ...block,
    id: translated(),
    name: translated(),
    input: translated(),
    // Which code of the vendor's called it; the model itself where there is none.
    caller: ownHint('hint'),
    toolset_name: translated(),
  },
  tool_result: {
    ...block,
    tool_use_id: translated(),
    content: translated(),
    is_error: translated(),
    toolset_name: translated(),
  },
  thinking: { type: translated(), thinking: translated(), signature: ownHint('hint') },
}

/** A search of the web, where the model has a price for one. */
export const searchMembers: RequestMembers = {
  ...block,
  name: translated(),
  max_uses: translated(),
  allowed_domains: translated(),
  blocked_domains: own([]),
  user_location: translated(),
  strict: ownHint('hint'),
  defer_loading: ownHint('hint'),
  allowed_callers: ownHint('hint'),
  response_inclusion: ownHint('hint'),
}

/**
 * The first member inside a request that no other format says; null for none.
 * @param searches whether a search of the web is sold
 */
export function unsaidInMessages(
  raw: MessagesBody,
  searches: boolean,
  unlisted: UnlistedMembers,
): string | null {
  const search = ({ type }: Fields) =>
    searches && typeof type === 'string' && type.startsWith('web_search_')
      ? searchMembers
      : undefined
  const edits = listOf(fieldsOf(fieldsOf(raw)['context_management'])['edits'])
  const compaction = edits.findIndex((edit) => isCompaction(fieldsOf(edit)))
  if (compaction >= 0) return `context_management.edits[${compaction}].type`
  return (
    unsaidInList(raw.messages, 'messages', unlisted, () => messageMembers) ??
    unsaidInList(raw.system, 'system', unlisted, membersOf) ??
    unsaidInBlocks(raw.messages, unlisted) ??
    unsaidInList(raw.tools, 'tools', unlisted, search)
  )
}

/** Only a vendor of the format makes a conversation shorter by itself. */
const isCompaction = ({ type }: Fields): boolean =>
  typeof type === 'string' && type.startsWith('compact_')

function unsaidInBlocks(
  messages: MessagesBody['messages'],
  unlisted: UnlistedMembers,
): string | null {
  for (const [index, { content }] of messages.entries()) {
    const at = `messages[${index}].content`
    const unsaid = unsaidInList(content, at, unlisted, membersOf)
    if (unsaid !== null) return unsaid
    for (const [place, each] of listOf(content).entries()) {
      const { type, content: inner } = fieldsOf(each)
      if (type !== 'tool_result') continue
      const inside = unsaidInList(inner, `${at}[${place}].content`, unlisted, membersOf)
      if (inside !== null) return inside
    }
  }
  return null
}

const membersOf = ({ type }: Fields): RequestMembers | undefined =>
  typeof type === 'string' && Object.hasOwn(blockMembers, type) ? blockMembers[type] : undefined
