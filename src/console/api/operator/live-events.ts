import {
  isFollowed,
  liveCallView,
  type LiveFilter,
} from '../../../business/usage/operations/live-calls'
import type { LiveService } from '../../../business/operations/parts'
import { eventStreamHeaders, keepAliveComment } from '../../../gateway/http/sse'

/** Changes go out together, this often. */
const sendEveryMs = 250
/** Between two signs of life, at each of which it is asked whether the reader may still read. */
const keepAliveMs = 10_000
/** Calls that wait for a slow reader; the oldest go, and are counted. */
const maxWaiting = 500

type Waiting = Parameters<Parameters<LiveService['calls']['follow']>[0]>[0]

interface LiveEventParts {
  readonly service: LiveService
  readonly filter: (typeof LiveFilter)['static']
  readonly headers: Readonly<Record<string, string>>
  /** @throws where whoever reads may not any more */
  check(): Promise<unknown>
}

/**
 * Calls as they go by: `event: calls` with `{"data": […], "dropped": 0}`, of each call its last state.
 * `dropped` counts what did not reach this reader.
 */
export function liveEvents({ service, filter, headers, check }: LiveEventParts): Response {
  const encoder = new TextEncoder()
  const waiting = new Map<string, Waiting>()
  let dropped = 0
  let end = () => {}
  const take = (call: Waiting) => {
    if (!isFollowed(call, filter)) return
    waiting.delete(call.id)
    waiting.set(call.id, call)
    if (waiting.size <= maxWaiting) return
    const [oldest = ''] = waiting.keys()
    waiting.delete(oldest)
    dropped++
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string) => controller.enqueue(encoder.encode(text))
        const send = () => {
          if (waiting.size === 0 || (controller.desiredSize ?? 0) <= 0) return
          const data = [...waiting.values()].map(liveCallView)
          waiting.clear()
          write(`event: calls\ndata: ${JSON.stringify({ data, dropped })}\n\n`)
        }
        const live = () => {
          if ((controller.desiredSize ?? 0) > 0) write(keepAliveComment)
          check().catch(() => {
            end()
            controller.close()
          })
        }
        const unfollow = service.calls.follow(take)
        const timers = [setInterval(send, sendEveryMs), setInterval(live, keepAliveMs)]
        for (const timer of timers) timer.unref()
        end = () => {
          unfollow()
          for (const timer of timers) clearInterval(timer)
        }
        write(keepAliveComment)
      },
      cancel: () => end(),
    },
    { highWaterMark: 4 },
  )
  return new Response(body, { headers: { ...headers, ...eventStreamHeaders } })
}
