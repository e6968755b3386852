import { isCutBody } from './arriving-bodies'

/**
 * Whether more of a body may come for a request that is about to be answered: a body that nobody
 * asked for is looked at for one turn of the loop, in which the runtime hands over what came with the
 * head. Without a body there is no turn to wait for.
 */
export function isBodyUnread(request: Request): boolean | Promise<boolean> {
  const { headers } = request
  const length = headers.get('content-length')
  if ((length === null || length === '0') && headers.get('transfer-encoding') === null) return false
  if (isCutBody(request)) return true
  if (request.bodyUsed) return false
  // The runtime shows no body of these, and drops it as it comes.
  if (request.method === 'GET' || request.method === 'HEAD') return true
  return hasNotCome(request)
}

async function hasNotCome(request: Request): Promise<boolean> {
  const body = request.bytes()
  // It ends with the connection, and nobody waits for it.
  body.catch(() => {})
  await new Promise<void>((resolve) => setImmediate(resolve))
  return Bun.peek.status(body) === 'pending'
}
