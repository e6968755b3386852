import { knownMark } from '../chat/cache-marks'
import type { ChatBody } from '../chat/schema'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { definitionOf } from './client-tools'
import type { MessagesBody } from './schema'
import { shortName } from './tool-names'

type ToolOptions = Pick<ChatBody, 'tools' | 'tool_choice' | 'parallel_tool_calls'>

/**
 * The tools (`ToolUnion` and `ToolChoice` of the SDK, 1.14.0) that are offered by now, and how the model is
 * to choose. Tools that run at the vendor are left out, and those that wait until the client finds them.
 */
export function parseTools(body: MessagesBody): ToolOptions {
  const offered = offeredTools(body)
  if (offered.length === 0) return {}
  const names = new Set(offered.map(({ name }) => name))
  const choice = choiceOf(fieldsOf(body.tool_choice), names)
  const single = fieldsOf(body.tool_choice)['disable_parallel_tool_use'] === true
  return {
    tools: offered.map(toolOf),
    ...(choice === null ? {} : { tool_choice: choice }),
    ...(single ? { parallel_tool_calls: false } : {}),
  }
}

/** The names of all tools that may be called by now, as the client gave them. */
export const offeredNames = (body: MessagesBody): readonly string[] =>
  offeredTools(body).map(({ name }) => String(name))

/** Name of the tool by which Claude Code (2.1.329, as measured) holds the place of those that wait. */
const placeholder = 'DeferredToolPlaceholder'

function offeredTools({ tools, messages, tool_choice: choice }: MessagesBody): readonly Fields[] {
  const blocks = messages.flatMap(({ role, content }) =>
    listOf(content)
      .filter(isFields)
      .map((block) => ({ role, block })),
  )
  const found = new Set(blocks.flatMap(({ block }) => referencesIn(block)))
  const { name: chosen } = fieldsOf(choice)
  // No vendor of another format searches: there all tools stand open.
  const isOpen = tools?.some(isVendorSearch) === true
  const known = new Map<unknown, Fields>()
  for (const tool of (tools ?? []).map(definitionOf))
    if (tool !== null) known.set(tool['name'], tool)
  const offered = new Map(
    [...known].filter(
      ([name, tool]) =>
        name !== placeholder &&
        (tool['defer_loading'] !== true || isOpen || name === chosen || found.has(name)),
    ),
  )
  // Tools that came and went in the middle of the conversation.
  for (const { role, block } of blocks) {
    if (role !== 'system') continue
    const tool = fieldsOf(block['tool'])
    if (block['type'] === 'tool_removal') offered.delete(tool['name'])
    if (block['type'] !== 'tool_addition') continue
    const definition = isFields(tool['definition'])
      ? definitionOf(tool['definition'])
      : known.get(tool['name'])
    if (definition === undefined || definition === null) continue
    known.set(definition['name'], definition)
    offered.set(definition['name'], definition)
  }
  return [...offered.values()]
}

/** A tool search that runs at the vendor (`ToolSearchToolBm25_20251119`, `ToolSearchToolRegex20251119`). */
export const isVendorSearch = ({ type }: Fields): boolean =>
  typeof type === 'string' && type.startsWith('tool_search_tool_')

/** Names of tools that a search found, the client's or the vendor's. */
function referencesIn({ type, content }: Fields): readonly unknown[] {
  const references =
    type === 'tool_result'
      ? listOf(content).filter((block) => fieldsOf(block)['type'] === 'tool_reference')
      : type === 'tool_search_tool_result'
        ? listOf(fieldsOf(content)['tool_references'])
        : []
  return references.map((reference) => fieldsOf(reference)['tool_name'])
}

function toolOf(tool: Fields) {
  const { name, input_schema: parameters, strict } = tool
  const description = descriptionOf(tool)
  const mark = knownMark(tool)
  return {
    type: 'function',
    function: {
      name: shortName(String(name)),
      ...(description === null ? {} : { description }),
      parameters,
      ...(strict === true ? { strict } : {}),
    },
    ...(mark === null ? {} : { cache_control: mark }),
  }
}

/** With the examples of an input, for which chat has no member. */
function descriptionOf({ description, input_examples: examples }: Fields): string | null {
  const lines = listOf(examples).map((example) => JSON.stringify(example))
  const shown = lines.length === 0 ? [] : [['Examples of its input:', ...lines].join('\n')]
  const parts = [...(typeof description === 'string' ? [description] : []), ...shown]
  return parts.length === 0 ? null : parts.join('\n\n')
}

function choiceOf(
  { type, name }: Fields,
  names: ReadonlySet<unknown>,
): NonNullable<ChatBody['tool_choice']> | null {
  switch (type) {
    case 'auto':
    case 'none':
      return type
    case 'any':
      return 'required'
    case 'tool':
      return names.has(name)
        ? { type: 'function', function: { name: shortName(String(name)) } }
        : null
  }
  return null
}
