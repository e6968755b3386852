import { isKeyed } from './headers'
import type { Inbound } from './inbound'
import { isCutBody } from './slow-body-guard'

/**
 * How long a connection is drained whose answer is out while its body still comes: 0 to 4 seconds, since
 * the runtime counts them in fours. Seen in Bun 1.4.5: without this a body is taken for as long as the
 * idle time-out, and a byte now and then renews it for ever; with it bytes renew nothing, and the next
 * request on the connection, when the body did end, has the usual time-out again. It must be set before
 * the answer is returned. Neither cancelling the body nor ending the stream of an answer closes anything;
 * `connection: close` closes at once, and senders that still write then miss the answer.
 */
const drainSeconds = 2

/**
 * How long a connection is kept whose last request had no good key. Seen in Bun 1.4.5: bytes of a head
 * renew nothing, so the first head has 8 to 12 seconds, and a later one what was set with the answer
 * before it.
 */
const strangerIdleSeconds = 10

/** Undefined once the request has become a socket. */
export type Answered = Response | undefined

interface FinishParts {
  /** Quiet time after which a request's connection is closed, instead of the usual one. */
  timeout(request: Request, seconds: number): void
  /** Whether connections are so scarce that none is drained. */
  isScarce(): boolean
  /** Whether this answer is the last one of its connection: clients go on at another one. */
  isLast(request: Request): boolean
  /** Of every answer. */
  readonly headers: readonly (readonly [string, string])[]
}

/**
 * Opens the last step of every answer before it goes out: the request is in progress no longer, but for those
 * who retained its slot, and nobody keeps a connection by what he has not sent.
 */
export function openFinish({ timeout, isScarce, isLast, headers: all }: FinishParts) {
  const letGo = async (response: Response, request: Request): Promise<Response> => {
    const { headers } = response
    const unread = await isBodyUnread(request)
    if (unread && isScarce()) headers.set('connection', 'close')
    else if (unread) timeout(request, drainSeconds)
    else if (!isKeyed(headers)) timeout(request, strangerIdleSeconds)
    return response
  }
  return (response: Answered, { method, request, slot }: Inbound): Promise<Answered> => {
    slot.release()
    if (response !== undefined) for (const [name, value] of all) response.headers.set(name, value)
    if (isLast(request)) response?.headers.set('connection', 'close')
    // Whoever is served by a POST has a key, and has sent all of it.
    if (response === undefined || (method === 'POST' && response.ok))
      return Promise.resolve(response)
    return letGo(response, request)
  }
}

/**
 * Whether more of a body may come for a request that is about to be answered: a body that nobody
 * asked for is looked at for one turn of the loop, in which the runtime hands over what came with the
 * head. Without a body there is no turn to wait for.
 */
async function isBodyUnread(request: Request): Promise<boolean> {
  const { headers } = request
  const length = headers.get('content-length')
  if ((length === null || length === '0') && headers.get('transfer-encoding') === null) return false
  if (isCutBody(request)) return true
  if (request.bodyUsed) return false
  // The runtime shows no body of these, and drops it as it comes.
  if (request.method === 'GET' || request.method === 'HEAD') return true
  return await hasNotCome(request)
}

async function hasNotCome(request: Request): Promise<boolean> {
  const body = request.bytes()
  // It ends with the connection, and nobody waits for it.
  body.catch(() => {})
  await new Promise<void>((resolve) => setImmediate(resolve))
  return Bun.peek.status(body) === 'pending'
}
