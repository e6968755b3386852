import type { ByteSource } from './reply'

/** A source that tells when its flow is over, whether it ended or broke. */
export const watchedSource = (source: ByteSource, over: () => void): ByteSource => ({
  read: () => source.read(),
  pause: () => source.pause(),
  resume: () => source.resume(),
  flow(sink) {
    source.flow({
      data: (bytes) => sink.data(bytes),
      end() {
        sink.end()
        over()
      },
      fail(cause) {
        over()
        sink.fail(cause)
      },
    })
  },
})
