import type { Traits } from '../../../domain/model'
import { withCacheMark } from '../chat/cache-marks'
import type { ToolChoice, ToolOption, ToolOptions } from '../chat/tool-options'
import type { Turn } from '../chat/turns'
import type { WebSearch } from '../chat/web-search'
import { fieldsOf, listOf, type Fields } from '../../json/fields'
import type { JsonTool } from './json-answer'
import { closedSchema } from './json-schema'

interface ToolParts {
  readonly options: ToolOptions
  readonly traits: Traits
  readonly turns: readonly Turn[]
  readonly answerTool: JsonTool | null
}

/** The members `tools` and `tool_choice`, as far as there are any. */
export function renderTools(asked: ToolParts): Fields {
  const { options, traits, turns, answerTool } = asked
  const tools = options.tools.map((tool) => toolOf(tool, traits.structured ?? 'schema'))
  if (answerTool !== null) {
    const { name, description, schema, besideOthers } = answerTool
    const all = besideOthers ? tools : []
    const choose = besideOthers ? { type: 'any' } : { type: 'tool', name }
    return { tools: [...all, { name, description, input_schema: schema }], tool_choice: choose }
  }
  // A history with calls is refused without their tools.
  if (tools.length === 0) return stubs(turns)
  const rendered = choiceOf(options.choice, options.parallel === false)
  return rendered === null ? { tools } : { tools, tool_choice: rendered }
}

/** A search besides, where tools may be called at all. @param tools as rendered */
export function withSearch(tools: Fields, search: WebSearch | null): Fields {
  if (search === null || fieldsOf(tools['tool_choice'])['type'] === 'none') return tools
  const { location, domains, maxSearches } = search
  const tool: Fields = { type: 'web_search_20250305', name: 'web_search', max_uses: maxSearches }
  if (domains !== null) tool['allowed_domains'] = domains
  if (location !== null) tool['user_location'] = { type: 'approximate', ...location }
  return { ...tools, tools: [...listOf(tools['tools']), tool] }
}

function toolOf(option: ToolOption, structured: string): Fields {
  const { name, description, parameters, strict, cache } = option
  const tool: Fields = { name }
  if (description !== null) tool['description'] = description
  const schema = parameters ?? { type: 'object', properties: {} }
  const held = strict && structured === 'schema' ? closedSchema(schema) : null
  tool['input_schema'] = held ?? objectSchema(schema)
  if (held !== null) tool['strict'] = true
  return withCacheMark(tool, cache)
}

/** The input of a tool is an object, and the schema must say so. */
const objectSchema = (schema: Fields): Fields =>
  schema['type'] === 'object' ? schema : { ...schema, type: 'object' }

/** @returns null where the vendor's own way is the one asked for */
function choiceOf(choice: ToolChoice | null, single: boolean): Fields | null {
  const one = single ? { disable_parallel_tool_use: true } : {}
  switch (choice?.kind) {
    case 'none':
      return { type: 'none' }
    case 'required':
      return { type: 'any', ...one }
    case 'named':
      return { type: 'tool', name: choice.name, ...one }
    case 'auto':
      return { type: 'auto', ...one }
  }
  return single ? { type: 'auto', ...one } : null
}

function stubs(turns: readonly Turn[]): Fields {
  const names = new Set(
    turns.flatMap((turn) => (turn.role === 'assistant' ? turn.calls.map(({ name }) => name) : [])),
  )
  if (names.size === 0) return {}
  const tools = [...names].map((name) => ({
    name,
    input_schema: { type: 'object', properties: {} },
  }))
  return { tools, tool_choice: { type: 'none' } }
}
