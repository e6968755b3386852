import type { Route } from '../../domain/model'
import { showUsd, type NanoUsd, zeroUsd } from '../../domain/money'
import { type Usage, noUsage } from '../../domain/usage'
import type { GatewayError } from '../../errors/gateway-error'
import { toGatewayError } from '../http/error-response'
import { keepAliveComment } from '../http/sse'
import type { Inbound } from '../http/inbound'
import type { Ledger } from '../../ledger/ledger'
import type { ByteSink, ByteSource } from '../outbound/http1/reply'
import type { Budget } from './budget'
import { ClientStream, type ClientStreamOwner, type Piece } from './client-stream'
import type { Coalescing } from './coalescing'
import { Coverage, type CoverageOwner } from './coverage'
import type { BytesAnswer, StreamAnswer } from './endpoint'
import { interruption, reasons, type StoppedBy } from './interruption'
import { Linger } from './keep-alive-drain'
import type { Ended, MeteredCall, Charge } from './settlement'
import { Patience } from './idle-timeout'
import type { RunningStream, RunningStreams } from './running'

/** State shared by all streams of a process. */
export interface RelayParts {
  readonly streams: RunningStreams
  readonly coalescing: Coalescing
  readonly ledger: Pick<Ledger, 'spooled'>
}

interface RelayCall {
  readonly answer: StreamAnswer | BytesAnswer
  readonly route: Route
  readonly call: MeteredCall
  readonly budget: Budget
  readonly inbound: Inbound
  /** The client's stream, where that was opened before the answer came. */
  readonly early?: ClientStream
  /** Drops the vendor's connection. */
  abort(): void
  learn(): void
}

/** The answer on its way to the client: the only pump. Charges once, when it is over. */
export const relay = (parts: RelayParts, call: RelayCall): ReadableStream<Piece> =>
  new Relay(parts, call).open()

/**
 * One relayed answer, from its first byte to its charge. Four sides drive it: the vendor (`data`, `end`,
 * `fail`), the money (`covered`, `uncovered`, `broke`), the client (`opened`, `filled`, `drained`, `left`)
 * and the clock (`tick`, `cut`). Whichever ends it first calls `#finish`, and nothing after that changes anything.
 */
class Relay implements ByteSink, RunningStream, ClientStreamOwner, CoverageOwner<Piece> {
  readonly #streams: RunningStreams
  readonly #ledger: RelayParts['ledger']
  readonly #call: RelayCall
  readonly #answer: StreamAnswer | BytesAnswer
  readonly #source: ByteSource
  readonly #coverage: Coverage<Piece>
  readonly #client: ClientStream
  #over = false
  readonly #linger = new Linger()
  readonly #patience = new Patience()

  constructor({ streams, coalescing, ledger }: RelayParts, call: RelayCall) {
    this.#streams = streams
    this.#ledger = ledger
    this.#call = call
    this.#answer = call.answer
    this.#source = coalescing.of(call.answer.source)
    this.#coverage = new Coverage(call.answer, call.budget, this)
    streams.add(this)
    this.#client = call.early ?? new ClientStream(this)
  }

  get request() {
    return this.#call.inbound.requestId
  }

  get isOver() {
    return this.#over
  }

  open(): ReadableStream<Piece> {
    const { head } = this.#answer
    if (head !== null) this.#client.write(head)
    this.#call.early?.handTo(this)
    return this.#client.body
  }

  opened(): void {
    if (this.#over) return
    this.#endIfOver()
    this.#source.flow(this)
  }

  filled(): void {
    this.#patience.clientStalls()
    if (!this.#over) {
      // What a vendor that has to wait still says is not late.
      this.#linger.over()
      this.#source.pause()
    }
    this.#exemptFromIdleTimeout(true)
  }

  drained(): void {
    this.#exemptFromIdleTimeout(false)
    if (this.#over) this.#streams.remove(this)
    else this.#endIfFinished()
    if (!this.#coverage.isAsking) this.#source.resume()
  }

  left(): void {
    this.#streams.remove(this)
    this.#finish('cancelled', null)
    this.#call.abort()
    // Buffered bytes are dropped here: a source that stays paused would keep them for ever.
    this.#source.resume()
  }

  data(bytes: Uint8Array): void {
    if (this.#over) return
    this.#patience.vendorSent()
    this.#coverage.take(bytes)
  }

  end(): void {
    this.#linger.ended()
    this.#coverage.behind(() => {
      const rest = this.#answer.ended()
      if (rest !== null) this.#client.write(rest)
      if (this.#answer.complete()) this.#finish('success', null)
      else this.broke(new Error('vendor stream ended early'))
    })
  }

  fail(cause: Error): void {
    this.#linger.ended()
    this.#coverage.behind(() => this.broke(cause))
  }

  covered(out: Piece | null): void {
    if (out !== null) {
      this.#patience.clientGot()
      this.#client.write(out)
    }
    this.#endIfOver()
  }

  uncovered(refusal: GatewayError, used: Usage): void {
    this.#finish('error', refusal, used)
    this.#call.abort()
  }

  broke(thrown: unknown): void {
    if (this.#call.inbound.signal.aborted) this.#finish('cancelled', null)
    else {
      this.#answer.broke?.()
      this.#finish('error', interruption(thrown))
    }
    this.#call.abort()
  }

  pause(): void {
    this.#source.pause()
  }

  resume(): void {
    if (this.#over || !this.#client.full) this.#source.resume()
  }

  /** A vendor that is paused owes nothing, and a client that is paused needs no sign. */
  tick(): void {
    if (this.#client.full) {
      if (!this.#patience.clientIsGone(this.#client.backlogBytes)) return
      this.#client.reset()
      return this.left()
    }
    const fault = this.#patience.vendorTick()
    if (fault !== null) return this.broke(fault)
    if (this.#answer.kind === 'stream' && this.#patience.isKeepAliveDue)
      this.#client.write(this.#answer.keepAlive ?? keepAliveComment)
  }

  cut(by: StoppedBy = 'gateway'): void {
    if (!this.#over) this.broke(new Error(reasons[by]))
  }

  /** The runtime would cut a client that does not read in the middle, without a word. */
  #exemptFromIdleTimeout(exempt: boolean): void {
    this.#call.inbound.exemptFromIdleTimeout(this.#call.inbound.request, exempt)
  }

  /** Ends an answer that has finished as if its vendor had closed, where that says and does no more. */
  #endIfFinished(): void {
    if (this.#answer.finished?.() !== true) return
    this.#linger.awaitUsage(() => {
      if (this.#over || this.#answer.finished?.() !== true) return
      this.end()
      this.#call.abort()
    })
  }

  /** Ends a broken or complete answer. */
  #endIfOver(): void {
    const broken = this.#answer.broken()
    if (broken !== null) return this.broke(broken)
    if (!this.#answer.complete()) return this.#endIfFinished()
    this.#finish('success', null)
    // Read to the vendor's own end, so that its connection can serve again; mostly it is here already.
    queueMicrotask(() => this.#linger.begin(this.#call.abort))
  }

  /** Ends the call, once: charges what was sent, and tells the client. */
  #finish(status: Ended['status'], error: GatewayError | null, used?: Usage): void {
    if (this.#over) return
    this.#over = true
    this.#linger.over()
    try {
      const ended = { status, route: this.#call.route, error, answer: this.#answer }
      this.#settle(ended, used ?? this.#coverage.usage())
    } catch (fault) {
      // A fault of ours: the client must not wait for an end that nobody sends any more.
      this.#client.reset(fault)
      this.#call.abort()
      this.#streams.remove(this)
    }
    // The vendor needs to wait no longer.
    if (this.#client.full) this.#source.resume()
  }

  #settle(ended: Ended, used: Usage): void {
    const isCharged = ended.status === 'success' || this.#answer.sent()
    if (!isCharged) this.#call.call.giveBack(ended, used)
    const charged = isCharged ? chargeOrEnd(this.#call.call, ended, used) : freeCharge
    if (!isCharged || charged.fault !== null) return this.#tell(ended, charged)
    // Before the client is told that this was all.
    this.#ledger.spooled().then(
      () => this.#tell(ended, charged),
      (thrown: unknown) => this.#tell(ended, { ...charged, fault: toGatewayError(thrown) }),
    )
  }

  #tell({ status, error }: Ended, { cost, usage, fault }: StreamCharge): void {
    try {
      if (status === 'success' && fault === null) this.#call.learn()
      if (status !== 'cancelled') this.#sayEnd(error ?? fault, usage, cost)
    } catch (thrown) {
      this.#client.reset(thrown)
      this.#call.abort()
    }
    // A client that has still to take its end stays watched.
    if (!this.#client.full) this.#streams.remove(this)
  }

  /**
   * A file cannot say that it is not whole: its connection does, by a reset. What was sent is charged,
   * so it has to arrive: a reset overtakes what is still on its way.
   */
  #sayEnd(error: GatewayError | null, usage: Usage, cost: NanoUsd): void {
    const answer = this.#answer
    if (answer.kind === 'bytes' && error !== null) return this.#client.breakOff(answer.sentBytes())
    if (answer.kind === 'stream')
      this.#client.write(answer.close({ error, usage, costUsd: showUsd(cost) }))
    this.#client.close()
  }
}

/** Charge of a stream, and whether it was cut. */
interface StreamCharge extends Charge {
  readonly fault: GatewayError | null
}
/** Charge of a stream of which nothing was sent. */
const freeCharge: StreamCharge = { cost: zeroUsd, usage: noUsage, isCut: false, fault: null }

/** Charges a call. A count beyond any sum is a fault of whoever counted: it costs nothing, and the call still ends. */
function chargeOrEnd(call: MeteredCall, ended: Ended, used: Usage): StreamCharge {
  try {
    return { ...call.charge(ended, used), fault: null }
  } catch (thrown) {
    const fault = toGatewayError(thrown)
    call.giveBack({ ...ended, status: 'error', error: fault })
    return { ...freeCharge, usage: used, fault }
  }
}
