/** How a sandbox model fails; the names are those of `sandbox/error-<name>`. */
export const faults = {
  upstream_rejected: { status: 400, code: 'invalid_value', message: 'The sandbox refuses this.' },
  upstream_rate_limited: { status: 429, code: 'rate_limit_exceeded', message: 'Slow down.' },
  upstream_capacity_full: { status: 503, code: 'overloaded', message: 'The sandbox is full.' },
  upstream_error: { status: 500, code: 'server_error', message: 'The sandbox failed.' },
  model_temporarily_unavailable: {
    status: 404,
    code: 'model_not_found',
    message: 'No such model.',
  },
} as const

export type Fault = keyof typeof faults

/** Faults that are no answer at all. */
export const brokenConnections = ['upstream_unreachable', 'timeout', 'stream_interrupted'] as const

export const isFault = (name: string): name is Fault => Object.hasOwn(faults, name)

/** A refusal in the reference format. */
export function faultResponse(fault: Fault): Response {
  const { status, code, message } = faults[fault]
  const error = { message, type: 'sandbox_error', code, param: null }
  const headers = status === 429 ? { 'retry-after': '2' } : undefined
  return Response.json({ error }, { status, ...(headers === undefined ? {} : { headers }) })
}

/** What a fetch fails with when the other side drops the connection. */
export const connectionReset = (): Error =>
  Object.assign(new Error('the sandbox dropped the connection'), { code: 'ECONNRESET' })

/** Waits, unless the caller gives up first. @throws what the signal was aborted with */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(new DOMException('aborted', 'AbortError'))
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}
