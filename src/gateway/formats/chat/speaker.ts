import type { Fields } from '../../json/fields'

/** A part of a message that is text, of the wire or read. */
interface TextPart {
  readonly type: 'text'
  readonly text: string
}

/** Parts of a user's message that say who speaks, for a vendor that has no member for names of users. */
export function bySpeaker<Part extends object>(name: string, parts: readonly Part[]) {
  const [first, ...rest] = parts
  if (first === undefined || !isTextPart(first)) return [textPart(`${name}:`), ...parts]
  return [{ ...first, text: `${name}: ${first.text}` }, ...rest]
}

const textPart = (text: string): TextPart => ({ type: 'text', text })

function isTextPart(part: object): part is TextPart {
  const { type, text }: Fields = { ...part }
  return type === 'text' && typeof text === 'string'
}
