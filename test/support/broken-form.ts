import fc from 'fast-check'

/** What breaks the rules of a form most; its boundary is `b0`. */
const pieces = ['\r', '\n', '-', '"', ';', '\\', '\0', '\xff', ':', '\r\n', '--b0', 'b0']

/**
 * A form that was changed in places, a byte a character.
 * @param longest of a change, in bytes
 */
export function brokenForm(
  form: string,
  { mostChanges, longest }: { readonly mostChanges: number; readonly longest: number },
): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(form.length - 1),
    kind: fc.constantFrom('set', 'cut', 'drop', 'repeat', 'put'),
    length: fc.integer({ min: 1, max: longest }),
    value: fc.constantFrom(...pieces),
  })
  return fc.array(change, { minLength: 1, maxLength: mostChanges }).map((changes) => {
    let text = form
    for (const { at, kind, length, value } of changes) {
      const end = kind === 'put' ? at : at + length
      const middle = kind === 'repeat' ? text.slice(at, end).repeat(2) : value
      const isGone = kind === 'cut' || kind === 'drop'
      text = text.slice(0, at) + (isGone ? '' : middle) + (kind === 'cut' ? '' : text.slice(end))
    }
    return text
  })
}
