import { errorCode } from '../../domain/error-code'
import { GatewayError, isGatewayError } from '../../errors/gateway-error'

/** Answers one question of another process of this machine. @throws GatewayError, which the other one throws then */
type Answer = (...given: never[]) => unknown

/** Questions by their names. */
export type PrivateAnswers = Readonly<Record<string, Answer>>

/** A socket of the data folder, at which processes of its owner ask each other. */
export interface PrivateDoor {
  readonly socket: string
  close(): Promise<void>
}

type Reply =
  | { readonly answer: unknown }
  | { readonly refused: Pick<GatewayError, 'code' | 'facts' | 'retryAfterSeconds'> }

/** Answers at a socket. @param socket a path of at most about a hundred bytes */
export function openPrivateDoor(socket: string, answers: PrivateAnswers): PrivateDoor {
  const server = Bun.serve({
    unix: socket,
    development: false,
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    async fetch(request) {
      const answer = answers[new URL(request.url).pathname.slice(1)]
      if (answer === undefined) return new Response(null, { status: 404 })
      return Response.json(await replyOf(answer, (await request.json()) as never[]))
    },
    error: (fault) => new Response(fault.message, { status: 500 }),
  })
  return { socket, close: () => server.stop(true) }
}

async function replyOf(answer: Answer, given: never[]): Promise<Reply> {
  try {
    return { answer: (await answer(...given)) ?? null }
  } catch (thrown) {
    if (!isGatewayError(thrown)) throw thrown
    const { code, facts, retryAfterSeconds } = thrown
    return { refused: { code, facts, retryAfterSeconds } }
  }
}

/** The process at the other end of a socket is gone, or does not answer. */
export class OtherProcessAway extends Error {
  override readonly name = 'OtherProcessAway'
  /** Nobody listens there. */
  readonly isGone: boolean

  constructor(message: string, options: ErrorOptions & { readonly isGone?: boolean } = {}) {
    super(message, options)
    this.isGone = options.isGone ?? false
  }
}

/** Of a socket that is no more, or whose process is no more. */
const goneCodes: ReadonlySet<string> = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'])

/** Asks the process at a socket. @throws what it refuses with | OtherProcessAway | Error with its fault */
export async function requestAt(
  socket: string,
  question: string,
  given: readonly unknown[],
  maxMs: number,
): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(`http://chapar/${question}`, {
      unix: socket,
      method: 'POST',
      body: JSON.stringify(given),
      signal: AbortSignal.timeout(maxMs),
    })
    return answerIn(response.status, await response.text())
  } catch (cause) {
    if (isGatewayError(cause) || cause instanceof QuestionFailed) throw cause
    const code = errorCode(cause) ?? 'no answer'
    throw new OtherProcessAway(`${question}: ${code}`, { cause, isGone: goneCodes.has(code) })
  }
}

class QuestionFailed extends Error {
  override readonly name = 'QuestionFailed'
}

/** @throws what the other process refused with, or its fault */
export function answerIn(status: number, text: string): unknown {
  if (status !== 200) throw new QuestionFailed(`answered with ${status}: ${text}`)
  const reply = JSON.parse(text) as Reply
  if ('answer' in reply) return reply.answer
  const { code, facts, retryAfterSeconds } = reply.refused
  throw new GatewayError(code, facts, retryAfterSeconds === null ? {} : { retryAfterSeconds })
}
