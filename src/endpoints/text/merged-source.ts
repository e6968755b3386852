import { openFrames } from '../../formats/frames'
import { openSource } from '../../outbound/http1/open-source'
import type { ByteSource } from '../../outbound/http1/reply'

const encoder = new TextEncoder()

/**
 * Event streams as one, event by event as they arrive. Each event begins with the place of its
 * stream and a space; one without data says that its stream ended.
 */
export function mergedSource(sources: readonly ByteSource[]): ByteSource {
  const all = openSource({
    pause: () => sources.forEach((source) => source.pause()),
    resume: () => sources.forEach((source) => source.resume()),
  })
  let running = sources.length
  sources.forEach((source, at) => {
    const frames = openFrames()
    const tell = (events: readonly string[]) => {
      const text = events.map((data) => `data: ${at} ${data.replaceAll('\n', '\ndata: ')}\n\n`)
      if (text.length > 0) all.sink.data(encoder.encode(text.join('')))
    }
    source.flow({
      data(bytes) {
        tell(frames.push(bytes))
        frames.passed()
      },
      end() {
        tell([...frames.end(), ''])
        running--
        if (running === 0) all.sink.end()
      },
      fail(cause) {
        frames.release()
        all.sink.fail(cause)
      },
    })
  })
  return all.source
}
