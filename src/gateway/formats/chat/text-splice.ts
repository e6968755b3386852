import { stringEnd } from '../../json/edit-members'

/** The text of an event of a known form: as it stands in JSON, and what it says. */
interface TextPiece {
  readonly raw: string
  readonly text: string
}

/** Around the text of an event. */
export interface PieceForm {
  readonly prefix: string
  readonly suffix: string
  /** Null for an event of another form. */
  match(data: string): TextPiece | null
}

const mark = '"content":"'

/**
 * The form of an event that holds one text: what differs from it in that text only need not be
 * parsed. Whether the event says nothing else is for the caller to know.
 */
export function pieceForm(data: string): PieceForm | null {
  const start = data.indexOf(mark)
  if (start < 0) return null
  const from = start + mark.length
  const prefix = data.slice(0, from)
  const suffix = data.slice(stringEnd(data, from - 1) - 1)
  const least = prefix.length + suffix.length
  return {
    prefix,
    suffix,
    match(event) {
      if (event.length < least || !event.startsWith(prefix) || !event.endsWith(suffix)) return null
      const raw = event.slice(prefix.length, event.length - suffix.length)
      if (raw === '' || raw.includes('"') || raw.includes('\n')) return null
      if (!raw.includes('\\')) return { raw, text: raw }
      try {
        return { raw, text: String(JSON.parse(`"${raw}"`)) }
      } catch {
        return null
      }
    },
  }
}
