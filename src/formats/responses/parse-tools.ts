import type { ChatBody } from '../chat/schema'
import { fieldsOf, isFields, isText, listOf, type Fields } from '../../json/fields'
import { textOf } from '../chat/wire'
import { shortName } from '../messages/tool-names'
import type { ResponsesBody } from './schema'

/** A tool that chat can call, and how the client knows it. */
interface Offered {
  /** Tool as the vendor is offered it. */
  readonly name: string
  readonly tool: Fields
  readonly called: ClientTool
}

/** Client's name of a tool, and the kind of call it waits for. */
export interface ClientTool {
  readonly name: string
  readonly namespace: string | null
  /** The input of a custom tool is a text; a search finds tools that the client kept back. */
  readonly kind: 'function' | 'custom' | 'search'
}

/** Between a namespace (`NamespaceToolParam`, which Codex sends) and a name in it. */
const joint = '__'

/** Tools of the client's own; those that run at a vendor are none of chat's. */
function offered(body: ResponsesBody): readonly Offered[] {
  const read = (tool: Fields, namespace: string | null): Offered[] => {
    const { type, name, tools } = tool
    if (type === 'namespace')
      return listOf(tools)
        .filter(isFields)
        .flatMap((inner) => read(inner, String(name)))
    if (type === toolSearch && tool['execution'] === 'client')
      return [{ name: toolSearch, tool, called: { name: toolSearch, namespace, kind: 'search' } }]
    if ((type !== 'function' && type !== 'custom') || typeof name !== 'string') return []
    const whole = namespace === null ? name : namespace + joint + name
    return [{ name: shortName(whole), tool, called: { name, namespace, kind: type } }]
  }
  const tools = [...listOf(body.tools), ...toolsFound(body.input)].filter(isFields)
  const byName = new Map(
    tools.flatMap((tool) => read(tool, null)).map((each) => [each.name, each] as const),
  )
  return [...byName.values()]
}

/**
 * The tool by which a model finds others (openai/openai-openapi `ToolSearchToolParam`), and what chat calls
 * it.
 */
export const toolSearch = 'tool_search'

/** Tools found by tool searches of earlier turns. */
const toolsFound = (input: ResponsesBody['input']): readonly unknown[] =>
  typeof input === 'string'
    ? []
    : input
        .map(fieldsOf)
        .filter(({ type }) => type === 'tool_search_output')
        .flatMap(({ tools }) => listOf(tools))

/** The client's names and kinds of tools, by the names that the vendor was told. */
export function clientTools(body: ResponsesBody): (name: string) => ClientTool {
  const known = new Map(offered(body).map(({ name, called }) => [name, called]))
  return (name) => known.get(name) ?? { name, namespace: null, kind: 'function' }
}

/** Name in chat of a client's function. */
export const chatName = ({ name, namespace }: Fields): string =>
  shortName(typeof namespace === 'string' ? namespace + joint + String(name) : String(name))

/** Tools and tool choice of a chat body. */
export function toolOptions(body: ResponsesBody): Partial<ChatBody> {
  const tools = offered(body)
  if (tools.length === 0) return {}
  const choice = choiceOf(body.tool_choice)
  const parallel = body.parallel_tool_calls
  return {
    tools: tools.map(({ name, tool, called }) => ({
      type: 'function',
      function: shown(name, tool, called),
    })),
    ...(choice === null ? {} : { tool_choice: choice }),
    ...(typeof parallel === 'boolean' ? { parallel_tool_calls: parallel } : {}),
  }
}

const textInput = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
}

function shown(name: string, tool: Fields, { kind }: ClientTool): Fields {
  const custom = kind === 'custom'
  const { parameters, strict } = tool
  return {
    name,
    ...descriptionOf(tool),
    parameters: custom
      ? textInput
      : isFields(parameters)
        ? parameters
        : { type: 'object', properties: {} },
    ...(typeof strict === 'boolean' && !custom ? { strict } : {}),
  }
}

/** Of a custom tool with the form of its input, which chat has no member for. */
function descriptionOf({ description, format }: Fields): Fields {
  const { type, syntax, definition } = fieldsOf(format)
  const lines = typeof description === 'string' ? [description] : []
  if (type === 'grammar' && typeof definition === 'string')
    lines.push(`The input must match this ${textOf(syntax) ?? ''} grammar:\n${definition}`)
  return lines.length === 0 ? {} : { description: lines.join('\n\n') }
}

/** A search that runs at the vendor is never forced: the model is left its way. */
function choiceOf(
  requested: ResponsesBody['tool_choice'],
): NonNullable<ChatBody['tool_choice']> | null {
  if (requested === undefined || requested === null) return null
  if (typeof requested === 'string') return requested
  const choice: Fields = fieldsOf(requested)
  const { type, mode, tools } = choice
  if (type === 'function' || type === 'custom')
    return { type: 'function', function: { name: chatName(choice) } }
  if (type !== 'allowed_tools') return null
  // Tools that run at the vendor have no name, and are none of chat's.
  const named = listOf(tools).filter(isFields)
  const names = named.filter(({ name }) => isText(name)).map(chatName)
  const allowed = names.map((name) => ({ type: 'function', function: { name } }))
  return { type, allowed_tools: { mode: mode ?? 'auto', tools: allowed } }
}
