import { streamEvents, wholeReply } from './chat-wire'
import { connectionReset, faultResponse, isFault, pause } from './faults'
import { sandboxAnswer } from './text'

type Fields = Readonly<Record<string, unknown>>

/** How the slow model takes its time. */
const wordMs = 50
const wholeMs = 1000
/** Longer than anybody waits for a first byte. */
const neverMs = 3_600_000
/** Events of a stream that breaks off: the role and a few words. */
const eventsBeforeCut = 4

/** A whole vendor in one function, in the reference format; nothing leaves the process. */
export async function serve(request: Request): Promise<Response> {
  const body = (await request.json()) as Fields
  const model = String(body['model'])
  const fault = model.startsWith('error-') ? model.slice('error-'.length) : null
  const stream = body['stream'] === true
  if (fault !== null) {
    if (isFault(fault)) return faultResponse(fault)
    if (fault === 'timeout') await pause(neverMs, request.signal)
    if (fault !== 'stream_interrupted') throw connectionReset()
    if (!stream) return faultResponse('upstream_error')
  }
  const slow = model === 'slow'
  if (slow && !stream) await pause(wholeMs, request.signal)
  const answer = sandboxAnswer(body)
  const choices = typeof body['n'] === 'number' ? body['n'] : 1
  if (!stream) {
    const headers = { 'content-type': 'application/json' }
    return new Response(wholeReply(answer, model, choices), { headers })
  }
  const events = streamEvents(answer, model, choices)
  const source = slow
    ? paced(events, request.signal)
    : atOnce(fault === null ? events : events.slice(0, eventsBeforeCut), fault !== null)
  return new Response(source, { headers: { 'content-type': 'text/event-stream' } })
}

const encoder = new TextEncoder()

/** One event at each pull; a stream that is cut ends with an error in place of the rest. */
function atOnce(events: readonly string[], cut: boolean): ReadableStream<Uint8Array> {
  let next = 0
  return new ReadableStream({
    pull(controller) {
      const event = events[next++]
      if (event !== undefined) controller.enqueue(encoder.encode(event))
      else if (cut) controller.error(connectionReset())
      else controller.close()
    },
  })
}

function paced(events: readonly string[], signal: AbortSignal): ReadableStream<Uint8Array> {
  let next = 0
  return new ReadableStream({
    async pull(controller) {
      const event = events[next++]
      if (event === undefined) return controller.close()
      if (next > 1) await pause(wordMs, signal)
      controller.enqueue(encoder.encode(event))
    },
  })
}
