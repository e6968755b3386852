import type { BodyReader, StreamedBody } from '../../net/streamed-body'

/** Whether a body is read while it is sent. */
export const isStreamed = (body: string | Uint8Array | StreamedBody | null): body is StreamedBody =>
  typeof body === 'object' && body !== null && 'open' in body

/** A body as `fetch` takes it. */
interface FetchBody {
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /** Nobody reads it any more: `fetch` does not say so of what it never sent. */
  close(): void
}

/** Pieces are copied, since `fetch` keeps what it was given. */
export function fetchBody(body: StreamedBody): FetchBody {
  let reader: BodyReader | null = null
  let closed = false
  const close = () => {
    closed = true
    reader?.close()
  }
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        if (closed) return controller.close()
        reader ??= body.open()
        const piece = await reader.read()
        if (closed) return
        if (piece !== null) return controller.enqueue(new Uint8Array(piece))
        close()
        controller.close()
      },
      cancel: close,
    },
    { highWaterMark: 1 },
  )
  return { stream, close }
}
