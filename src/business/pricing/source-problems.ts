import { codesOf, textReader } from '../../domain/coded-texts'

/** Why nothing of a source of public prices counts, as whoever reads it says so. */
export const sourceProblemTexts = {
  unreadable: 'it cannot be read',
  missing: 'there is no such file',
  no_file: 'it is no file',
  too_large: 'it is larger than {mb} MB',
  too_many_parts: 'it has more members than price data have',
  web_page: 'it is a web page, not JSON',
  no_json: 'it is no whole JSON',
  unknown_form: 'it is of no known form: {forms}',
  no_model: 'it lists no model of this service',
  no_vendor: 'it has no file of a vendor here',
  twin: 'it is the same as {address}, and counts once',
  refused: 'its host answered {status}',
  no_answer: 'its host does not answer, or breaks off',
  too_late: 'it is not all there within {seconds} seconds',
  no_address: 'its address is none',
  no_https: 'its address is not https',
  not_public: 'its address is not public',
  leads_on: 'its address leads on and on',
} as const

export type SourceProblemCode = keyof typeof sourceProblemTexts
export const sourceProblemCodes = codesOf(sourceProblemTexts)

const read = textReader(sourceProblemTexts)

/** Of a source of several files, the one that it is about. */
const ofFile = /^([\w.-]+\.json): (.*)$/s

/** Code of a problem, with its facts, and the file that it is about; null for one in other words. */
export function readSourceProblem(text: string) {
  const [, file, rest] = ofFile.exec(text) ?? []
  if (file === undefined || rest === undefined) return read(text)
  const found = read(rest)
  return found === null ? null : { ...found, facts: { ...found.facts, file } }
}
