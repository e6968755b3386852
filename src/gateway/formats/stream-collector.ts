import { isFields, type Fields } from '../json/fields'

/** Puts the events of a stream together, as a client of the format would, to the whole answer. */
export interface StreamCollector {
  /** @param event the data of one */
  add(event: Fields): void
  /** From here on comes what closes the stream, which a cut answer has not said itself. */
  closing(): void
  /** @param stopped the money ended before the answer did */
  whole(stopped: boolean): Fields
}

/** The data of the events in a text of whole events; comments and terminators are left out. */
export function eventsIn(text: string): readonly Fields[] {
  const found: Fields[] = []
  for (const line of text.split('\n')) {
    if (!line.startsWith(dataMark)) continue
    const data = line.slice(dataMark.length)
    if (data.startsWith('[DONE]')) continue
    const event: unknown = JSON.parse(data)
    if (isFields(event)) found.push(event)
  }
  return found
}

const dataMark = 'data: '
