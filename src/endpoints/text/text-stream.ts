import { estimatedUsage, type Usage } from '../../domain/usage'
import { openFrames } from '../../formats/frames'
import type { ProviderState } from '../../formats/hub'
import type { TextStream } from '../../formats/hub-stream'
import { isParseable } from '../../json/parse-cost'
import { readLanguage } from '../../http/language'
import { emptySource, sourceInPieces } from '../../outbound/http1/open-source'
import type { ByteSource } from '../../outbound/http1/reply'
import { watchedSource } from '../../outbound/http1/watched-source'
import { maxUncheckedBytes } from '../../call/coverage'
import type { AskParts, StreamAnswer } from '../../call/endpoint'
import { awaitOutput } from './first-output'

interface TextStreamParts {
  readonly call: AskParts
  /** Calibrated prompt tokens, for vendors that tell none. */
  readonly promptTokens: number
}

/**
 * A vendor's event stream as an answer. Waits for its first output, for some seconds where an answer
 * was announced: a failure before it is an ordinary error.
 * @throws GatewayError the vendor's failure | Error when it is no answer
 */
export async function readTextStream(
  source: ByteSource,
  stream: TextStream,
  parts: TextStreamParts,
): Promise<StreamAnswer> {
  const frames = openFrames()
  let broken: Error | null = null
  /** Passes events up to a broken one. */
  const events = (data: readonly string[]): string => {
    let out = ''
    try {
      for (const each of data) {
        if (!isParseable(each))
          throw new Error('event nested too deeply, or too many values to parse')
        out += stream.event(each)
      }
    } catch (thrown) {
      broken = thrown instanceof Error ? thrown : new Error('malformed event')
    }
    return out
  }
  const rest = (): string => {
    const out = events(frames.end())
    return broken === null ? out + stream.ended() : out
  }

  const started = () => stream.started?.() !== false
  const take = (piece: Uint8Array | null): string => {
    const out = piece === null ? rest() : events(frames.push(piece))
    frames.passed()
    if (broken !== null && !(out !== '' && started())) throw broken
    return out
  }
  const opening = await awaitOutput(sourceInPieces(source, maxUncheckedBytes), {
    take,
    started,
    complete: stream.complete,
  }).catch((thrown: unknown) => {
    frames.release()
    throw thrown
  })
  return {
    ...streamAnswer(stream, parts),
    head: orNull(opening.head),
    source: watchedSource(opening.source, frames),
    broken: () => broken,
    pass: (chunk) => orNull(events(frames.push(chunk))),
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
  const language = () => readLanguage(call.inbound.headers)
  const { keepAlive, progress } = stream
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
    sent: stream.sent,
    complete: stream.complete,
    usage: () => stream.reportedUsage() ?? counted(),
    close: ({ error, usage, costUsd }) =>
      stream.close({
        error: error === null ? null : error.body(language(), call.inbound.links),
        usage,
        costUsd,
      }),
  } satisfies Partial<StreamAnswer>
}

const orNull = (text: string): string | null => (text === '' ? null : text)
