import { GatewayError } from '../../../errors/gateway-error'
import type { ChatBody } from './schema'
import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'
import { readCacheMark, type CacheMark } from './cache-marks'

/** A function that the model may call. */
export interface ToolOption {
  readonly name: string
  readonly description: string | null
  /** JSON Schema of the input; null when it takes none. */
  readonly parameters: Fields | null
  readonly strict: boolean
  readonly cache: CacheMark | null
}

/** Tools offered by a chat body, and how they may be called. */
export interface ToolOptions {
  readonly tools: readonly ToolOption[]
  readonly choice: ToolChoice | null
  /** Null when the client does not say. */
  readonly parallel: boolean | null
}

export type ToolChoice =
  | { readonly kind: 'none' | 'auto' | 'required' }
  | { readonly kind: 'named'; readonly name: string }

/**
 * The tools of a checked chat body, also under their retired names (`functions`, `function_call`); of a list
 * of allowed tools only those are offered.
 * @see openai/openai-openapi `ChatCompletionToolChoiceOption`, 2.3.0 of 2026-08-21
 * @throws invalid_field for a tool that is no function
 */
export function readToolOptions(body: ChatBody): ToolOptions {
  const { functions, function_call: oldChoice } = body as Fields
  const offered =
    body.tools ?? listOf(functions).map((called) => ({ type: 'function', function: called }))
  const tools = offered.map((tool, at) => optionOf(fieldsOf(tool), at))
  const requested = body.tool_choice ?? oldChoice ?? null
  const allowed =
    isFields(requested) && isFields(requested['allowed_tools']) ? requested['allowed_tools'] : null
  const parallel = body.parallel_tool_calls ?? null
  if (allowed === null) return { tools, choice: choiceOf(requested), parallel }
  const names = new Set(listOf(allowed['tools']).map(nameIn))
  return {
    tools: tools.filter(({ name }) => names.has(name)),
    choice: choiceOf(allowed['mode']),
    parallel,
  }
}

/** Whether the model must call a tool, one of them or whichever it likes. */
export const forcesCall = ({ choice }: ToolOptions): boolean =>
  choice?.kind === 'required' || choice?.kind === 'named'

/** Under their present name or the retired one. */
export const offersTools = ({ tools, functions }: Readonly<Fields>): boolean =>
  (tools !== undefined && listOf(tools).length > 0) ||
  (functions !== undefined && listOf(functions).length > 0)

function optionOf(tool: Fields, at: number): ToolOption {
  if (tool['type'] !== 'function') {
    const param = `tools[${at}].type`
    throw new GatewayError(
      'invalid_field',
      { field: param, expected: 'function for this model' },
      { param },
    )
  }
  const { name, description, parameters, strict } = fieldsOf(tool['function'])
  return {
    name: String(name),
    description: typeof description === 'string' && description !== '' ? description : null,
    parameters: isFields(parameters) && Object.keys(parameters).length > 0 ? parameters : null,
    strict: strict === true,
    cache: markOf(tool, `tools[${at}]`),
  }
}

/** Clients put it beside the function or inside. */
const markOf = (tool: Fields, at: string): CacheMark | null =>
  readCacheMark(tool, at) ?? readCacheMark(fieldsOf(tool['function']), `${at}.function`)

function choiceOf(requested: unknown): ToolChoice | null {
  if (requested === 'none' || requested === 'auto' || requested === 'required')
    return { kind: requested }
  const name = nameIn(requested)
  return name === null ? null : { kind: 'named', name }
}

function nameIn(value: unknown): string | null {
  if (!isFields(value)) return null
  const called = isFields(value['function']) ? value['function'] : value
  const { name } = called
  return typeof name === 'string' && name !== '' ? name : null
}
