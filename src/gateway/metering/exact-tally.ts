import { jsonOf, type TextTally } from './token-tally'
import { openTokenCounter } from './vocabulary/token-counter'

interface Waiting {
  readonly value: unknown
  readonly counted: (tokens: number) => void
}

/** Counts texts by a vocabulary, all of them during `rest`: exact, and some ten times as long. */
export class FirmTally implements TextTally {
  readonly #waiting: Waiting[] = []
  readonly #isOther: boolean

  /** @param isOther the model's vocabulary is another: see `openTokenCounter` */
  constructor(isOther: boolean) {
    this.#isOther = isOther
  }

  text(text: string, counted: (tokens: number) => void): void {
    this.#waiting.push({ value: text, counted })
  }

  json(value: unknown, counted: (tokens: number) => void): void {
    if (typeof value === 'string') this.text(jsonOf(value), counted)
    else this.#waiting.push({ value, counted })
  }

  get waits(): boolean {
    return this.#waiting.length > 0
  }

  async rest(): Promise<void> {
    const counter = await openTokenCounter(this.#isOther)
    for (const { value, counted } of this.#waiting.splice(0))
      counted(await counter.count(typeof value === 'string' ? value : jsonOf(value)))
  }
}
