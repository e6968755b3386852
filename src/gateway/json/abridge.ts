import { arrayRuns } from './array-runs'
import { parseCostOf, type LongStrings } from './parse-cost'

/**
 * A JSON text whose long strings, and probabilities of tokens, were left out: it is parsed and edited as the
 * whole would be.
 */
export interface AbridgedJson {
  /** Has stand-ins: strings that may be moved but not looked into. */
  readonly text: string
  /** Bytes of JSON in the place of each stand-in: a string without its quotes, or elements of an array. */
  readonly strings: ReadonlyMap<string, Uint8Array>
}

/** Strings from here on are not made text of: pictures, sound, documents. */
const minBytes = 262_144

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** No vendor can name the string of another reply. */
const mark = `chapar-${crypto.randomUUID()}-`
/** Of a string, or of elements with quotes around it that nothing replaces. */
const standIns = new RegExp(`(${mark}\\d+\\.)|"(${mark}\\d+;)"`, 'g')
let count = 0

/** Where each token of an answer has a list of those that might have stood there: megabytes of them. */
const probabilities = '"logprobs"'

/** Abridges a JSON text. @throws Error when it is no JSON, or would take too long to parse */
export async function abridgeJson(all: Uint8Array): Promise<AbridgedJson> {
  const strings = new Map<string, Uint8Array>()
  const bytes = await withoutProbabilities(all, strings)
  const long: LongStrings = { minBytes, spans: [] }
  await parseCostOf(bytes, long)
  let text = ''
  let done = 0
  for (const { from, to } of long.spans) {
    const standIn = `${mark}${count++}.`
    strings.set(standIn, bytes.subarray(from + 1, to - 1))
    text += decoder.decode(bytes.subarray(done, from + 1)) + standIn
    done = to - 1
  }
  return { text: text + decoder.decode(bytes.subarray(done)), strings }
}

async function withoutProbabilities(
  bytes: Uint8Array,
  found: Map<string, Uint8Array>,
): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let done = 0
  for (const { from, to } of await arrayRuns(bytes, probabilities)) {
    const standIn = `${mark}${count++};`
    found.set(standIn, bytes.subarray(from, to))
    pieces.push(bytes.subarray(done, from), encoder.encode(`"${standIn}"`))
    done = to
  }
  return done === 0 ? bytes : Buffer.concat([...pieces, bytes.subarray(done)])
}

/** Replacements of an abridged text that are elements of arrays: nothing that its readers look into. */
export const elementsIn = (strings: AbridgedJson['strings']): AbridgedJson['strings'] =>
  new Map([...strings].filter(([standIn]) => standIn.endsWith(';')))

/** The bytes of a text in pieces, with what each stand-in replaces. */
export function expandJson(text: string, strings: AbridgedJson['strings']): readonly Uint8Array[] {
  const pieces: Uint8Array[] = []
  let done = 0
  for (const { 0: whole, 1: string, 2: elements, index } of text.matchAll(standIns)) {
    const bytes = strings.get(string ?? elements ?? '')
    if (bytes === undefined) continue
    pieces.push(encoder.encode(text.slice(done, index)), bytes)
    done = index + whole.length
  }
  pieces.push(encoder.encode(text.slice(done)))
  return pieces
}

/** The long strings that a text stands for, and what it says besides. */
export function longStringsIn(
  text: string,
  strings: AbridgedJson['strings'],
): { readonly rest: string; readonly found: readonly Uint8Array[] } {
  const found: Uint8Array[] = []
  const rest = text.replaceAll(standIns, (standIn) => {
    const string = strings.get(standIn)
    if (string === undefined) return standIn
    found.push(string)
    return ''
  })
  return { rest, found }
}
