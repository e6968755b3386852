import type { Traits } from '../../../domain/model'
import { readAnswerFormat } from '../chat/answer-format'
import type { ChatBody } from '../chat/schema'
import { readToolOptions } from '../chat/tool-options'
import type { Fields } from '../../json/fields'
import { closedSchema } from './json-schema'

/** A tool that the model must call and whose input is the answer. */
export interface JsonTool {
  readonly name: string
  readonly description: string
  readonly schema: Fields
  /** Tools of the client stand beside it, and may be called instead. */
  readonly besideOthers: boolean
}

/**
 * The tool that binds an answer to a schema, where the model has no field for it or the field
 * cannot express the schema. The same for a request and for reading its answer.
 * @returns null where none is needed, or where a call cannot be forced
 */
export function jsonTool(body: ChatBody, traits: Traits): JsonTool | null {
  const format = readAnswerFormat(body)
  const { structured = 'schema' } = traits
  if (format.kind !== 'schema' || structured === 'object' || traits.forcedTool === false)
    return null
  if (structured === 'schema' && closedSchema(format.schema) !== null) return null
  // The input of a tool is an object: any other answer is left to words.
  if (format.schema['type'] !== 'object') return null
  const { tools, choice } = readToolOptions(body)
  // A call of another tool is wanted more than the form of an answer that does not come.
  if (choice?.kind === 'named' || choice?.kind === 'required') return null
  const names = new Set(tools.map(({ name }) => name))
  return {
    name: names.has('json') ? 'json_answer' : 'json',
    description: format.description ?? 'Gives the answer in its final form.',
    schema: format.schema,
    besideOthers: tools.length > 0 && choice?.kind !== 'none',
  }
}
