import { isFields, listOf, type Fields } from '../../json/fields'
import {
  own,
  ownHint,
  translated,
  translatedParts,
  unsaidInList,
  type RequestMembers,
  type UnlistedMembers,
} from '../request-members'

/*
 * Members inside the messages of a chat body, as vendors of other formats can be asked for them.
 * openai/openai-node 7.59.0, `src/resources/chat/completions/completions.ts` (`ChatCompletionMessageParam`).
 */

/** Marks of a prompt's cache: OpenRouter's, and the reference's. */
const marks = {
  cache_control: translated(),
  prompt_cache_breakpoint: translated(),
} satisfies RequestMembers

export const chatMessageMembers: RequestMembers = {
  ...marks,
  role: translated(),
  content: translated(),
  name: translated(),
  tool_calls: translated(),
  tool_call_id: translated(),
  function_call: translated(),
  refusal: translated(),
  // Without an id there is nothing in it.
  audio: ownHint('given'),
  annotations: ownHint('given'),
  // Reasoning under the names of those who return it.
  reasoning_content: translated(),
  reasoning: translated(),
  reasoning_details: ownHint('hint'),
  // The answer goes on from this message: so it does everywhere when it stands last.
  prefix: own(true, false),
  partial: own(true, false),
}

/** By the type of a part; parts of other types are refused when they are read. */
export const chatPartMembers: Readonly<Record<string, RequestMembers>> = {
  text: { ...marks, type: translated(), text: translated(), annotations: ownHint('given') },
  refusal: { ...marks, type: translated(), refusal: translated() },
  image_url: {
    ...marks,
    type: translated(),
    // How closely it is looked at: vendors that have no such choice look as they do.
    image_url: translatedParts({
      url: translated(),
      detail: translated(),
      format: ownHint('given'),
    }),
  },
  input_audio: {
    ...marks,
    type: translated(),
    input_audio: translatedParts({ data: translated(), format: translated() }),
  },
  file: {
    ...marks,
    type: translated(),
    file: translatedParts({
      file_data: translated(),
      filename: translated(),
      format: ownHint('given'),
    }),
  },
  // Mistral's.
  document_url: {
    ...marks,
    type: translated(),
    document_url: translated(),
    document_name: translated(),
  },
  thinking: { type: translated(), thinking: translated(), closed: ownHint('given') },
}

export const chatCallMembers: RequestMembers = {
  cache_control: translated(),
  id: translated(),
  type: translated(),
  index: ownHint('given'),
  function: translatedParts({
    name: translated(),
    arguments: translated(),
    parsed_arguments: ownHint('given'),
  }),
  custom: translatedParts({ name: translated(), input: translated() }),
  // Signatures of one vendor's reasoning.
  extra_content: ownHint('hint'),
}

export const chatToolMembers: RequestMembers = {
  cache_control: translated(),
  type: translated(),
  function: translatedParts({
    name: translated(),
    description: translated(),
    parameters: translated(),
    strict: translated(),
    cache_control: translated(),
  }),
  custom: own(),
}

/** The first member inside the messages or tools of a chat body that no other format says; null for none. */
export function unsaidInChat(
  { messages, tools }: Readonly<Fields>,
  unlisted: UnlistedMembers,
): string | null {
  const unsaid =
    unsaidInList(messages, 'messages', unlisted, () => chatMessageMembers) ??
    unsaidInList(tools, 'tools', unlisted, ({ type }) =>
      type === 'function' ? chatToolMembers : undefined,
    )
  if (unsaid !== null) return unsaid
  for (const [index, message] of listOf(messages).entries()) {
    if (!isFields(message)) continue
    const at = `messages[${index}]`
    const inside =
      unsaidInList(message['content'], `${at}.content`, unlisted, partMembers) ??
      unsaidInList(message['tool_calls'], `${at}.tool_calls`, unlisted, () => chatCallMembers)
    if (inside !== null) return inside
  }
  return null
}

const partMembers = ({ type }: Fields): RequestMembers | undefined =>
  typeof type === 'string' && Object.hasOwn(chatPartMembers, type)
    ? chatPartMembers[type]
    : undefined
