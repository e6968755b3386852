/** How a sandbox model fails with an answer; the names are those of `sandbox/error-<name>`. */
export const faults = {
  upstream_rejected: {
    status: 400,
    type: 'invalid_request_error',
    code: 'unsupported_value',
    message: 'The sandbox refuses this.',
  },
  upstream_rate_limited: {
    status: 429,
    type: 'requests',
    code: 'rate_limit_exceeded',
    message: 'Slow down.',
  },
  upstream_capacity_full: {
    status: 503,
    type: 'server_error',
    code: 'overloaded',
    message: 'The sandbox is full.',
  },
  upstream_error: {
    status: 500,
    type: 'server_error',
    code: null,
    message: 'The sandbox failed.',
  },
  model_temporarily_unavailable: {
    status: 404,
    type: 'invalid_request_error',
    code: 'model_not_found',
    message: 'The sandbox has no such model.',
  },
} as const

type Fault = keyof typeof faults

/** Faults that are no answer at all. */
export const brokenConnections = ['upstream_unreachable', 'timeout', 'stream_interrupted'] as const

export const isFault = (name: string): name is Fault => Object.hasOwn(faults, name)

const retryAfterSeconds = '2'

/**
 * How a model fails that is called `error-<fault>`; any other is one that the sandbox has not.
 * @throws Error with code ECONNRESET | AbortError
 */
export async function failedReply(model: string, signal: AbortSignal): Promise<Response> {
  const fault = model.replace(/^error-/, '')
  if (fault === model) return faultResponse('model_temporarily_unavailable')
  if (fault === 'timeout') return silence(signal)
  if (fault === 'upstream_unreachable') throw connectionReset()
  // Of an answer that is whole or none, nothing can have been sent.
  if (fault === 'stream_interrupted') return faultResponse('upstream_error')
  return faultResponse(isFault(fault) ? fault : 'model_temporarily_unavailable')
}

/** A refusal in the reference format. */
export function faultResponse(fault: Fault): Response {
  const { status, type, code, message } = faults[fault]
  const error = { message, type, code, param: null }
  const busy = status === 429 || status === 503
  return Response.json(
    { error },
    { status, ...(busy ? { headers: { 'retry-after': retryAfterSeconds } } : {}) },
  )
}

/** A request that a real vendor would refuse as well. */
export class RefusedRequest extends Error {
  constructor(
    message: string,
    readonly param: string,
  ) {
    super(message)
    this.name = 'RefusedRequest'
  }
}

/** Its answer in the reference format. */
export const refusedResponse = ({ message, param }: RefusedRequest): Response =>
  Response.json(
    { error: { message, type: 'invalid_request_error', code: 'invalid_value', param } },
    { status: 400 },
  )

/** Error of a fetch whose connection was reset. */
export const connectionReset = (): Error =>
  Object.assign(new Error('the sandbox dropped the connection'), { code: 'ECONNRESET' })

/** Waits, unless the caller gives up first. @throws DOMException AbortError */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(aborted())
    const stop = () => {
      clearTimeout(timer)
      reject(aborted())
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Waits until the caller gives up. @throws DOMException AbortError */
function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) return reject(aborted())
    signal.addEventListener('abort', () => reject(aborted()), { once: true })
  })
}

const aborted = (): DOMException => new DOMException('The operation was aborted.', 'AbortError')
