import { isFields, type Fields } from '../json/fields'
import type { InnerJson } from '../json/inner-json'

/**
 * Arguments of a call for formats that want an object. A model may write no JSON, or be cut in the middle of it, and
 * its client sends that back for ever: text that is no object, or takes too long to parse, is one member.
 * @param inner of all calls of the conversation or answer
 */
export function callInput(text: string, inner: InnerJson): Fields {
  if (text.trim() === '') return {}
  try {
    const input: unknown = inner.parse(text)
    if (isFields(input)) return input
  } catch {
    // Shown as it is.
  }
  return { _raw: text }
}
