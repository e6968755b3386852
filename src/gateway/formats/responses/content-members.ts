import { fieldsOf, listOf, type Fields } from '../../json/fields'
import {
  own,
  ownHint,
  refusedAlways,
  translated,
  unsaidInList,
  type RequestMembers,
  type UnlistedMembers,
} from '../request-members'
import type { ResponsesBody } from './schema'

/*
 * Members inside the input of a request, as vendors of other formats can be asked for them.
 * openai/openai-node 7.59.0, `src/resources/responses/responses.ts` (`ResponseInputItem`).
 */

/** What items say of themselves in the vendor's store, and of who made them. */
const item = {
  type: translated(),
  id: ownHint('hint'),
  status: ownHint('hint'),
  created_by: ownHint('hint'),
} satisfies RequestMembers

const call = {
  ...item,
  call_id: translated(),
  // Which code of the vendor's called it; the model itself where there is none.
  caller: ownHint('hint'),
  // The model goes on while it runs.
  async: own(false),
} satisfies RequestMembers

const result = { ...call, output: translated(), name: translated(), namespace: translated() }

/** By the type of an item; items of other types are looked at elsewhere. */
export const itemMembers: Readonly<Record<string, RequestMembers>> = {
  message: {
    ...item,
    role: translated(),
    content: translated(),
    // Whether it was said on the way or as the answer.
    phase: ownHint('hint'),
  },
  reasoning: {
    ...item,
    summary: translated(),
    content: translated(),
    encrypted_content: ownHint('hint'),
  },
  function_call: {
    ...call,
    name: translated(),
    namespace: translated(),
    arguments: translated(),
  },
  function_call_output: result,
  custom_tool_call: { ...call, name: translated(), namespace: translated(), input: translated() },
  custom_tool_call_output: result,
}

const part = {
  type: translated(),
  prompt_cache_breakpoint: translated(),
} satisfies RequestMembers

/** By the type of a part. */
export const itemPartMembers: Readonly<Record<string, RequestMembers>> = {
  input_text: { ...part, text: translated() },
  text: { ...part, text: translated() },
  output_text: {
    ...part,
    text: translated(),
    annotations: ownHint('hint'),
    logprobs: ownHint('hint'),
  },
  refusal: { ...part, refusal: translated() },
  input_image: {
    ...part,
    image_url: translated(),
    detail: translated(),
    file_id: refusedAlways(),
  },
  input_file: {
    ...part,
    file_data: translated(),
    file_url: translated(),
    filename: translated(),
    // How closely pages are looked at: vendors that have no such choice look as they do.
    detail: ownHint('hint'),
    file_id: refusedAlways(),
  },
  input_audio: { ...part, input_audio: translated() },
}

/** A search of the web, where the model has a price for one. */
export const searchMembers: RequestMembers = {
  type: translated(),
  search_context_size: translated(),
  user_location: translated(),
  filters: translated(),
  external_web_access: ownHint('hint'),
  search_content_types: own(['text']),
}

/**
 * The first member inside an input that no other format says; null for none.
 * @param searches whether a search of the web is sold
 */
export function unsaidInInput(
  raw: ResponsesBody,
  searches: boolean,
  unlisted: UnlistedMembers,
): string | null {
  const search = ({ type }: Fields) =>
    searches && typeof type === 'string' && type.startsWith('web_search')
      ? searchMembers
      : undefined
  return (
    unsaidInList(raw.input, 'input', unlisted, ({ type = 'message' }) =>
      ofType(itemMembers, type),
    ) ??
    unsaidInParts(raw.input, unlisted) ??
    unsaidInList(raw.tools, 'tools', unlisted, search)
  )
}

function unsaidInParts(input: ResponsesBody['input'], unlisted: UnlistedMembers): string | null {
  for (const [index, each] of listOf(input).entries())
    for (const name of ['content', 'output']) {
      const list = fieldsOf(each)[name]
      const unsaid = unsaidInList(list, `input[${index}].${name}`, unlisted, ({ type }) =>
        ofType(itemPartMembers, type),
      )
      if (unsaid !== null) return unsaid
    }
  return null
}

const ofType = (
  table: Readonly<Record<string, RequestMembers>>,
  type: unknown,
): RequestMembers | undefined =>
  typeof type === 'string' && Object.hasOwn(table, type) ? table[type] : undefined
