import { fieldsOf, isFields, listOf, type Fields } from '../../src/gateway/json/fields'
import { textOf } from '../../src/gateway/formats/chat/wire'
import type { Answered, MatrixClient, Streamed } from './run-matrix'
import type { Said, Told } from './scenarios'

const finishes: Readonly<Record<string, Said['finish']>> = {
  end_turn: 'stop',
  max_tokens: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
}

function toldOf(usage: unknown): Told {
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } =
    fieldsOf(usage)
  const cached = Number(cache_read_input_tokens)
  const written = Number(cache_creation_input_tokens)
  return {
    input: Number(input_tokens) + cached + written,
    cached,
    written,
    output: Number(output_tokens),
  }
}

interface Message {
  readonly content: readonly Fields[]
  readonly stopReason: unknown
  readonly usage: unknown
}

/** @param whole false where a call may have been cut in its arguments */
function saidIn({ content, stopReason, usage }: Message, whole: boolean): Answered {
  const said = (type: string, member: string) =>
    content
      .filter((block) => block['type'] === type)
      .map((block) => textOf(block[member]) ?? '')
      .join('')
  return {
    text: said('text', 'text'),
    reasoning: said('thinking', 'thinking'),
    calls: content
      .filter(({ type }) => type === 'tool_use')
      .map(({ name, input }) => ({
        name: String(name),
        arguments:
          typeof input === 'string' && whole ? (JSON.parse(input || '{}') as unknown) : input,
      })),
    finish: finishes[String(stopReason)] ?? 'stop',
    told: toldOf(usage),
  }
}

interface MessageEvent extends Fields {
  readonly type: string
}

/** The events of a stream, each with its name before it. */
export function messageEvents(text: string): readonly MessageEvent[] {
  if (!text.endsWith('\n\n')) throw new Error('a stream that ends in the middle of an event')
  return text
    .slice(0, -2)
    .split('\n\n')
    .map((block) => {
      const [, name = '', data = ''] = /^event: (\w+)\ndata: (.+)$/.exec(block) ?? []
      const event = JSON.parse(data) as MessageEvent
      if (event.type !== name) throw new Error(`${event.type} under the name of ${name}`)
      return event
    })
}

const growing: Readonly<Record<string, readonly [kind: string, member: string]>> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['thinking', 'thinking'],
  signature_delta: ['thinking', 'signature'],
  input_json_delta: ['tool_use', 'input'],
}

/** Puts a message together as the format demands, and throws where an event is out of order. */
export function readMessageStream(text: string): Streamed {
  const content: Fields[] = []
  let open: Fields | null = null
  let phase: 'before' | 'in' | 'ending' | 'over' = 'before'
  let usage: Fields = {}
  let stopReason: unknown = null
  let error: string | null = null
  let costUsd: string | null = null
  const demand = (fits: boolean, event: MessageEvent) => {
    if (!fits) throw new Error(`out of order: ${JSON.stringify(event)}`)
  }
  for (const event of messageEvents(text)) {
    demand(phase !== 'over', event)
    const at = event['index']
    switch (event.type) {
      case 'ping':
        break
      case 'message_start': {
        demand(phase === 'before', event)
        const message = fieldsOf(event['message'])
        demand(/^msg_[0-9a-f]{32}$/.test(String(message['id'])), event)
        usage = fieldsOf(message['usage'])
        phase = 'in'
        break
      }
      case 'content_block_start':
        demand(phase === 'in' && open === null && at === content.length, event)
        open = { ...fieldsOf(event['content_block']) }
        if (open['type'] === 'tool_use') open['input'] = ''
        content.push(open)
        break
      case 'content_block_delta': {
        const delta = fieldsOf(event['delta'])
        const [kind, member = ''] = growing[String(delta['type'])] ?? []
        demand(open?.['type'] === kind && at === content.length - 1, event)
        const piece = delta[member === 'input' ? 'partial_json' : member]
        demand(typeof piece === 'string', event)
        if (open !== null) open[member] = `${String(open[member])}${String(piece)}`
        break
      }
      case 'content_block_stop':
        demand(open !== null && at === content.length - 1, event)
        open = null
        break
      case 'message_delta': {
        demand(phase === 'in' && open === null, event)
        stopReason = fieldsOf(event['delta'])['stop_reason']
        usage = { ...usage, ...fieldsOf(event['usage']) }
        costUsd = String(event['cost_usd'])
        phase = 'ending'
        break
      }
      case 'message_stop':
        demand(phase === 'ending', event)
        phase = 'over'
        break
      case 'error':
        error = String(fieldsOf(event['error'])['code'])
        usage = fieldsOf(event['usage'])
        costUsd = String(event['cost_usd'])
        phase = 'over'
        break
      default:
        demand(false, event)
    }
  }
  if (phase !== 'over') throw new Error('a stream without its end')
  const said = saidIn({ content, stopReason, usage }, error === null)
  return { ...said, error, costUsd }
}

/** Anthropic's format. */
export const messagesClient: MatrixClient = {
  name: 'messages',
  path: '/messages',
  ask: (model, { text, image, tools, effort, schema, maxTokens }, stream) => ({
    model,
    max_tokens: maxTokens ?? 2000,
    messages: [
      {
        role: 'user',
        content:
          image === undefined
            ? text
            : [
                { type: 'text', text },
                {
                  type: 'image',
                  source: { type: 'base64', media_type: 'image/png', data: image },
                },
              ],
      },
    ],
    ...(tools === undefined
      ? {}
      : {
          tools: tools.map((name) => ({
            name,
            input_schema: { type: 'object', properties: {} },
          })),
        }),
    ...(effort === undefined ? {} : { thinking: { type: 'enabled', budget_tokens: 20_000 } }),
    ...(schema === undefined ? {} : { output_config: { format: { type: 'json_schema', schema } } }),
    ...(stream ? { stream } : {}),
  }),
  readWhole(body) {
    const message = fieldsOf(body)
    if (message['type'] !== 'message' || message['role'] !== 'assistant')
      throw new Error('no message')
    const content = listOf(message['content']).filter(isFields)
    return saidIn({ content, stopReason: message['stop_reason'], usage: message['usage'] }, true)
  },
  readStream: readMessageStream,
  codeOf(body) {
    const { type, error, request_id: id } = fieldsOf(body)
    if (type !== 'error' || !String(id).startsWith('req_')) throw new Error('another frame')
    return String(fieldsOf(error)['code'])
  },
}
