import type { Route } from '../domain/model'
import { showUsd, type NanoUsd } from '../domain/money'
import type { Usage } from '../domain/usage'
import { GatewayError } from '../errors/gateway-error'
import { toGatewayError } from '../http/error-response'
import { keepAliveComment } from '../http/sse'
import type { Inbound } from '../http/inbound'
import type { Ledger } from '../ledger/ledger'
import type { ByteSink, ByteSource } from '../outbound/http1/reply'
import type { Budget } from './budget'
import { ClientStream, type ClientStreamOwner, type Piece } from './client-stream'
import type { Coalescing } from './coalescing'
import { Coverage, maxUncheckedBytes } from './coverage'
import type { BytesAnswer, StreamAnswer } from './endpoint'
import type { Ended, OpenCall } from './outcome'
import { chargeOrEnd, freeCharge, type StreamCharge } from './stream-charge'
import { Patience } from './patience'
import type { RunningStream, RunningStreams } from './running'

/** How long a vendor may take to close after the end of its answer. */
const lingerMs = 1000

/** State shared by all streams of a process. */
export interface RelayParts {
  readonly streams: RunningStreams
  readonly coalescing: Coalescing
  readonly ledger: Pick<Ledger, 'spooled'>
}

interface RelayCall {
  readonly answer: StreamAnswer | BytesAnswer
  readonly route: Route
  readonly call: OpenCall
  readonly budget: Budget
  readonly inbound: Inbound
  /** Drops the vendor's connection. */
  abort(): void
  learn(): void
}

/** The answer on its way to the client: the only pump. Charges once, when it is over. */
export const relay = (parts: RelayParts, call: RelayCall): ReadableStream<Piece> =>
  new Relay(parts, call).open()

/**
 * One relayed answer, from its first byte to its charge. Three sides drive it: the vendor (`data`,
 * `end`, `fail`), the client (`opened`, `filled`, `drained`, `left`) and the clock (`tick`, `cut`).
 * Whichever ends it first calls `#finish`, and nothing after that changes anything.
 */
class Relay implements ByteSink, RunningStream, ClientStreamOwner {
  readonly #streams: RunningStreams
  readonly #ledger: RelayParts['ledger']
  readonly #call: RelayCall
  readonly #answer: StreamAnswer | BytesAnswer
  readonly #source: ByteSource
  readonly #coverage: Coverage
  readonly #client: ClientStream
  #over = false
  /** The vendor's response is read to its end, or its connection broke. */
  #vendorEnded = false
  #lingering: ReturnType<typeof setTimeout> | null = null
  readonly #patience = new Patience()
  /** What comes while other processes are asked for money; null while nobody is asked. */
  #waiting: (() => void)[] | null = null

  constructor({ streams, coalescing, ledger }: RelayParts, call: RelayCall) {
    this.#streams = streams
    this.#ledger = ledger
    this.#call = call
    this.#answer = call.answer
    this.#source = coalescing.of(call.answer.source)
    this.#coverage = new Coverage(call.answer, call.budget)
    streams.add(this)
    this.#client = new ClientStream(this)
  }

  get request() {
    return this.#call.inbound.requestId
  }

  open(): ReadableStream<Piece> {
    const { head } = this.#answer
    if (head !== null) this.#client.write(head)
    return this.#client.body
  }

  opened(): void {
    if (this.#over) return
    this.#endIfOver()
    this.#source.flow(this)
  }

  filled(): void {
    this.#patience.clientStalls()
    if (!this.#over) this.#source.pause()
    this.#exemptFromIdleTimeout(true)
  }

  drained(): void {
    this.#exemptFromIdleTimeout(false)
    if (this.#over) this.#streams.remove(this)
    if (this.#waiting === null) this.#source.resume()
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
    try {
      if (bytes.byteLength <= maxUncheckedBytes) this.#pass(bytes)
      else
        for (let at = 0; at < bytes.byteLength; at += maxUncheckedBytes)
          this.#pass(bytes.subarray(at, at + maxUncheckedBytes))
    } catch (thrown) {
      // No caller above could handle it: held bytes come from a timer.
      if (!this.#over) this.#interrupt(thrown)
    }
  }

  end(): void {
    this.#vendorEnded = true
    if (this.#lingering !== null) clearTimeout(this.#lingering)
    if (this.#over) return
    if (this.#waiting !== null) return void this.#waiting.push(() => this.end())
    try {
      const rest = this.#answer.ended()
      if (rest !== null) this.#client.write(rest)
      if (this.#answer.complete()) this.#finish('success', null)
      else this.#interrupt(new Error('vendor stream ended early'))
    } catch (thrown) {
      if (!this.#over) this.#interrupt(thrown)
    }
  }

  fail(cause: Error): void {
    this.#vendorEnded = true
    if (this.#over) return
    if (this.#waiting !== null) return void this.#waiting.push(() => this.fail(cause))
    this.#interrupt(cause)
  }

  /** A vendor that is paused owes nothing, and a client that is paused needs no sign. */
  tick(): void {
    if (this.#client.full) {
      if (!this.#patience.clientIsGone(this.#client.backlogBytes)) return
      this.#client.reset()
      return this.left()
    }
    const fault = this.#patience.vendorTick()
    if (fault !== null) return this.#interrupt(fault)
    if (this.#answer.kind === 'stream' && this.#patience.isKeepAliveDue)
      this.#client.write(this.#answer.keepAlive ?? keepAliveComment)
  }

  cut(why?: 'operator'): void {
    const cause = why === 'operator' ? 'an operator stopped it' : 'the gateway is stopping'
    if (!this.#over) this.#interrupt(new Error(cause))
  }

  /** The runtime would cut a client that does not read in the middle, without a word. */
  #exemptFromIdleTimeout(exempt: boolean): void {
    this.#call.inbound.exemptFromIdleTimeout(this.#call.inbound.request, exempt)
  }

  #pass(piece: Uint8Array): void {
    if (this.#over) return
    if (this.#waiting !== null) {
      // `slice` of a Buffer copies nothing.
      const bytes = new Uint8Array(piece)
      return void this.#waiting.push(() => this.data(bytes))
    }
    this.#coverage.begin(piece.byteLength)
    const out = this.#answer.pass(piece)
    if (this.#coverage.due() && !this.#answer.complete()) {
      const refusal = this.#coverage.check()
      if (refusal !== null) {
        if (this.#coverage.canAskOthers) return void this.#askOthers(kept(out))
        return this.#endAtMoney(refusal)
      }
    }
    this.#send(out)
    this.#endIfOver()
  }

  #send(out: Piece | null): void {
    if (out === null) return
    this.#patience.clientGot()
    this.#client.write(out)
  }

  #endAtMoney(refusal: GatewayError): void {
    this.#finish('error', refusal, this.#coverage.rewind())
    this.#call.abort()
  }

  /** Goes on where other processes have money, with what came meanwhile in its order. */
  async #askOthers(out: Piece | null): Promise<void> {
    const waiting = (this.#waiting = [] as (() => void)[])
    this.#source.pause()
    try {
      const refusal = await this.#coverage.checkFromAll()
      if (this.#over) return
      if (refusal !== null) return this.#endAtMoney(refusal)
      this.#waiting = null
      this.#send(out)
    } catch (thrown) {
      if (!this.#over) this.#interrupt(thrown)
      return
    }
    for (const step of waiting) step()
    if (this.#waiting === null && !this.#client.full) this.#source.resume()
  }

  /** Ends a broken or complete answer. */
  #endIfOver(): void {
    const broken = this.#answer.broken()
    if (broken !== null) return this.#interrupt(broken)
    if (!this.#answer.complete()) return
    this.#finish('success', null)
    // Read to the vendor's own end, so that its connection can serve again; mostly it is here already.
    queueMicrotask(() => {
      if (!this.#vendorEnded) this.#lingering = setTimeout(this.#call.abort, lingerMs)
    })
  }

  #interrupt(thrown: unknown): void {
    if (this.#call.inbound.signal.aborted) this.#finish('cancelled', null)
    // Whatever broke the stream: the client needs to know that the part that was sent is charged.
    else this.#finish('error', new GatewayError('stream_interrupted', {}, { cause: thrown }))
    this.#call.abort()
  }

  /** Ends the call, once: charges what was sent, and tells the client. */
  #finish(status: Ended['status'], error: GatewayError | null, used?: Usage): void {
    if (this.#over) return
    this.#over = true
    try {
      // A piece that waits for money was not sent.
      const sent = used ?? (this.#waiting === null ? undefined : this.#coverage.rewind())
      this.#settle({ status, route: this.#call.route, error, answer: this.#answer }, sent)
    } catch (fault) {
      // A fault of ours: the client must not wait for an end that nobody sends any more.
      this.#client.reset(fault)
      this.#call.abort()
      this.#streams.remove(this)
    }
    // The vendor needs to wait no longer.
    if (this.#client.full) this.#source.resume()
  }

  #settle(ended: Ended, used = this.#answer.usage()): void {
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

/** A piece beyond the turn in which its bytes came. */
const kept = (piece: Piece | null): Piece | null =>
  piece instanceof Uint8Array ? new Uint8Array(piece) : piece
