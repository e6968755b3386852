import { streamReply, type Script, type StreamOptions } from './stand-in'

/** A vendor of the Messages format, as it stands on the wire. */

export const messageEvent = (value: {
  readonly type: string
  readonly [name: string]: unknown
}): string => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`

export const inputUsage = {
  input_tokens: 40,
  cache_creation_input_tokens: 30,
  cache_read_input_tokens: 1000,
  cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 10 },
  service_tier: 'standard',
}
/** In the reference's words. */
export const toldUsage = {
  prompt_tokens: 1070,
  completion_tokens: 25,
  total_tokens: 1095,
  prompt_tokens_details: { cached_tokens: 1000, cache_write_tokens: 30 },
  completion_tokens_details: { reasoning_tokens: 12 },
}

const outputUsage = { output_tokens: 25, output_tokens_details: { thinking_tokens: 12 } }

export const messageStart = (id = 'msg_01stand'): string =>
  messageEvent({
    type: 'message_start',
    message: {
      id,
      type: 'message',
      role: 'assistant',
      model: 'claude-vendor-20260101',
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...inputUsage, output_tokens: 1 },
    },
  })

export const messageEnd = (stop: string, sequence: string | null = null): string[] => [
  messageEvent({
    type: 'message_delta',
    delta: { stop_reason: stop, stop_sequence: sequence },
    usage: outputUsage,
  }),
  messageEvent({ type: 'message_stop' }),
]

const block = (index: number, content_block: object, deltas: readonly object[]): string[] => [
  messageEvent({ type: 'content_block_start', index, content_block }),
  ...deltas.map((delta) => messageEvent({ type: 'content_block_delta', index, delta })),
  messageEvent({ type: 'content_block_stop', index }),
]

export const textBlock = (index: number, ...pieces: readonly string[]): string[] =>
  block(
    index,
    { type: 'text', text: '' },
    pieces.map((text) => ({ type: 'text_delta', text })),
  )

export const thinkingBlock = (index: number, thinking: string, signature: string): string[] =>
  block(index, { type: 'thinking', thinking: '', signature: '' }, [
    ...(thinking.match(/\s*\S+/g) ?? []).map((each) => ({
      type: 'thinking_delta',
      thinking: each,
    })),
    { type: 'signature_delta', signature },
  ])

export const toolBlock = (
  index: number,
  id: string,
  name: string,
  ...pieces: readonly string[]
): string[] =>
  block(index, { type: 'tool_use', id, name, input: {} }, [
    { type: 'input_json_delta', partial_json: '' },
    ...pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  ])

export const ping = messageEvent({ type: 'ping' })

export const messagesStream = (
  blocks: readonly string[],
  stop = 'end_turn',
  sequence: string | null = null,
): string[] => [messageStart(), ping, ...blocks, ...messageEnd(stop, sequence)]

export const wholeMessage = (
  content: readonly object[],
  stop = 'end_turn',
  usage: object | null = { ...inputUsage, ...outputUsage },
): Response =>
  Response.json({
    id: 'msg_01stand',
    type: 'message',
    role: 'assistant',
    model: 'claude-vendor-20260101',
    content,
    stop_reason: stop,
    stop_sequence: null,
    ...(usage === null ? {} : { usage }),
  })

/** An ordinary vendor: whole or streamed as asked. */
export const saysMessage =
  (text = 'Hello from Claude', options: StreamOptions = {}): Script =>
  (seen) =>
    seen.body['stream'] === true
      ? streamReply(messagesStream(textBlock(0, ...(text.match(/\s*\S+/g) ?? []))), options)
      : wholeMessage([{ type: 'text', text }])

export const messagesError =
  (status: number, type: string, message: string, headers = {}): Script =>
  () =>
    Response.json(
      { type: 'error', error: { type, message }, request_id: 'req_vendor' },
      { status, headers },
    )
