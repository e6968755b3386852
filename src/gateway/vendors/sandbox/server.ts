import { fieldsOf, type Fields } from '../../json/fields'
import { streamEvents, wholeReply } from './chat-wire'
import { embeddingsPieces, maxEmbeddingsChars, readInputs } from './embeddings'
import { imagesReply, imagesStream } from './images'
import { moderationsReply } from './moderations'
import { videoReply } from './videos'
import { connectionReset, failedReply, pause, RefusedRequest, refusedResponse } from './faults'
import { inSlices, streamInSlices } from './slices'
import { musicReply, speechReply } from './speech'
import { sandboxAnswer } from './text'
import { readSentForm } from './sent-form'
import { transcriptReply } from './transcripts'

/** How the slow model takes its time. */
const wordMs = 50
const wholeMs = 1000

/**
 * A whole vendor in one function, in the reference format; nothing leaves the process. It shares the
 * event loop with every call: what takes long is done in slices, and what has no end is refused.
 * @throws Error with code ECONNRESET, where the model is to drop the connection | AbortError
 */
export async function serve(request: Request): Promise<Response> {
  try {
    return await answered(request)
  } catch (thrown) {
    if (thrown instanceof RefusedRequest) return refusedResponse(thrown)
    throw thrown
  }
}

/** @throws RefusedRequest | as `serve` */
async function answered(request: Request): Promise<Response> {
  const { signal } = request
  const film = await videoReply(request)
  if (film !== null) return film
  const asked = new URL(request.url).pathname.replace(/^.*\//, '')
  if (asked === 'transcriptions' || asked === 'translations') return await listened(request, asked)
  const text = await request.text()
  if (asked === 'embeddings' && text.length > maxEmbeddingsChars)
    throw new RefusedRequest(`The sandbox reads at most ${maxEmbeddingsChars} characters.`, 'input')
  const body = fieldsOf(JSON.parse(text))
  const stream = body['stream'] === true
  const model = String(body['model'])
  if (asked === 'embeddings' && model === 'embed') {
    const work = await inSlices(readInputs(body), signal)
    return new Response(streamInSlices(embeddingsPieces(work), signal), { headers: jsonHeaders })
  }
  if (asked === 'moderations' && model === 'moderate')
    return new Response(await inSlices(moderationsReply(body), signal), { headers: jsonHeaders })
  if (asked === 'generations' && model === 'draw')
    return stream
      ? new Response(imagesStream(body, signal), { headers: streamHeaders })
      : new Response(await imagesReply(body, signal), { headers: jsonHeaders })
  if (asked === 'music' && model === 'compose') return musicReply(body)
  if (asked === 'speech' && model === 'speak') return speechReply(body, 'at once', signal)
  if (asked === 'speech' && model === 'speak-slow') return speechReply(body, 'slowly', signal)
  switch (model) {
    case 'echo':
      return stream ? streamed(body, signal, streamInSlices) : whole(body, signal)
    case 'slow':
      if (stream) return streamed(body, signal, paced)
      await pause(wholeMs, signal)
      return whole(body, signal)
    case 'error-stream_interrupted':
      if (asked === 'speech') return speechReply(body, 'cut', signal)
      return stream ? streamed(broken, signal, cutOff) : failedReply(model, signal)
  }
  return failedReply(model, signal)
}

async function listened(request: Request, asked: string): Promise<Response> {
  const heard = await readSentForm(request)
  const model = heard.fields.get('model') ?? ''
  if (model === 'listen')
    return new Response(transcriptReply(heard, asked === 'translations'), { headers: jsonHeaders })
  return failedReply(model, request.signal)
}

const jsonHeaders = { 'content-type': 'application/json' }
const streamHeaders = { 'content-type': 'text/event-stream; charset=utf-8' }

/** As many as the reference's schema takes here. */
const maxChoices = 4

const wrappingOf = ({ model, n, stream_options: options }: Fields) => ({
  model: String(model),
  choices: typeof n === 'number' ? Math.min(n, maxChoices) : 1,
  usage: fieldsOf(options)['include_usage'] === true,
})

const whole = async (body: Fields, signal: AbortSignal): Promise<Response> => {
  const answer = await inSlices(sandboxAnswer(body), signal)
  return new Response(wholeReply(answer, wrappingOf(body)), { headers: jsonHeaders })
}

type Events = Iterator<Uint8Array, void>

async function streamed(
  body: Fields,
  signal: AbortSignal,
  pour: (events: Events, signal: AbortSignal) => ReadableStream<Uint8Array>,
): Promise<Response> {
  const answer = await inSlices(sandboxAnswer(body), signal)
  const events = streamEvents(answer, wrappingOf(body)).map((event) => encoder.encode(event))
  return new Response(pour(events, signal), { headers: streamHeaders })
}

const encoder = new TextEncoder()

function paced(events: Events, signal: AbortSignal): ReadableStream<Uint8Array> {
  const left = new AbortController()
  const gone = AbortSignal.any([signal, left.signal])
  let first = true
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = events.next()
      if (done === true) return controller.close()
      if (!first) await pause(wordMs, gone)
      first = false
      controller.enqueue(value)
    },
    cancel: () => left.abort(),
  })
}

/** Request of the stream that breaks off, whatever it is given. */
const broken: Fields = {
  model: 'error-stream_interrupted',
  messages: [{ role: 'user', content: 'This answer breaks off in the middle of a sentence.' }],
}
/** The role and a few words. */
const eventsBeforeCut = 5

/** A stream that ends with a reset in place of the rest. */
function cutOff(events: Events): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      const { done, value } = events.next()
      if (done === true || sent++ === eventsBeforeCut) controller.error(connectionReset())
      else controller.enqueue(value)
    },
  })
}
