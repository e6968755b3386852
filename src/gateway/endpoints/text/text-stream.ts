import { estimatedUsage, type Usage } from '../../../domain/usage'
import { Frames } from '../../formats/frames'
import type { DeltaRenderer, ProviderState } from '../../formats/hub'
import type { TextStream } from '../../formats/hub-stream'
import { withInput } from '../../formats/plausible-usage'
import { readLanguage } from '../../http/language'
import { emptySource, sourceInPieces } from '../../outbound/http1/open-source'
import type { ByteSource } from '../../outbound/http1/reply'
import { watchedSource } from '../../outbound/http1/watched-source'
import { maxUncheckedBytes } from '../../call/coverage'
import type { RequestParts, StreamAnswer, UnansweredStream } from '../../call/endpoint'
import { awaitOutput, hasStarted } from './first-output'
import { PassedEvents } from './passed-events'

interface TextStreamParts {
  readonly call: RequestParts
  /** Calibrated prompt tokens, for vendors that tell none. */
  readonly promptTokens: number
}

/**
 * A vendor's event stream as an answer. Waits for its first output: a failure before it is an ordinary error.
 * @throws GatewayError the vendor's failure | Error when it is no answer
 */
export async function readTextStream(
  source: ByteSource,
  stream: TextStream,
  parts: TextStreamParts,
): Promise<StreamAnswer> {
  const frames = new Frames()
  const events = new PassedEvents(stream)
  const rest = (): string => {
    const out = events.last(frames.end())
    return events.broken === null ? out + stream.ended() : out
  }

  const taken = (out: string): string => {
    frames.passed()
    if (events.broken !== null && !(out !== '' && hasStarted(stream))) throw events.broken
    return out
  }
  const take = (piece: Uint8Array | null): string | Promise<string> => {
    const out = piece === null ? rest() : events.pass(frames.push(piece))
    return typeof out === 'string' ? taken(out) : out.then(taken)
  }
  const pieces = sourceInPieces(source, maxUncheckedBytes)
  const opening = await awaitOutput(pieces, stream, take).catch((thrown: unknown) => {
    frames.release()
    throw thrown
  })
  return {
    ...streamAnswer(stream, parts),
    head: orNull(opening.head),
    source: watchedSource(opening.source, frames),
    broken: () => events.broken,
    pass(chunk) {
      const out = events.pass(frames.push(chunk))
      return typeof out === 'string' ? orNull(out) : out.then(orNull)
    },
    ended: () => orNull(rest()),
  }
}

/** An answer that came whole, to a client that wanted a stream. @param head all it says */
export const wholeAsStream = (
  head: string,
  stream: TextStream,
  parts: TextStreamParts,
): StreamAnswer => ({
  ...streamAnswer(stream, parts),
  head: orNull(head),
  source: emptySource(),
  broken: () => null,
  pass: () => null,
  ended: () => null,
})

/** Stream that remembers provider state as soon as the answer is whole. */
export function rememberingStream(
  stream: TextStream,
  providerStates: () => readonly ProviderState[],
  remember: (providerState: ProviderState) => void,
): TextStream {
  let kept = false
  const keep = (out: string): string => {
    if (kept || !stream.complete()) return out
    kept = true
    for (const providerState of providerStates()) remember(providerState)
    return out
  }
  return {
    ...stream,
    event: (data) => keep(stream.event(data)),
    ended: () => keep(stream.ended()),
  }
}

function streamAnswer(stream: TextStream, { call, promptTokens }: TextStreamParts) {
  const { keepAlive, progress, finished, wrote } = stream
  const counted = (): Usage => {
    const usage = estimatedUsage(promptTokens, stream.countedTokens())
    const media = stream.countedMedia?.()
    const tools = stream.countedTools?.()
    if (media === undefined && tools === undefined) return usage
    return { ...usage, units: { ...usage.units, ...media, ...tools } }
  }
  return {
    kind: 'stream',
    ...(keepAlive === undefined ? {} : { keepAlive }),
    ...(progress === undefined ? {} : { progress }),
    ...(finished === undefined ? {} : { finished }),
    ...(wrote === undefined ? {} : { wrote }),
    sent: stream.sent,
    complete: stream.complete,
    usage() {
      const reported = stream.reportedUsage()
      return reported === null ? counted() : withInput(reported, promptTokens)
    },
    close: closingOf(stream, call),
  } satisfies Partial<StreamAnswer>
}

/** How a stream is closed in its format, with an error in its client's language. */
const closingOf =
  (stream: Pick<TextStream, 'close'>, { inbound }: RequestParts): StreamAnswer['close'] =>
  ({ error, usage, costUsd }) => {
    const body = error === null ? null : error.body(readLanguage(inbound.headers), inbound.links)
    return stream.close({ error: body, usage, costUsd })
  }

/** A stream in its client's format that no vendor has answered. */
export const unansweredStream = (
  renderer: DeltaRenderer,
  call: RequestParts,
): UnansweredStream => ({
  ...(renderer.keepAlive === undefined ? {} : { keepAlive: renderer.keepAlive }),
  close: closingOf(renderer, call),
})

const orNull = (text: string): string | null => (text === '' ? null : text)
