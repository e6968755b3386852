import { csvLine } from '../../domain/csv-line'

/** Rows as RFC 4180 has them. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${csvLine(cells)}\r\n`).join('')

/** Same, in as many pieces as there are pages: the whole may not fit into memory. */
export function csvStream(
  columns: readonly string[],
  pages: AsyncIterator<readonly (readonly string[])[]>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(csvOf([columns]))),
    async pull(controller) {
      const next = await pages.next()
      if (next.done === true) return controller.close()
      controller.enqueue(encoder.encode(csvOf(next.value)))
    },
    cancel: async () => void (await pages.return?.()),
  })
}
