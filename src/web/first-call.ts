/** A call with the key itself, as any program would send it, and what the gateway answers. */

export interface TrialCall {
  readonly key: string
  readonly model: string
  readonly prompt: string
  /** Errors come in this language. */
  readonly locale: string
}

/** An error of the interface for programs, in its own words. */
export class CallError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

export interface TrialAnswer {
  readonly requestId: string
  /** A decimal string; null where the stream did not tell it. */
  readonly costUsd: string | null
}

const maxTokens = 300

const send = (
  { key, model, prompt, locale }: TrialCall,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<Response> =>
  fetch('/v1/chat/completions', {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'accept-language': locale,
      ...headers,
    },
    // The key alone speaks, as in a program.
    credentials: 'omit',
    body: JSON.stringify({
      model,
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: maxTokens,
      messages: [{ role: 'user', content: prompt }],
    }),
    ...(signal === undefined ? {} : { signal }),
  })

interface ErrorBody {
  readonly error?: {
    readonly code?: string | null
    readonly message?: string
    readonly type?: string
  }
}

/** @throws CallError */
async function checked(response: Response): Promise<Response> {
  if (response.ok) return response
  const { error } = (await response.json().catch(() => ({}))) as ErrorBody
  throw errorOf(error, `HTTP ${response.status}`)
}

const errorOf = (error: ErrorBody['error'], otherwise: string): CallError =>
  new CallError(error?.code ?? error?.type ?? otherwise, error?.message ?? otherwise)

/** What the call may cost at most, as a decimal string: a dry run, which charges nothing. @throws CallError */
export async function trialCost(call: TrialCall): Promise<string> {
  const response = await checked(await send(call, { 'x-dry-run': '1' }))
  const { estimate } = (await response.json()) as { estimate: { high: { usd: string } } }
  return estimate.high.usd
}

interface Chunk extends ErrorBody {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[]
  /** Ours, beside the usage. */
  readonly cost_usd?: string
}

/**
 * Sends the call.
 * @param onText told of each piece of the answer
 * @throws CallError
 */
export async function trialAnswer(
  call: TrialCall,
  onText: (piece: string) => void,
  signal: AbortSignal,
): Promise<TrialAnswer> {
  const response = await checked(await send(call, {}, signal))
  let costUsd: string | null = null
  for await (const data of eventsOf(response)) {
    if (data === '[DONE]') break
    const { choices, cost_usd: cost, error } = JSON.parse(data) as Chunk
    if (error !== undefined) throw errorOf(error, 'stream_interrupted')
    for (const { delta } of choices ?? []) if (delta?.content) onText(delta.content)
    costUsd = cost ?? costUsd
  }
  return { requestId: response.headers.get('x-request-id') ?? '', costUsd }
}

/** Data of each server-sent event. */
async function* eventsOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return
  let rest = ''
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data:')) yield line.slice(5).trim()
  }
}
