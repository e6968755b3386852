import type { BodyReader, StreamedBody } from '../domain/streamed-body'

/** Whether a body is read while it is sent. */
export const isStreamed = (body: string | Uint8Array | StreamedBody | null): body is StreamedBody =>
  typeof body === 'object' && body !== null && 'open' in body

/** As `fetch` takes it: pieces are copied, since it keeps what it was given. */
export function streamOf(body: StreamedBody): ReadableStream<Uint8Array<ArrayBuffer>> {
  let reader: BodyReader | null = null
  return new ReadableStream(
    {
      async pull(controller) {
        reader ??= body.open()
        const piece = await reader.read()
        if (piece !== null) return controller.enqueue(new Uint8Array(piece))
        reader.close()
        controller.close()
      },
      cancel: () => reader?.close(),
    },
    { highWaterMark: 1 },
  )
}
