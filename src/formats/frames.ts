/** Cuts an event stream, arriving in any pieces, into the data of its events. */
export interface Frames {
  /** The data of every event that this piece completes. @throws Error when one outgrows all bounds */
  push(chunk: Uint8Array): readonly string[]
  /** What stood at the end without a blank line behind it. */
  end(): readonly string[]
}

/** A vendor that never ends an event must not fill the memory. */
const longestEventChars = 32_000_000

const none: readonly string[] = []

export function openFrames(): Frames {
  // One decoder for the whole stream: a letter may be cut in two.
  const decoder = new TextDecoder()
  let pending = ''
  let searched = 0

  const cut = (text: string): readonly string[] => {
    let boundary = text.indexOf('\n\n', searched)
    if (boundary < 0) {
      if (text.length > longestEventChars) throw new Error('an event of the vendor never ends')
      pending = text
      searched = searchFrom(text)
      return none
    }
    const events: string[] = []
    let from = 0
    while (boundary >= 0) {
      const data = dataOf(text, from, boundary)
      if (data !== null) events.push(data)
      from = boundary + 2
      boundary = text.indexOf('\n\n', from)
    }
    pending = from === text.length ? '' : text.slice(from)
    searched = searchFrom(pending)
    return events
  }

  return {
    push(chunk) {
      let text = decoder.decode(chunk, { stream: true })
      if (pending !== '') text = pending + text
      return cut(text.includes('\r') ? unixLines(text) : text)
    },
    end() {
      const text = `${pending}${decoder.decode()}`
      pending = ''
      searched = 0
      return text.trim() === '' ? none : cut(`${unixLines(text).replaceAll('\r', '\n')}\n\n`)
    },
  }
}

/** A boundary may begin with the last letter, or before a carriage return that becomes none. */
const searchFrom = (text: string): number => Math.max(0, text.length - 2)

/** A carriage return at the very end waits: a line feed may follow in the next piece. */
const unixLines = (text: string): string => text.replace(/\r\n|\r(?!$)/g, '\n')

/** The data of one event; null when it is a comment or has none. */
function dataOf(text: string, from: number, end: number): string | null {
  if (text.startsWith('data:', from)) {
    const line = text.indexOf('\n', from)
    if (line < 0 || line >= end)
      return text.slice(text.charCodeAt(from + 5) === 32 ? from + 6 : from + 5, end)
  }
  const lines = text
    .slice(from, end)
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(line.charCodeAt(5) === 32 ? 6 : 5))
  return lines.length === 0 ? null : lines.join('\n')
}
