import type { RequestId } from '../../domain/ids'
import type { WatchedCalls } from '../../gateway/observability/live-calls'
import { AdminError } from '../operations/admin-error'

/** Ends a stream, a realtime session or a call that still waits for its vendor. @throws AdminError call_not_stoppable */
export async function stopCall(calls: Pick<WatchedCalls, 'stop'>, id: RequestId): Promise<void> {
  if (!(await calls.stop(id))) throw new AdminError('call_not_stoppable', { request: id })
}
