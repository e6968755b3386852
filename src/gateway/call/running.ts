import type { RequestId } from '../../domain/ids'
import type { StoppedBy } from './interruption'

/** A stream that is being relayed, as the one who watches over all of them sees it. */
export interface RunningStream {
  /** The call that it answers. */
  readonly request: RequestId
  /** Called every few seconds: keeps quiet streams alive and ends dead ones. */
  tick(): void
  /** Begins nothing new: what goes on without an end of its own ends as soon as nothing is under way. */
  finish?(): void
  /**
   * Ends the stream in order: error event, usage, terminator.
   * @param by the gateway unless told
   */
  cut(by?: StoppedBy): void
}

/** Every open stream of the process. */
export interface RunningStreams {
  add(stream: RunningStream): void
  remove(stream: RunningStream): void
  count(): number
  finishAll(): void
  cutAll(): void
  /** Ends one in order. @returns false where there is none */
  stop(request: RequestId): boolean
  close(): void
}

/** Between two ticks; three quiet ticks make the fifteen seconds after which a keep-alive is due. */
export const tickMs = 5000

/** One timer for all streams, so that a chunk costs no timer of its own. */
export function openRunningStreams(): RunningStreams {
  const streams = new Set<RunningStream>()
  const timer = setInterval(() => {
    for (const stream of streams) stream.tick()
  }, tickMs)
  timer.unref()
  return {
    add: (stream) => void streams.add(stream),
    remove: (stream) => void streams.delete(stream),
    count: () => streams.size,
    finishAll: () => {
      for (const stream of Array.from(streams)) stream.finish?.()
    },
    cutAll: () => {
      for (const stream of Array.from(streams)) stream.cut()
    },
    stop(request) {
      const stream = [...streams].find((each) => each.request === request)
      stream?.cut('operator')
      return stream !== undefined
    },
    close: () => clearInterval(timer),
  }
}
