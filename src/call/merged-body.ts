import { openFrames, type Frames } from '../formats/frames'
import type { ByteRead } from './endpoint'

interface Source {
  readonly at: number
  read(): Promise<ByteRead>
  cancel(): Promise<void>
  readonly frames: Frames
}

interface Arrived {
  readonly source: Source
  readonly result: ByteRead
}

const encoder = new TextEncoder()

/** Event streams as one, event by event as they arrive; each event says which stream it is of. */
export function mergedBody(
  bodies: readonly ReadableStream<Uint8Array>[],
): ReadableStream<Uint8Array> {
  const sources = bodies.map((body, at): Source => {
    const reader = body.getReader()
    return { at, frames: openFrames(), read: () => reader.read(), cancel: () => reader.cancel() }
  })
  const waiting = new Map<Source, Promise<Arrived>>()
  const next = (source: Source) => {
    const arriving = source.read().then((result) => ({ source, result }))
    // Whoever waits is told; when nobody waits any more, nobody need be.
    arriving.catch(() => {})
    waiting.set(source, arriving)
  }
  const cancel = async () => {
    await Promise.allSettled(sources.map((source) => source.cancel()))
  }

  return new ReadableStream<Uint8Array>({
    start: () => sources.forEach(next),
    async pull(controller) {
      try {
        let said = ''
        while (said === '' && waiting.size > 0) {
          const { source, result } = await Promise.race(waiting.values())
          if (result.done) waiting.delete(source)
          else next(source)
          said = eventsOf(source, result)
        }
        if (said !== '') controller.enqueue(encoder.encode(said))
        if (waiting.size === 0) controller.close()
      } catch (thrown) {
        controller.error(thrown)
        await cancel()
      }
    },
    cancel,
  })
}

function eventsOf({ at, frames }: Source, { done, value }: ByteRead): string {
  const data = done || value === undefined ? [...frames.end(), ''] : frames.push(value)
  return data.map((each) => `data: ${at} ${each.replaceAll('\n', '\ndata: ')}\n\n`).join('')
}
