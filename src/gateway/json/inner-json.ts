import { parseNs } from './parse-cost'

/** So much is parsed uncounted, in a few milliseconds whatever it holds. */
const freeLength = 65_536
const maxNs = 45_000_000

/**
 * Parser of the JSON texts of one body, such as the arguments of its calls: whoever counted what the body takes
 * to parse took each of them for one string.
 */
export class InnerJson {
  #length = 0
  #ns = 0

  /** @throws Error when it is no JSON, or all texts together take too long to parse */
  parse(text: string): unknown {
    this.#length += text.length
    if (this.#length > freeLength) {
      this.#ns += parseNs(text) ?? Infinity
      if (this.#ns > maxNs) throw new Error('too many names and values to parse')
    }
    return JSON.parse(text)
  }
}
