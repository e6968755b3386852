import { fieldsOf, type Fields } from '../../json/fields'
import type { InnerJson } from '../../json/inner-json'
import { type ReplyIdentity } from '../chat/wire'
import type { HubToolCall } from '../hub'
import { formOf } from './client-tools'
import type { ClientTool } from './parse-tools'
import { itemId } from './response-object'

type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/**
 * Output items as clients read them. `index` is their place in the output.
 * @see openai/openai-openapi `OutputItem`, 2.3.0 of 2026-08-21
 */
export const messageItem = (
  identity: ReplyIdentity,
  index: number,
  status: ItemStatus,
  content: readonly Fields[],
): Fields => ({
  id: itemId('msg', identity, index),
  type: 'message',
  status,
  role: 'assistant',
  content,
})

export const reasoningItem = (identity: ReplyIdentity, index: number, text: string): Fields => ({
  id: itemId('rs', identity, index),
  type: 'reasoning',
  summary: text === '' ? [] : [{ type: 'summary_text', text }],
})

/** A call of a tool in an answer. */
interface AnsweredCall {
  readonly call: HubToolCall
  readonly tool: ClientTool
  /** Of all calls of the answer. */
  readonly inner: InnerJson
}

/** Output item of a tool's call, by the kind of tool. */
export function callItem(
  identity: ReplyIdentity,
  index: number,
  status: ItemStatus,
  { call, tool, inner }: AnsweredCall,
): Fields {
  const { name, namespace, kind } = tool
  const named = { call_id: call.id, name, ...(namespace === null ? {} : { namespace }) }
  const id = itemId(callPrefix(kind), identity, index)
  switch (kind) {
    case 'function':
      return { id, type: 'function_call', status, ...named, arguments: call.arguments }
    case 'custom': {
      const input = customInput(call.arguments, inner)
      return { id, type: 'custom_tool_call', status, ...named, input }
    }
    case 'search': {
      const found = { execution: 'client', arguments: inputOf(call.arguments, inner) }
      return { id, type: 'tool_search_call', status, call_id: call.id, ...found }
    }
  }
  const { item: type, members } = formOf(kind)
  const said = members(inputOf(call.arguments, inner))
  // A patch has no word for what was cut (`ResponseApplyPatchToolCall`).
  const known = kind === 'apply_patch' && status === 'incomplete' ? 'in_progress' : status
  return { id, type, status: known, call_id: call.id, ...said }
}

const prefixes = { function: 'fc', custom: 'ctc', search: 'tsc' } as const

/** Prefix of the ids of a tool's calls. */
export const callPrefix = (kind: ClientTool['kind']): string =>
  kind === 'function' || kind === 'custom' || kind === 'search'
    ? prefixes[kind]
    : formOf(kind).prefix

function inputOf(text: string, inner: InnerJson): Fields {
  try {
    return fieldsOf(inner.parse(text))
  } catch {
    return {}
  }
}

/** The one text that a custom tool takes: chat vendors wrap it in an object. */
export function customInput(text: string, inner: InnerJson): string {
  try {
    const { input } = fieldsOf(inner.parse(text))
    return typeof input === 'string' ? input : text
  } catch {
    return text
  }
}

export const textPart = (
  text: string,
  annotations: readonly Fields[] = [],
  logprobs: unknown = [],
): Fields => ({
  type: 'output_text',
  text,
  annotations,
  logprobs,
})

export const refusalPart = (refusal: string): Fields => ({ type: 'refusal', refusal })

/** A citation of chat in the shape of this format (`UrlCitationBody`). */
export function citation(annotation: Fields): Fields {
  const { type, url_citation: cited } = annotation
  return type === 'url_citation' && cited !== undefined ? { type, ...fieldsOf(cited) } : annotation
}
