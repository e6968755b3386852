import type { Usage } from '../domain/usage'
import { isGatewayError, type GatewayError } from '../errors/gateway-error'
import type { Budget } from './budget'
import type { BytesAnswer, StreamAnswer } from './endpoint'

/** Most bytes from the vendor between two checks of the budget, and most passed on unchecked. */
export const maxUncheckedBytes = 8192
/** Lower bound of characters per token: the budget is checked before it can be exceeded. */
const minCharsPerToken = 0.5
/** Lower bound of bytes per token, for output other than text. */
const minBytesPerToken = 2

/** Coverage of a running answer by its hold, and when the budget is to be checked again. */
export class Coverage {
  readonly #answer: StreamAnswer | BytesAnswer
  readonly #budget: Budget
  readonly #progress: StreamAnswer['progress']
  #uncheckedBytes = 0
  #coveredBytes = maxUncheckedBytes
  /** From the beginning of the text: its first piece is checked. */
  #coveredChars = 0
  #usageBefore: Usage | null = null

  constructor(answer: StreamAnswer | BytesAnswer, budget: Budget) {
    this.#answer = answer
    this.#budget = budget
    this.#progress = answer.kind === 'stream' ? answer.progress : undefined
  }

  /** Marks the state before a piece. Text can be rewound; of other output usage is remembered. */
  begin(bytes: number): void {
    this.#uncheckedBytes += bytes
    if (this.#progress !== undefined) this.#progress.mark()
    else this.#usageBefore = this.#bytesDue() ? this.#answer.usage() : null
  }

  /** After a piece was read, before it is passed on. */
  due(): boolean {
    if (this.#bytesDue()) return true
    return this.#progress !== undefined && this.#progress.chars() >= this.#coveredChars
  }

  /** Grows the hold where it is short. @returns null while the money lasts, else why it does not */
  check(): GatewayError | null {
    this.#uncheckedBytes = 0
    try {
      this.#cover(this.#budget.cover(this.#answer.usage()))
      return null
    } catch (thrown) {
      return refusalIn(thrown)
    }
  }

  /** Whether other processes can be asked for money before it is at its end. */
  get canAskOthers(): boolean {
    return this.#budget.coverFromAll !== undefined
  }

  /** Same as `check`, waiting for what other processes can spare. */
  async checkFromAll(): Promise<GatewayError | null> {
    try {
      this.#cover((await this.#budget.coverFromAll?.(this.#answer.usage())) ?? 0)
      return null
    } catch (thrown) {
      return refusalIn(thrown)
    }
  }

  /** Takes the last piece back, which is not sent. @returns usage without it */
  rewind(): Usage {
    this.#progress?.rewind()
    return this.#usageBefore ?? this.#answer.usage()
  }

  #cover(tokens: number): void {
    if (this.#progress !== undefined)
      this.#coveredChars = this.#progress.chars() + tokens * minCharsPerToken
    else this.#coveredBytes = Math.min(maxUncheckedBytes, tokens * minBytesPerToken)
  }

  #bytesDue(): boolean {
    return this.#uncheckedBytes >= this.#coveredBytes
  }
}

function refusalIn(thrown: unknown): GatewayError {
  if (!isGatewayError(thrown)) throw thrown
  return thrown
}
