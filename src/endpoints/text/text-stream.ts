import { yieldToLoop } from '../../domain/yield-to-loop'
import { estimatedUsage, type Usage } from '../../domain/usage'
import { openFrames } from '../../formats/frames'
import type { ProviderState } from '../../formats/hub'
import type { TextStream } from '../../formats/hub-stream'
import { isParseable, parseCostOf } from '../../json/parse-cost'
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

/** Shorter events are read in one turn of the event loop. */
const largeChars = 262_144
/** Thinking that is shown to nobody, and signs of life that are events, stay far below. */
const maxSilentChars = 16_777_216

const encoder = new TextEncoder()

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
  /** Of events in a row that told the client nothing. */
  let silentChars = 0
  const event = (data: string): string => {
    if (silentChars > maxSilentChars) throw new Error('too many events without an answer')
    const out = stream.event(data)
    silentChars = out === '' ? silentChars + data.length : 0
    return out
  }
  const breakWith = (thrown: unknown): void => {
    broken = thrown instanceof Error ? thrown : new Error('malformed event')
  }
  /** Passes events up to a broken one, and up to a large one where `isLast` is false. */
  const pass = (data: readonly string[], from: number, isLast: boolean) => {
    let out = ''
    let at = from
    try {
      for (; at < data.length; at++) {
        const each = data[at] ?? ''
        if (!isLast && each.length > largeChars) break
        if (!isParseable(each))
          throw new Error('event nested too deeply, or too many values to parse')
        out += event(each)
      }
    } catch (thrown) {
      breakWith(thrown)
      at = data.length
    }
    return { out, at }
  }
  const events = (data: readonly string[]): string | Promise<string> => {
    const { out, at } = pass(data, 0, false)
    return at < data.length ? inSlices(out, data, at) : out
  }
  /** Goes on with a large event, with turns of the event loop between its steps. */
  const inSlices = async (before: string, data: readonly string[], large: number) => {
    let out = before
    try {
      for (let at = large; at < data.length;) {
        const each = data[at] ?? ''
        await parseCostOf(encoder.encode(each))
        await yieldToLoop()
        out += event(each)
        await yieldToLoop()
        const next = pass(data, at + 1, false)
        out += next.out
        at = next.at
      }
    } catch (thrown) {
      breakWith(thrown)
    }
    return out
  }
  const rest = (): string => {
    const { out } = pass(frames.end(), 0, true)
    return broken === null ? out + stream.ended() : out
  }

  const started = () => stream.started?.() !== false
  const taken = (out: string): string => {
    frames.passed()
    if (broken !== null && !(out !== '' && started())) throw broken
    return out
  }
  const take = (piece: Uint8Array | null): string | Promise<string> => {
    const out = piece === null ? rest() : events(frames.push(piece))
    return typeof out === 'string' ? taken(out) : out.then(taken)
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
    pass(chunk) {
      const out = events(frames.push(chunk))
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
