import type { ChatBody } from '../chat/schema'
import { fieldsOf, isFields, isText, listOf, type Fields } from '../../json/fields'
import { textOf } from '../chat/wire'
import { hostedTool } from '../hosted-tools'
import { shortName } from '../messages/tool-names'
import { chosenForm, formKindOf, formOf, type FormKind } from './client-tools'
import { offeredTools } from './hosted-tools'
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
  readonly kind: 'function' | 'custom' | 'search' | FormKind
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
    const kind = formKindOf(tool)
    if (kind !== null) {
      const form = formOf(kind)
      return [{ name: form.name, tool, called: { name: form.name, namespace, kind } }]
    }
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

/** Tools found by tool searches of earlier turns, and those that came in the middle of a conversation. */
const toolsFound = (input: ResponsesBody['input']): readonly unknown[] =>
  typeof input === 'string'
    ? []
    : input
        .map(fieldsOf)
        .filter(({ type }) => type === 'tool_search_output' || type === 'additional_tools')
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
  const choice = choiceOf(body.tool_choice, namesIn(tools))
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
  const { parameters, strict } = tool
  if (kind === 'custom') return { name, ...descriptionOf(tool), parameters: textInput }
  if (kind !== 'function' && kind !== 'search') {
    const { schema, describe } = formOf(kind)
    return { name, description: describe(tool), parameters: schema }
  }
  return {
    name,
    ...descriptionOf(tool),
    parameters: isFields(parameters) ? parameters : { type: 'object', properties: {} },
    ...(typeof strict === 'boolean' ? { strict } : {}),
  }
}

/** With the form of a custom tool's input, and that of an output, which chat has no members for. */
function descriptionOf({ description, format, output_schema: output }: Fields): Fields {
  const { type, syntax, definition } = fieldsOf(format)
  const lines = typeof description === 'string' ? [description] : []
  if (type === 'grammar' && typeof definition === 'string')
    lines.push(`The input must match this ${textOf(syntax) ?? ''} grammar:\n${definition}`)
  if (isFields(output)) lines.push(`The output matches this JSON Schema: ${JSON.stringify(output)}`)
  return lines.length === 0 ? {} : { description: lines.join('\n\n') }
}

/** Offered tools by what a choice may name them by. */
interface OfferedNames {
  readonly all: ReadonlySet<string>
  readonly byCalled: ReadonlyMap<unknown, readonly Offered[]>
  readonly byNamespace: ReadonlyMap<unknown, readonly Offered[]>
}

const namesIn = (tools: readonly Offered[]): OfferedNames => ({
  all: new Set(tools.map(({ name }) => name)),
  byCalled: Map.groupBy(tools, ({ called }) => called.name),
  byNamespace: Map.groupBy(tools, ({ called }) => called.namespace),
})

/** Names of the offered tools that a choice names. */
function namesOf(choice: Fields, tools: OfferedNames): readonly string[] {
  const { type, name } = choice
  if (type === 'namespace') return (tools.byNamespace.get(name) ?? []).map((each) => each.name)
  const form = type === toolSearch ? toolSearch : chosenForm(type)
  const whole = form ?? (isText(name) ? chatName(choice) : null)
  if (whole !== null && tools.all.has(whole)) return [whole]
  // A choice has no member for a namespace.
  return (tools.byCalled.get(name) ?? []).map((each) => each.name)
}

/** A search that runs at the vendor is never forced: the model is left its way. */
function choiceOf(
  requested: ResponsesBody['tool_choice'],
  offered: OfferedNames,
): NonNullable<ChatBody['tool_choice']> | null {
  if (requested === undefined || requested === null) return null
  if (typeof requested === 'string') return requested
  const choice: Fields = fieldsOf(requested)
  const { type, mode, tools } = choice
  if (type !== 'allowed_tools') {
    const [name] = namesOf(choice, offered)
    return name === undefined ? null : { type: 'function', function: { name } }
  }
  // Tools that run at the vendor are none of chat's.
  const names = listOf(tools)
    .filter(isFields)
    .flatMap((each) => namesOf(each, offered))
  const allowed = names.map((name) => ({ type: 'function', function: { name } }))
  return { type, allowed_tools: { mode: mode ?? 'auto', tools: allowed } }
}

/** The member of a request that chooses a tool of the client's which is not there; null for none. */
export function missingChoice(body: ResponsesBody): string | null {
  const { tool_choice: choice } = body
  const tools = offered(body)
  if (choice === 'required')
    return tools.length > 0 || offeredTools(body).length > 0 ? null : 'tool_choice'
  if (!isFields(choice)) return null
  const names = namesIn(tools)
  const isMissing = (raw: unknown): boolean => {
    const each = fieldsOf(raw)
    if (hostedTool({ ...each, tools: [] }) !== null || each['type'] === toolSearch) return false
    return namesOf(each, names).length === 0
  }
  if (choice['type'] !== 'allowed_tools') return isMissing(choice) ? 'tool_choice' : null
  const place = listOf(choice['tools']).findIndex(isMissing)
  return place < 0 ? null : `tool_choice.tools[${place}]`
}
