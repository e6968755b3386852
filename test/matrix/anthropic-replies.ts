import { fieldsOf, listOf } from '../../src/gateway/json/fields'
import {
  messageEvent,
  messagesError,
  messagesStream,
  textBlock,
  thinkingBlock,
  toolBlock,
  inputUsage,
} from '../support/anthropic-stand-in'
import { pieces, type Said, type VendorReplies } from './scenarios'

const stops: Readonly<Record<Said['finish'], string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
}

const cut = (text: string): readonly string[] => text.match(/.{1,7}/gsu) ?? []

/** A vendor of the Messages format. */
export const anthropicReplies: VendorReplies = {
  events({ says }) {
    const blocks: string[][] = []
    if (says.reasoning !== '') blocks.push(thinkingBlock(0, says.reasoning, 'sig-of-thought'))
    if (says.text !== '') blocks.push(textBlock(blocks.length, ...pieces(says.text)))
    says.calls.forEach((call, index) =>
      blocks.push(
        toolBlock(
          blocks.length,
          `toolu_${index}`,
          call.name,
          ...cut(JSON.stringify(call.arguments)),
        ),
      ),
    )
    return messagesStream(blocks.flat(), stops[says.finish])
  },
  whole: ({ says }) => ({
    id: 'msg_01stand',
    type: 'message',
    role: 'assistant',
    model: 'claude-vendor-20260101',
    content: [
      ...(says.reasoning === ''
        ? []
        : [{ type: 'thinking', thinking: says.reasoning, signature: 'sig-of-thought' }]),
      ...(says.text === '' ? [] : [{ type: 'text', text: says.text }]),
      ...says.calls.map((call, index) => ({
        type: 'tool_use',
        id: `toolu_${index}`,
        name: call.name,
        input: call.arguments,
      })),
    ],
    stop_reason: stops[says.finish],
    stop_sequence: null,
    usage: { ...inputUsage, output_tokens: 25 },
  }),
  errorEvent: messageEvent({
    type: 'error',
    error: { type: 'overloaded_error', message: 'sk-secret broke' },
  }),
  brokenBy: 'upstream_capacity_full',
  failing: messagesError(529, 'overloaded_error', 'Overloaded'),
  streams: ({ body }) => body['stream'] === true,
  told: { input: 1070, cached: 1000, written: 30, output: 25 },
  sees: (body) => ({
    image: JSON.stringify(body['messages']).includes('"image"'),
    tools: listOf(body['tools']).map((tool) => String(fieldsOf(tool)['name'])),
    schema: fieldsOf(fieldsOf(body['output_config'])['format'])['type'] === 'json_schema',
    ceiling: Number(body['max_tokens'] ?? 0) || null,
  }),
}
