import { openSource } from './open-source'
import { SourceReply, type Reply } from './reply'

/** A reply that came through `fetch`: from inside the program, through a proxy, or with a body that was sent as a stream. */
export function replyOfResponse(response: Response): Reply {
  const body: ReadableStream<Uint8Array> | null = response.body
  const reader = body?.getReader()
  let paused = false
  let wake: (() => void) | null = null
  const { source, sink } = openSource({
    pause: () => void (paused = true),
    resume() {
      paused = false
      wake?.()
      wake = null
    },
  })
  const pump = async () => {
    try {
      for (;;) {
        if (paused) await new Promise<void>((resolve) => (wake = resolve))
        const piece = await reader?.read()
        if (piece === undefined || piece.done) break
        sink.data(piece.value)
      }
      sink.end()
    } catch (thrown) {
      sink.fail(
        thrown instanceof Error ? thrown : new Error('response body aborted', { cause: thrown }),
      )
    }
  }
  void pump()
  return new SourceReply(response, source)
}
