import type { RunningStreams } from '../call/running'
import type { LiveCall, LiveCalls, WatchedCall, WatchedCalls } from '../observability/live-calls'

/** Calls of this process, with what can be ended of them. */
export function openWatchedCalls(
  live: LiveCalls,
  streams: Pick<RunningStreams, 'has' | 'stop'>,
): WatchedCalls {
  const watched = (call: LiveCall): WatchedCall => ({
    ...call,
    stoppable: call.status === 'running' && streams.has(call.id),
  })
  return {
    list: async () => ({ calls: live.list().map(watched), forgotten: live.forgotten() }),
    follow: (changed) => live.follow((call) => changed(watched(call))),
    stop: async (request) => streams.stop(request),
  }
}
