import { maxAnswerBytes } from '../../domain/answer-ceilings'
import type { ErrorCode } from '../../errors/codes'
import { outputTokens, type Usage } from '../../domain/usage'
import { isGatewayError, type GatewayError } from '../../errors/gateway-error'
import { eventsIn, type StreamCollector } from '../formats/stream-collector'
import type { ByteSink } from '../outbound/http1/reply'
import type { Budget } from './budget'
import { Coverage, type CoverageOwner } from './coverage'
import type { RequestParts, CallBody, CollectedAnswer, Collects, StreamAnswer } from './endpoint'
import type { Asking } from './dispatch'
import { Linger } from './keep-alive-drain'
import type { Target } from '../vendors/vendor'

/** An endpoint whose whole answers are asked for as streams, so that they can end where the money ends. */
export function collecting<Body extends CallBody>(
  asking: Asking<Body>,
  collects: Collects<Body>,
  money: CollectedMoney,
): Asking<Body> {
  return {
    ...asking,
    async ask(body: Body, target: Target, call: RequestParts) {
      const ask = await asking.ask(collects.asStream(body), target, call)
      return {
        ...ask,
        async answer(reply, more) {
          const answer = await ask.answer(reply, more)
          if (answer.kind !== 'stream') return answer
          const { budget, ceilingFor } = money
          const collector = collects.open(body)
          return await collectAnswer(answer, { budget, ceiling: ceilingFor(target), collector })
        },
      }
    },
  }
}

/** Money that pays for an answer. */
interface CollectedMoney {
  readonly budget: Budget
  /** Output tokens after which a vendor is told to end, since no more are paid for; null for none. */
  ceilingFor(target: Target): number | null
}

/**
 * Reads a stream to its end, or to that of the money, and puts it together.
 * @throws GatewayError the vendor's failure | Error when it breaks off
 */
const collectAnswer = (answer: StreamAnswer, parts: AnswerParts): Promise<CollectedAnswer> =>
  new Promise((resolve, reject) => new Collecting(answer, { ...parts, resolve, reject }).begin())

interface AnswerParts {
  readonly budget: Budget
  readonly ceiling: number | null
  readonly collector: StreamCollector
}

interface CollectingParts extends AnswerParts {
  resolve(answer: CollectedAnswer): void
  reject(cause: unknown): void
}

/** Most of the events of an answer, which say around each word several times as much. */
const maxChars = 4 * maxAnswerBytes('chat', { hasMedia: true })

/** One stream that is put together. What comes once it is over changes nothing. */
class Collecting implements ByteSink, CoverageOwner<string> {
  readonly #answer: StreamAnswer
  readonly #parts: CollectingParts
  readonly #coverage: Coverage<string>
  readonly #linger = new Linger()
  #over = false
  /** The vendor does not end by itself. */
  #closes = false
  #chars = 0

  constructor(answer: StreamAnswer, parts: CollectingParts) {
    this.#answer = answer
    this.#parts = parts
    this.#coverage = new Coverage(answer, parts.budget, this)
  }

  get isOver() {
    return this.#over
  }

  begin(): void {
    this.#coverage.behind(() => this.covered(this.#answer.head))
    this.#answer.source.flow(this)
  }

  data(bytes: Uint8Array): void {
    this.#coverage.take(bytes)
  }

  end(): void {
    this.#linger.ended()
    this.#coverage.behind(() => {
      this.covered(this.#answer.ended())
      if (!this.#over) throw new Error('vendor stream ended early')
    })
  }

  fail(cause: Error): void {
    this.#linger.ended()
    this.#coverage.behind(() => this.broke(cause))
  }

  covered(out: string | null): void {
    this.#add(out)
    const broken = this.#answer.broken()
    if (broken !== null) return this.broke(broken)
    if (!this.#answer.complete()) return this.#endIfFinished()
    const usage = this.#answer.usage()
    this.#finish(this.#endedBy(usage), usage)
  }

  uncovered({ code }: GatewayError, used: Usage): void {
    this.#finish(code, used)
  }

  broke(thrown: unknown): void {
    this.#over = true
    this.#linger.over()
    this.#parts.reject(thrown)
  }

  pause(): void {
    this.#answer.source.pause()
  }

  resume(): void {
    this.#answer.source.resume()
  }

  /** Ends an answer that has finished as if its vendor had closed, where that says and does no more. */
  #endIfFinished(): void {
    if (this.#answer.finished?.() !== true) return
    this.#linger.awaitUsage(() => {
      if (this.#over || this.#answer.finished?.() !== true) return
      this.#closes = true
      this.end()
    })
  }

  #add(out: string | null): void {
    if (out === null) return
    this.#chars += out.length
    if (this.#chars > maxChars) throw new Error('answer above the limit')
    for (const event of eventsIn(out)) this.#parts.collector.add(event)
  }

  /** Code of the end of the money, where our ceiling ended the answer: vendors count up to the last token of it. */
  #endedBy(usage: Usage): ErrorCode | null {
    const { budget, ceiling } = this.#parts
    const tokens = outputTokens(usage)
    if (ceiling === null || usage.estimated || tokens > ceiling || tokens < ceiling - 1) return null
    const { output = 0 } = usage.units
    try {
      budget.cover({ ...usage, units: { ...usage.units, output: output + ceiling } })
      return null
    } catch (error) {
      if (!isGatewayError(error)) throw error
      return error.code
    }
  }

  #finish(stoppedBy: ErrorCode | null, usage: Usage): void {
    this.#over = true
    this.#linger.over()
    const answer = this.#answer
    const { collector, resolve } = this.#parts
    const { vendorAnswer } = answer
    resolve({
      kind: 'collected',
      contentType: 'application/json',
      stoppedBy,
      usage: () => usage,
      ...(vendorAnswer === undefined ? {} : { vendorAnswer }),
      body(charged, costUsd) {
        collector.closing()
        const last = answer.close({ error: null, usage: charged, costUsd })
        for (const event of eventsIn(last)) collector.add(event)
        return JSON.stringify(collector.whole(stoppedBy !== null))
      },
      // Read to the vendor's own end, its connection can serve again.
      release: (abort) => {
        if (stoppedBy !== null || this.#closes) abort()
        else this.#linger.begin(abort)
      },
    })
  }
}
