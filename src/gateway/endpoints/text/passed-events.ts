import { yieldToLoop } from '../../../domain/yield-to-loop'
import type { TextStream } from '../../formats/hub-stream'
import { isParseable, parseCostOf } from '../../json/parse-cost'

/** Shorter events are read in one turn of the event loop. */
const largeChars = 262_144
/** Hidden thinking, and keep-alives that are events, stay far below. */
const maxSilentChars = 16_777_216

const encoder = new TextEncoder()

/** The events of a vendor's stream on their way to the client, up to a broken one. A class, as every stream has one. */
export class PassedEvents {
  /** Why the last event is none; null as long as all are. */
  broken: Error | null = null
  readonly #stream: TextStream
  /** Of events in a row without output for the client. */
  #silentChars = 0
  /** Of the event to go on with. */
  #at = 0

  constructor(stream: TextStream) {
    this.#stream = stream
  }

  /**
   * Passes events, one list at a time.
   * @returns the client's output; a promise where a large event takes several turns of the event loop
   */
  pass(data: readonly string[]): string | Promise<string> {
    this.#at = 0
    const out = this.#upTo(data, largeChars)
    return this.#at < data.length ? this.#inSlices(out, data) : out
  }

  /** Passes the last events, however large. @returns the client's output */
  last(data: readonly string[]): string {
    this.#at = 0
    return this.#upTo(data, Infinity)
  }

  /** Goes on up to an event of more characters. */
  #upTo(data: readonly string[], maxChars: number): string {
    let out = ''
    try {
      for (; this.#at < data.length; this.#at++) {
        const each = data[this.#at] ?? ''
        if (each.length > maxChars) break
        if (!isParseable(each))
          throw new Error('event nested too deeply, or too many values to parse')
        out += this.#event(each)
      }
    } catch (thrown) {
      this.#break(thrown)
      this.#at = data.length
    }
    return out
  }

  /** Goes on with a large event, with turns of the event loop between its steps. */
  async #inSlices(before: string, data: readonly string[]): Promise<string> {
    let out = before
    try {
      while (this.#at < data.length) {
        const each = data[this.#at++] ?? ''
        await parseCostOf(encoder.encode(each))
        await yieldToLoop()
        out += this.#event(each)
        await yieldToLoop()
        out += this.#upTo(data, largeChars)
      }
    } catch (thrown) {
      this.#break(thrown)
    }
    return out
  }

  #event(data: string): string {
    if (this.#silentChars > maxSilentChars) throw new Error('too many events without an answer')
    const out = this.#stream.event(data)
    this.#silentChars = out === '' ? this.#silentChars + data.length : 0
    return out
  }

  #break(thrown: unknown): void {
    this.broken = thrown instanceof Error ? thrown : new Error('malformed event')
  }
}
