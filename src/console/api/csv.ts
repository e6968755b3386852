/**
 * Rows as RFC 4180 has them. A cell that a spreadsheet would take for a formula gets an apostrophe
 * in front (OWASP, CSV Injection): names are typed by people.
 */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map(cell).join(',')}\r\n`).join('')

function cell(text: string): string {
  const isFormula = /^[=+@\t\r-]/.test(text) && !/^-\d+(?:\.\d+)?$/.test(text)
  const safe = isFormula ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

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
