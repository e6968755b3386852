import { expectedFa } from '../../../../errors/expectations-fa'
import { notes } from './notes'
import { prose } from './prose'

/** Ends that notes of many fields have. */
const ends: readonly (readonly [RegExp, string])[] = [
  [/^(.+), in dollars$/, '، به دلار'],
  [/^(.+), in seconds since 1970$/, '، به ثانیه از آغاز ۱۹۷۰ میلادی'],
]

const ofFamily = /^an `id` of `GET \/v1\/models\?type=(\w+)`$/

/**
 * Persian of a text of the document, paragraphs and marks as they are.
 * @returns null where it has none yet
 */
export function inPersian(text: string): string | null {
  const paragraphs = text.split(/\n\s*\n/).map((each) => ofParagraph(each.replaceAll(/\s+/g, ' ')))
  return paragraphs.includes(null) ? null : paragraphs.join('\n\n')
}

function ofParagraph(text: string): string | null {
  const known = text === '' ? '' : (prose[text] ?? notes[text])
  if (known !== undefined) return known
  // Codes alone.
  if (/^(?:`[\w.]+`(?:, )?)+$/.test(text)) return text.replaceAll(', ', '، ')
  const [, family] = ofFamily.exec(text) ?? []
  if (family !== undefined) return `یک \`id\` از \`GET /v1/models?type=${family}\``
  for (const [form, end] of ends) {
    const [, rest] = form.exec(text) ?? []
    if (rest !== undefined) return joined(ofParagraph(rest), end)
  }
  const [, note, may] = /^(.+?) \((.+)\)$/.exec(text) ?? []
  if (note !== undefined && may !== undefined) {
    const expected = expectation(may)
    return expected === null ? null : joined(ofParagraph(note), ` (${expected})`)
  }
  return expectation(text)
}

const joined = (text: string | null, end: string): string | null =>
  text === null ? null : text + end

/** Translated type of a field; an unknown one is quoted as it is. */
function expectation(text: string): string | null {
  const persian = expectedFa(text)
  const quoted = persian.split('`').filter((_, at) => at % 2 === 1)
  return quoted.some((each) => each.includes(' ')) ? null : persian
}
