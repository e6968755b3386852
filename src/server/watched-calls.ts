import { stopped } from '../gateway/call/interruption'
import type { RunningStreams } from '../gateway/call/running'
import type {
  LiveCall,
  LiveCalls,
  WatchedCall,
  WatchedCalls,
} from '../gateway/observability/live-calls'
import type { Deadlines } from '../gateway/outbound/deadlines'
import { stopSending } from '../gateway/outbound/send'

/** Calls of this process, with what can be ended of them. */
export function openWatchedCalls(
  live: LiveCalls,
  streams: Pick<RunningStreams, 'stop'>,
  deadlines: Pick<Deadlines, 'all'>,
): WatchedCalls {
  const watched = (call: LiveCall): WatchedCall => ({ ...call, stoppable: isStoppable(call) })
  return {
    list: async () => ({ calls: live.list().map(watched), forgotten: live.forgotten() }),
    follow: (changed) => live.follow((call) => changed(watched(call))),
    async stop(request) {
      if (streams.stop(request)) return true
      const call = live.list().find(({ id }) => id === request)
      if (call !== undefined && !isStoppable(call)) return false
      return stopSending(deadlines, request, stopped('operator'))
    },
  }
}

/** A vendor that is given up while it takes an order for a video would make one that has no owner. */
const isStoppable = ({ status, endpoint }: LiveCall): boolean =>
  status === 'running' && endpoint !== 'videos'
