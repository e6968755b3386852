import { openFrames } from '../formats/frames'
import { openSource } from '../outbound/open-source'
import type { ByteSource } from '../outbound/reply'

const encoder = new TextEncoder()

/**
 * Event streams as one, event by event as they arrive. Each event says which stream it is of; one
 * without data says that its stream is over.
 */
export function mergedSource(sources: readonly ByteSource[]): ByteSource {
  const { source, sink } = openSource({
    pause: () => sources.forEach((each) => each.pause()),
    resume: () => sources.forEach((each) => each.resume()),
  })
  let open = sources.length

  sources.forEach((each, at) => {
    const frames = openFrames()
    const say = (events: readonly string[]) => {
      const said = events.map((data) => `data: ${at} ${data.replaceAll('\n', '\ndata: ')}\n\n`)
      if (said.length > 0) sink.data(encoder.encode(said.join('')))
    }
    each.flow({
      data: (bytes) => say(frames.push(bytes)),
      end() {
        say([...frames.end(), ''])
        open--
        if (open === 0) sink.end()
      },
      fail: sink.fail,
    })
  })
  return source
}
