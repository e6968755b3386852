import { fieldsOf, isFields, listOf, type Fields } from '../../json/fields'

/**
 * A whole message as the events of a stream, for vendors that answer a stream request whole.
 * @see anthropics/anthropic-sdk-typescript 1.11.0, `src/resources/messages/messages.ts`
 *   (`RawMessageStreamEvent`)
 */
export function messageAsEvents(message: Fields): readonly string[] {
  const { content, usage, stop_reason, stop_sequence, stop_details, ...rest } = message
  const started = { ...rest, content: [], stop_reason: null, stop_sequence: null, usage }
  const delta = { stop_reason, stop_sequence, stop_details: stop_details ?? null }
  return [
    { type: 'message_start', message: started },
    ...listOf(content).filter(isFields).flatMap(blockEvents),
    { type: 'message_delta', delta, usage },
    { type: 'message_stop' },
  ].map((event) => JSON.stringify(event))
}

function blockEvents(block: Fields, index: number): readonly Fields[] {
  const { start, deltas } = pieces(block)
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

/** Events of a block: text and inputs in one delta, all other blocks whole at their start. */
function pieces(block: Fields): { readonly start: Fields; readonly deltas: readonly Fields[] } {
  const { type, text, thinking, signature, input } = block
  switch (type) {
    case 'text':
      return { start: { ...block, text: '' }, deltas: [{ type: 'text_delta', text }] }
    case 'thinking':
      return {
        start: { ...block, thinking: '', signature: '' },
        deltas: [
          { type: 'thinking_delta', thinking },
          { type: 'signature_delta', signature },
        ],
      }
    case 'tool_use': {
      const partial_json = JSON.stringify(fieldsOf(input))
      return {
        start: { ...block, input: {} },
        deltas: [{ type: 'input_json_delta', partial_json }],
      }
    }
  }
  return { start: block, deltas: [] }
}
