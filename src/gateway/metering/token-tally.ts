import { yieldToLoop } from '../../domain/yield-to-loop'
import { estimateTokens, estimateTokensInSlices, sliceChars } from './estimate-text'

/** Characters that are counted in the turn of the event loop in which they are added. */
const atOnceChars = 65_536

/** Overhead of one of many small texts, in characters. */
const eachChars = 32

/** Something that waits for its turn: a text, or what is counted as its JSON text. */
interface Waiting {
  readonly value: unknown
  readonly counted: (tokens: number) => void
}

/** Counts many texts. */
export interface TextTally {
  /** @param counted told once, at once or during `rest` */
  text(text: string, counted: (tokens: number) => void): void
  /** A value by its JSON text. */
  json(value: unknown, counted: (tokens: number) => void): void
  /** Whether something waits. */
  readonly waits: boolean
  /** Counts the waiting texts. */
  rest(): Promise<void>
}

/**
 * Counts texts, small ones at once. Beyond a limit they wait for `rest`, which counts them in slices
 * of the event loop.
 */
export class TokenTally implements TextTally {
  #left = atOnceChars
  #waiting: Waiting[] | null = null

  text(text: string, counted: (tokens: number) => void): void {
    this.#left -= text.length
    if (this.#left >= 0) counted(estimateTokens(text))
    else this.#later(text, counted)
  }

  json(value: unknown, counted: (tokens: number) => void): void {
    // The JSON text of a text is another text.
    if (this.#left < 0 && typeof value !== 'string') this.#later(value, counted)
    else this.text(jsonOf(value), counted)
  }

  get waits(): boolean {
    return this.#waiting !== null
  }

  async rest(): Promise<void> {
    const waiting = this.#waiting ?? []
    this.#waiting = null
    let left = 0
    for (const { value, counted } of waiting) {
      if (left <= 0) {
        await yieldToLoop()
        left = sliceChars
      }
      const text = typeof value === 'string' ? value : jsonOf(value)
      left -= text.length + eachChars
      counted(left < 0 ? await estimateTokensInSlices(text) : estimateTokens(text))
    }
    await yieldToLoop()
  }

  #later(value: unknown, counted: (tokens: number) => void): void {
    this.#waiting ??= []
    this.#waiting.push({ value, counted })
  }
}

/** Text of a value as a model reads it. */
export const jsonOf = (value: unknown): string => JSON.stringify(value) ?? ''
