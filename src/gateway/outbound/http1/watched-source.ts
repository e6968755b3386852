import type { ByteSource } from './reply'

/** Observer of a flow, for a buffer between its source and its reader. */
interface FlowWatch {
  /** The reader has taken what it got, as far as it did not ask for a pause. */
  passed(): void
  /** Over, whether it ended or broke. */
  release(): void
}

/** A source whose flow is watched. */
export function watchedSource(source: ByteSource, watch: FlowWatch): ByteSource {
  let paused = false
  return {
    read: () => source.read(),
    pause() {
      paused = true
      source.pause()
    },
    resume() {
      paused = false
      watch.passed()
      source.resume()
    },
    flow(sink) {
      source.flow({
        data(bytes) {
          if (!paused) watch.passed()
          sink.data(bytes)
        },
        end() {
          sink.end()
          watch.release()
        },
        fail(cause) {
          watch.release()
          sink.fail(cause)
        },
      })
    },
  }
}
