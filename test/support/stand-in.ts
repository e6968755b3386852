/** A vendor on loopback that speaks the recorded wire format, and misbehaves when asked to. */

export interface SeenRequest {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly body: Record<string, unknown>
  /** Set when our side dropped the connection before the answer was over. */
  abortedAt: number | null
}

/** What the vendor does with a request. */
export type Script = (seen: SeenRequest, request: Request) => Response | Promise<Response>

export interface StandIn {
  /** Base address, with the version. */
  readonly url: string
  readonly seen: readonly SeenRequest[]
  /** Replaces the behaviour from now on. */
  play(script: Script): void
  close(): Promise<void>
}

export function openStandIn(script: Script = replies()): StandIn {
  let current = script
  const seen: SeenRequest[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 255,
    async fetch(request) {
      const body = (await request.json().catch(() => ({}))) as Record<string, unknown>
      const path = new URL(request.url).pathname
      const { method, headers } = request
      const one: SeenRequest = { method, path, headers, body, abortedAt: null }
      seen.push(one)
      request.signal.addEventListener('abort', () => (one.abortedAt ??= performance.now()))
      return await current(one, request)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}/v1`,
    seen,
    play: (next) => void (current = next),
    close: () => server.stop(true),
  }
}

export const usage = {
  prompt_tokens: 100,
  completion_tokens: 50,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0 },
}

/** An ordinary vendor: whole or streamed as asked. */
export const replies =
  (text = 'Hello from the vendor', told: object | null = usage): Script =>
  (seen) =>
    seen.body['stream'] === true ? streamReply(openaiStream(text, told)) : wholeReply(text, told)

export const wholeReply = (content: string, told: object | null = usage): Response =>
  Response.json({
    id: 'chatcmpl-vendor1',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'vendor-model-2026',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    ...(told === null ? {} : { usage: told }),
    service_tier: 'default',
    system_fingerprint: 'fp_1',
  })

const base = {
  id: 'chatcmpl-vendor1',
  object: 'chat.completion.chunk',
  created: 1_760_000_000,
  model: 'vendor-model-2026',
  service_tier: 'default',
  system_fingerprint: 'fp_1',
}

export const event = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

export const chunk = (delta: object, finish: string | null = null): string =>
  event({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
    usage: null,
  })

export const usageChunk = (told: object): string => event({ ...base, choices: [], usage: told })

/** The events of a stream as OpenAI sends it. */
export const openaiStream = (text: string, told: object | null = usage): string[] => [
  chunk({ role: 'assistant', content: '', refusal: null }),
  ...(text.match(/\s*\S+/g) ?? []).map((piece) => chunk({ content: piece })),
  chunk({}, 'stop'),
  ...(told === null ? [] : [usageChunk(told)]),
  'data: [DONE]\n\n',
]

export interface StreamOptions {
  /** Between two events. */
  readonly delayMs?: number
  /** Breaks the connection after this many events. */
  readonly cutAfter?: number
  /** Says nothing more after this many events. */
  readonly hangAfter?: number
  /** Sends this many bytes at a time, wherever that cuts events and characters. */
  readonly bytesAtATime?: number
}

const encoder = new TextEncoder()

export function streamReply(events: readonly string[], options: StreamOptions = {}): Response {
  const parts = partsOf(events, options.bytesAtATime)
  let next = 0
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (options.delayMs !== undefined && next > 0) await Bun.sleep(options.delayMs)
      if (next === options.cutAfter) return controller.error('cut')
      if (next === options.hangAfter) await new Promise(() => {})
      const one = parts[next++]
      if (one === undefined) return controller.close()
      controller.enqueue(one)
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}

function partsOf(events: readonly string[], size: number | undefined): readonly Uint8Array[] {
  if (size === undefined) return events.map((one) => encoder.encode(one))
  const bytes = encoder.encode(events.join(''))
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size))
}

/** Waits before it answers as the other script does. */
export const after =
  (delayMs: number, script: Script): Script =>
  async (seen, request) => {
    await Bun.sleep(delayMs)
    return await script(seen, request)
  }

/** Takes the request and never answers. */
export const hang: Script = () => new Promise(() => {})

/** Each request is answered by the next script; the last one stays. */
export function inTurn(...scripts: readonly [Script, ...Script[]]): Script {
  let next = 0
  return (seen, request) => {
    const script = scripts[Math.min(next++, scripts.length - 1)] ?? scripts[0]
    return script(seen, request)
  }
}

/** An address at which nobody listens. */
export async function refusingUrl(): Promise<string> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response() })
  const { port } = server
  await server.stop(true)
  return `http://127.0.0.1:${port}/v1`
}

export const failure =
  (status: number, error: object, headers: Record<string, string> = {}): Script =>
  () =>
    Response.json({ error }, { status, headers })
