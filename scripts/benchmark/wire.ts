/** The one call that everything is measured with: about a kilobyte each way. */

const filler = 'The quick brown fox jumps over the lazy dog. '

export type Asked = 'whole' | 'stream' | 'open'

/** Told to the vendor in the message: a stream that says one word and then waits. */
export const holdMark = 'hold-open'

export function chatBody(asked: Asked): string {
  const body = (text: string) =>
    JSON.stringify({
      model: 'bench-model',
      max_tokens: 256,
      ...(asked === 'whole' ? {} : { stream: true }),
      messages: [
        { role: 'system', content: asked === 'open' ? holdMark : 'You answer briefly.' },
        { role: 'user', content: text },
      ],
    })
  return body(filler.repeat(30).slice(0, 1024 - body('').length))
}

export const chatPath = '/v1/chat/completions'

export function chatRequest(port: number, key: string, asked: Asked): Uint8Array {
  const body = chatBody(asked)
  return new TextEncoder().encode(
    `POST ${chatPath} HTTP/1.1\r\n` +
      `host: 127.0.0.1:${port}\r\n` +
      `authorization: Bearer ${key}\r\n` +
      'content-type: application/json\r\n' +
      `content-length: ${body.length}\r\n\r\n${body}`,
  )
}

/** Writes of the vendor in one stream. */
export const chunksOfStream = 100

const usage = { prompt_tokens: 230, completion_tokens: 98, total_tokens: 328 }
const envelope = { id: 'chatcmpl-bench', created: 1_763_600_000, model: 'bench-model-2026' }

/** The reply to a whole call, head and body. */
export function wholeReply(): string {
  const body = JSON.stringify({
    ...envelope,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: filler.repeat(15), refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage,
  })
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
}

export const streamHead =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'

const event = (choices: readonly object[], told: object | null = null): string =>
  `data: ${JSON.stringify({ ...envelope, object: 'chat.completion.chunk', choices, usage: told })}\n\n`

const delta = (value: object, finish: string | null = null): string =>
  event([{ index: 0, delta: value, logprobs: null, finish_reason: finish }])

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

/** The writes of a stream after its head; the last one ends it. */
export const streamWrites: readonly string[] = [
  chunk(delta({ role: 'assistant', content: '', refusal: null })),
  ...Array.from({ length: chunksOfStream - 3 }, (_, at) => chunk(delta({ content: ` word${at}` }))),
  chunk(delta({}, 'stop')),
  `${chunk(`${event([], usage)}data: [DONE]\n\n`)}0\r\n\r\n`,
]
