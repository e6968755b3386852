import type { Usage } from '../../domain/usage'
import { isGatewayError, type GatewayError } from '../../errors/gateway-error'
import type { Budget } from './budget'
import type { Piece } from './client-stream'
import type { BytesAnswer, StreamAnswer } from './endpoint'

/** Most bytes from the vendor between two checks of the budget, and most passed on unchecked. */
export const maxUncheckedBytes = 8192
/** Lower bound of characters per token: the budget is checked before it can be exceeded. */
const minCharsPerToken = 0.5
/** Lower bound of bytes per token, for output other than text. */
const minBytesPerToken = 2

type CoveredAnswer<Out extends Piece> = (StreamAnswer | BytesAnswer) & {
  pass(chunk: Uint8Array): Out | null | Promise<Out | null>
}

/** Who goes on with the pieces of an answer; `uncovered` and `broke` end it. */
export interface CoverageOwner<Out extends Piece> {
  /** Pieces from now on change nothing. */
  readonly isOver: boolean
  /** Goes on with a piece that is paid for. */
  covered(out: Out | null): void
  /** Ends the answer before a piece that nobody pays for. @param used without it */
  uncovered(refusal: GatewayError, used: Usage): void
  broke(thrown: unknown): void
  /** Lets the vendor wait while other processes are asked for money. */
  pause(): void
  resume(): void
}

/**
 * Coverage of a running answer by its hold: each piece is passed on once it is paid for. What comes
 * while other processes are asked for money waits in its order.
 */
export class Coverage<Out extends Piece> {
  readonly #answer: CoveredAnswer<Out>
  readonly #budget: Budget
  readonly #owner: CoverageOwner<Out>
  readonly #progress: StreamAnswer['progress']
  #uncheckedBytes = 0
  #coveredBytes = maxUncheckedBytes
  /** From the beginning of the text: its first piece is checked. */
  #coveredChars = 0
  #usageBefore: Usage | null = null
  /** Steps that wait; null while none has to. */
  #waiting: (() => void)[] | null = null

  constructor(answer: CoveredAnswer<Out>, budget: Budget, owner: CoverageOwner<Out>) {
    this.#answer = answer
    this.#budget = budget
    this.#owner = owner
    this.#progress = answer.kind === 'stream' ? answer.progress : undefined
  }

  /** Whether a request to other processes is under way, or a piece takes several turns. */
  get isAsking(): boolean {
    return this.#waiting !== null
  }

  /** Reads what the vendor sent, as pieces of a checked size. */
  take(bytes: Uint8Array): void {
    try {
      if (bytes.byteLength <= maxUncheckedBytes) this.#take(bytes)
      else
        for (let at = 0; at < bytes.byteLength; at += maxUncheckedBytes)
          this.#take(bytes.subarray(at, at + maxUncheckedBytes))
    } catch (thrown) {
      // No caller above could handle it: held bytes come from a timer.
      if (!this.#owner.isOver) this.#owner.broke(thrown)
    }
  }

  /** Runs a step behind all that was taken, unless the answer is over by then. */
  behind(step: () => void): void {
    if (this.#owner.isOver) return
    if (this.#waiting !== null) return void this.#waiting.push(step)
    try {
      step()
    } catch (thrown) {
      if (!this.#owner.isOver) this.#owner.broke(thrown)
    }
  }

  /** Usage of all that was passed on: without a piece that waits. */
  usage(): Usage {
    return this.#waiting === null ? this.#answer.usage() : this.#rewind()
  }

  #take(piece: Uint8Array): void {
    if (this.#owner.isOver) return
    if (this.#waiting !== null) {
      // `slice` of a Buffer copies nothing.
      const bytes = new Uint8Array(piece)
      return void this.#waiting.push(() => this.take(bytes))
    }
    this.#begin(piece.byteLength)
    const out = this.#answer.pass(piece) as Out | null | Promise<Out | null>
    if (out instanceof Promise) return void this.#outlast(() => this.#passLate(out))
    this.#passOn(out)
  }

  #passOn(out: Out | null): void {
    if (this.#isDue() && !this.#answer.complete()) {
      const refusal = this.#check()
      if (refusal !== null) {
        if (this.#budget.coverFromAll !== undefined)
          return void this.#outlast(() => this.#askOthers(kept(out)))
        return this.#owner.uncovered(refusal, this.#rewind())
      }
    }
    this.#owner.covered(out)
  }

  /** Goes on where other processes have money. */
  async #askOthers(out: Out | null): Promise<void> {
    const owner = this.#owner
    const refusal = await this.#checkFromAll()
    if (owner.isOver) return
    if (refusal !== null) return owner.uncovered(refusal, this.#rewind())
    this.#waiting = null
    owner.covered(out)
  }

  /** Goes on with a piece that takes several turns of the event loop. */
  async #passLate(coming: Promise<Out | null>): Promise<void> {
    const out = await coming
    if (this.#owner.isOver) return
    this.#waiting = null
    this.#passOn(out)
  }

  /** Waits for a step, with what comes meanwhile in its order. */
  async #outlast(step: () => Promise<void>): Promise<void> {
    const waiting = (this.#waiting = [] as (() => void)[])
    const owner = this.#owner
    owner.pause()
    try {
      await step()
    } catch (thrown) {
      if (!owner.isOver) owner.broke(thrown)
    }
    for (const later of waiting) this.behind(later)
    if (owner.isOver || this.#waiting === null) owner.resume()
  }

  /** Marks the state before a piece. Text can be rewound; of other output usage is remembered. */
  #begin(bytes: number): void {
    this.#uncheckedBytes += bytes
    if (this.#progress !== undefined) this.#progress.mark()
    else this.#usageBefore = this.#areBytesDue() ? this.#answer.usage() : null
  }

  /** After a piece was read, before it is passed on. */
  #isDue(): boolean {
    if (this.#areBytesDue()) return true
    return this.#progress !== undefined && this.#progress.chars() >= this.#coveredChars
  }

  /** Grows the hold where it is short. @returns null while the money lasts, else why it does not */
  #check(): GatewayError | null {
    this.#uncheckedBytes = 0
    try {
      this.#cover(this.#budget.cover(this.#answer.usage()))
      return null
    } catch (thrown) {
      return refusalIn(thrown)
    }
  }

  /** Same, waiting for what other processes can spare. */
  async #checkFromAll(): Promise<GatewayError | null> {
    try {
      this.#cover((await this.#budget.coverFromAll?.(this.#answer.usage())) ?? 0)
      return null
    } catch (thrown) {
      return refusalIn(thrown)
    }
  }

  /** Takes the last piece back, which is not passed on. @returns usage without it */
  #rewind(): Usage {
    this.#progress?.rewind()
    return this.#usageBefore ?? this.#answer.usage()
  }

  #cover(tokens: number): void {
    if (this.#progress !== undefined)
      this.#coveredChars = this.#progress.chars() + tokens * minCharsPerToken
    else this.#coveredBytes = Math.min(maxUncheckedBytes, tokens * minBytesPerToken)
  }

  #areBytesDue(): boolean {
    return this.#uncheckedBytes >= this.#coveredBytes
  }
}

/** A piece beyond the turn in which its bytes came. */
const kept = <Out extends Piece>(piece: Out | null): Out | null =>
  piece instanceof Uint8Array ? (new Uint8Array(piece) as Out) : piece

function refusalIn(thrown: unknown): GatewayError {
  if (!isGatewayError(thrown)) throw thrown
  return thrown
}
