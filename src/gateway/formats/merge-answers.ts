import { addReported, addUsages, type Usage } from '../../domain/usage'
import type { Delta, DeltaStream, HubReply, ProviderState } from './hub'
import { grownUsage } from './plausible-usage'

/** Answers to one question, asked several times, as the choices of one answer. */
export function mergeReplies(replies: readonly HubReply[]): HubReply {
  const [only, ...more] = replies
  if (only !== undefined && more.length === 0) return only
  return {
    choices: replies.flatMap(({ choices }) => choices),
    usage: addReported(replies.map(({ usage }) => usage)),
    providerStates: placedStates(replies.map(({ providerStates }) => providerStates)),
  }
}

/**
 * Streams of one question, asked several times, as the choices of one stream. An event begins with
 * the place of its stream and a space; what follows is its data, or nothing when that stream ended.
 */
export function mergeStreams(streams: readonly DeltaStream[]): DeltaStream {
  const reported = streams.map((): Usage | null => null)

  const placed = (at: number, delta: Delta): Delta => {
    if (delta.type !== 'usage') return { ...delta, choice: at }
    reported[at] = grownUsage(reported[at] ?? null, delta.usage)
    const known = reported.filter((usage) => usage !== null)
    const usage = addUsages(known)
    return {
      type: 'usage',
      usage: { ...usage, estimated: usage.estimated || known.length < reported.length },
    }
  }

  return {
    event(data) {
      const space = data.indexOf(' ')
      const at = Number(data.slice(0, space))
      const stream = streams[at]
      if (stream === undefined) throw new Error('event of an unknown stream')
      const own = data.slice(space + 1)
      const deltas = own === '' ? stream.ended() : stream.event(own)
      return deltas.map((delta) => placed(at, delta))
    },
    ended: () =>
      streams.flatMap((stream, at) =>
        stream.complete() ? [] : stream.ended().map((delta) => placed(at, delta)),
      ),
    finished: () => streams.every((stream) => stream.complete() || stream.finished?.() === true),
    thinks: () => streams.some((stream) => stream.thinks?.() === true),
    complete: () => streams.every((stream) => stream.complete()),
    providerStates: () => placedStates(streams.map((stream) => stream.providerStates?.())),
  }
}

/** Each answer is one choice. */
const placedStates = (
  states: readonly (readonly ProviderState[] | undefined)[],
): readonly ProviderState[] =>
  states.flatMap((each = [], choice) => each.map((state) => ({ ...state, choice })))
