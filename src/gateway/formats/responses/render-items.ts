import { callIdForms, fittingCallId } from '../call-ids'
import { breakpointOf } from '../chat/cache-marks'
import { invalidMessage, textOfParts, type Part, type Source } from '../chat/parts'
import type { ToolResult, Turn, TurnCall } from '../chat/turns'
import { isFields, listOf, type Fields } from '../../json/fields'

interface ItemParts {
  /** Role of instructions. */
  readonly role: string
  /** The model takes marks of caches (`prompt_cache_breakpoint`), which none before gpt-5.6 does. */
  readonly breakpoints: boolean
  /** The reasoning items that stood before a call. */
  recall(call: object): unknown
}

/**
 * Turns as items of an input (openai/openai-openapi `InputItem`, 2.3.0 of 2026-08-21).
 * @throws invalid_message
 */
export function renderItems(turns: readonly Turn[], parts: ItemParts): readonly Fields[] {
  const items = itemsOf(turns, parts)
  // A user who says nothing is a question too; an input without items is none.
  return items.length > 0 ? items : [{ role: 'user', content: ' ' }]
}

const itemsOf = (turns: readonly Turn[], parts: ItemParts): readonly Fields[] =>
  turns.flatMap((turn): readonly Fields[] => {
    const isMarked = (said: readonly Part[]) =>
      parts.breakpoints && said.some(({ cache }) => cache !== undefined)
    const partOf = parts.breakpoints ? markedPart : unmarkedPart
    switch (turn.role) {
      case 'system':
        return [
          {
            role: parts.role,
            content: isMarked(turn.parts) ? turn.parts.map(partOf) : turn.text,
          },
        ]
      case 'user':
        return turn.parts.length === 0 ? [] : [{ role: 'user', content: turn.parts.map(partOf) }]
      case 'assistant': {
        const said = turn.text === '' ? [] : [{ role: 'assistant', content: turn.text }]
        return [...reasoningOf(turn.calls, parts), ...said, ...turn.calls.map(callItem)]
      }
    }
    return turn.results.map((result) => resultItem(result, isMarked(result.parts), partOf))
  })

/** Calls of one turn share their reasoning. */
function reasoningOf(calls: readonly TurnCall[], { recall }: ItemParts): readonly Fields[] {
  for (const { raw } of calls) {
    const items = listOf(recall(raw)).filter(isFields)
    if (items.length > 0) return items
  }
  return []
}

const wireId = (id: string): string => fittingCallId(id, callIdForms.responses)

const callItem = ({ id, name, arguments: text }: TurnCall): Fields => ({
  type: 'function_call',
  call_id: wireId(id),
  name,
  arguments: text === '' ? '{}' : text,
})

const resultItem = (
  { callId, parts, missing }: ToolResult,
  isMarked: boolean,
  partOf: (part: Part) => Fields,
): Fields => ({
  type: 'function_call_output',
  call_id: wireId(callId),
  output: missing
    ? 'no result'
    : parts.every(({ type }) => type === 'text') && !isMarked
      ? textOfParts(parts)
      : parts.map(partOf),
})

const markedPart = (part: Part): Fields =>
  part.cache === undefined
    ? unmarkedPart(part)
    : { ...unmarkedPart(part), prompt_cache_breakpoint: breakpointOf(part.cache) }

function unmarkedPart(part: Part): Fields {
  switch (part.type) {
    case 'text':
      return { type: 'input_text', text: part.text }
    case 'image':
      return {
        type: 'input_image',
        image_url: urlOf(part.source),
        detail: part.detail ?? 'auto',
      }
    case 'audio':
      throw invalidMessage('messages', 'without input_audio: this model does not listen')
  }
  const name = part.name === null ? {} : { filename: part.name }
  return part.source.kind === 'url'
    ? { type: 'input_file', ...name, file_url: part.source.url }
    : { type: 'input_file', filename: part.name ?? 'file', file_data: urlOf(part.source) }
}

const urlOf = (source: Source): string =>
  source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.data}`
