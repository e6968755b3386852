import type { RequestId } from '../domain/ids'
import type { WatchedCalls } from '../observability/live-calls'
import { AdminError } from './admin-error'

/** Ends a stream or a realtime session in order. @throws AdminError call_not_stoppable */
export async function stopCall(calls: Pick<WatchedCalls, 'stop'>, id: RequestId): Promise<void> {
  if (!(await calls.stop(id))) throw new AdminError('call_not_stoppable', { request: id })
}
