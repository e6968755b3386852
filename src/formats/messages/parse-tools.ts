import { knownMark } from '../chat/cache-marks'
import type { ChatBody } from '../chat/schema'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import type { MessagesBody } from './schema'
import { shortName } from './tool-names'

type ToolOptions = Pick<ChatBody, 'tools' | 'tool_choice' | 'parallel_tool_calls'>

/**
 * The tools (`ToolUnion` and `ToolChoice` of the SDK, 1.11.0) that are offered by now, and how the model is
 * to choose. Tools that run at the vendor are left out, and those that wait to be found until they were.
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

function offeredTools({ tools, messages }: MessagesBody): readonly Fields[] {
  const blocks = messages.flatMap(({ role, content }) =>
    listOf(content)
      .filter(isFields)
      .map((block) => ({ role, block })),
  )
  const found = new Set(blocks.flatMap(({ block }) => referencesIn(block)))
  const known = new Map<unknown, Fields>()
  for (const tool of tools ?? []) if (isOurs(tool)) known.set(tool.name, tool)
  const offered = new Map(
    [...known].filter(
      ([name, tool]) =>
        name !== placeholder && (tool['defer_loading'] !== true || found.has(String(name))),
    ),
  )
  // Tools that came and went in the middle of the conversation.
  for (const { role, block } of blocks) {
    if (role !== 'system') continue
    const tool = fieldsOf(block['tool'])
    if (block['type'] === 'tool_removal') offered.delete(tool['name'])
    if (block['type'] !== 'tool_addition') continue
    const definition = isFields(tool['definition']) ? tool['definition'] : known.get(tool['name'])
    if (definition === undefined || !isOurs(definition)) continue
    known.set(definition['name'], definition)
    offered.set(definition['name'], definition)
  }
  return [...offered.values()]
}

/** Run by the client, by a schema that it gives. */
const isOurs = ({ type, input_schema: schema }: Fields): boolean =>
  (type === undefined || type === null || type === 'custom') && isFields(schema)

const referencesIn = ({ type, content }: Fields): readonly string[] =>
  type !== 'tool_result'
    ? []
    : listOf(content)
        .filter(isFields)
        .flatMap((block) =>
          block['type'] === 'tool_reference' ? [String(block['tool_name'])] : [],
        )

function toolOf(tool: Fields) {
  const { name, description, input_schema: parameters, strict } = tool
  const mark = knownMark(tool)
  return {
    type: 'function',
    function: {
      name: shortName(String(name)),
      ...(typeof description === 'string' ? { description } : {}),
      parameters,
      ...(strict === true ? { strict } : {}),
    },
    ...(mark === null ? {} : { cache_control: mark }),
  }
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
