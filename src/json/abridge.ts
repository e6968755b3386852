import { parseCostOf, type LongStrings } from './parse-cost'

/** A JSON text whose long strings were left out: it is parsed and edited as the whole would be. */
export interface AbridgedJson {
  /** Has a stand-in for each long string: a string too, which may be moved but not looked into. */
  readonly text: string
  /** Strings that the stand-ins replace, as bytes of JSON without the quotes. */
  readonly strings: ReadonlyMap<string, Uint8Array>
}

/** Strings from here on are not made text of: pictures, sound, documents. */
const minBytes = 262_144

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** No vendor can name the string of another reply. */
const mark = `chapar-${crypto.randomUUID()}-`
const standIns = new RegExp(`${mark}\\d+\\.`, 'g')
let count = 0

/** Abridges a JSON text. @throws Error when it would take too long to parse */
export async function abridgeJson(bytes: Uint8Array): Promise<AbridgedJson> {
  const long: LongStrings = { minBytes, spans: [] }
  await parseCostOf(bytes, long)
  const strings = new Map<string, Uint8Array>()
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

/** The bytes of a text in pieces, each stand-in replaced by its string. */
export function expandJson(text: string, strings: AbridgedJson['strings']): readonly Uint8Array[] {
  const pieces: Uint8Array[] = []
  let done = 0
  for (const { 0: standIn, index } of text.matchAll(standIns)) {
    const string = strings.get(standIn)
    if (string === undefined) continue
    pieces.push(encoder.encode(text.slice(done, index)), string)
    done = index + standIn.length
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
