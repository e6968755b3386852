import { ApiError } from './client'

/** Calls as programs send them, and what the gateway answers. */

/** An error of the interface for programs, in its own words: they say what to do. */
export class CallError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

interface ErrorBody {
  readonly error?: {
    readonly code?: string | null
    readonly message?: string
    readonly type?: string
  }
}

/**
 * Sends a call.
 * @throws CallError
 * @throws ApiError where the pages' own API refused it
 */
export async function sendCall(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, { method: 'POST', ...init })
  if (response.ok) return response
  const { error } = (await response.json().catch(() => ({}))) as ErrorBody
  if (error?.code && error.message === undefined)
    throw new ApiError(response.status, error.code, {})
  throw errorOf(error, `HTTP ${response.status}`)
}

const errorOf = (error: ErrorBody['error'], otherwise: string): CallError =>
  new CallError(error?.code ?? error?.type ?? otherwise, error?.message ?? otherwise)

/** Id of a call, and its cost where that is known: a decimal string. */
export interface EndedCall {
  readonly requestId: string
  readonly costUsd: string | null
}

/** Id of a call by its answer; empty where a proxy answered. */
export const requestIdOf = ({ headers }: Response): string => headers.get('x-request-id') ?? ''

/** A whole answer with its cost. */
export const endedCall = (response: Response): EndedCall => ({
  requestId: requestIdOf(response),
  costUsd: response.headers.get('x-cost-usd'),
})

/** A piece of a streamed answer: what it says, or what was thought before. */
export interface AnswerPiece {
  readonly text: string
  readonly thought: string
}

interface Chunk extends ErrorBody {
  readonly choices?: readonly {
    readonly delta?: {
      readonly content?: string | null
      readonly reasoning_content?: string | null
    }
  }[]
  /** Ours, beside the usage. */
  readonly cost_usd?: string
}

interface WholeReply {
  readonly choices: readonly {
    readonly message: {
      readonly content?: string | null
      readonly reasoning_content?: string | null
    }
  }[]
}

/**
 * Reads a chat answer to its end, streamed or whole.
 * @throws CallError where it breaks off
 */
export async function readAnswer(
  response: Response,
  onPiece: (piece: AnswerPiece) => void,
): Promise<EndedCall> {
  if (response.headers.get('content-type')?.startsWith('application/json') === true) {
    const { choices } = (await response.json()) as WholeReply
    for (const { message } of choices)
      onPiece({ text: message.content ?? '', thought: message.reasoning_content ?? '' })
    return endedCall(response)
  }
  let costUsd: string | null = null
  for await (const data of eventsOf(response)) {
    if (data === '[DONE]') break
    const { choices, cost_usd: cost, error } = JSON.parse(data) as Chunk
    costUsd = cost ?? costUsd
    if (error !== undefined) throw errorOf(error, 'stream_interrupted')
    for (const { delta } of choices ?? [])
      if (delta?.content || delta?.reasoning_content)
        onPiece({ text: delta.content ?? '', thought: delta.reasoning_content ?? '' })
  }
  return { requestId: requestIdOf(response), costUsd }
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
