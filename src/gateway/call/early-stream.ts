import { ticksAfter, type Ticks } from '../../domain/clock'
import { showUsd, zeroUsd } from '../../domain/money'
import { noUsage } from '../../domain/usage'
import type { GatewayError } from '../../errors/gateway-error'
import { keepAliveComment } from '../http/sse'
import type { Inbound } from '../http/inbound'
import { ClientLeft } from '../outbound/client-left'
import { Deadline, type Deadlines } from '../outbound/deadlines'
import { ClientStream, type ClientStreamOwner } from './client-stream'
import type { UnansweredStream } from './endpoint'
import { stopped, type StoppedBy } from './interruption'
import { keepAliveTicks } from './idle-timeout'
import type { RunningStream, RunningStreams } from './running'

/** How long a client waits for the headers of its stream. */
const headersMs = 15_000

/**
 * Whether an answer is not there when the headers of its stream are due. A promise that is rejected is not late.
 * @param arrived when the request came
 */
export const isLate = (
  deadlines: Deadlines,
  arrived: Ticks,
  asking: Promise<unknown>,
): Promise<boolean> =>
  new Promise((resolve) => {
    const due = new HeadersDue(resolve)
    deadlines.add(due, ticksAfter(arrived, headersMs))
    const over = (): void => {
      deadlines.remove(due)
      resolve(false)
    }
    asking.then(over, over)
  })

class HeadersDue extends Deadline {
  constructor(readonly isOver: (late: boolean) => void) {
    super()
  }

  override expire(): void {
    this.isOver(true)
  }
}

interface EarlyCall {
  readonly inbound: Inbound
  readonly unanswered: UnansweredStream
  /** Calls off the vendor's request. @returns false where none is under way */
  stop(error: GatewayError): boolean
  /** Releases what the call holds. @returns the error for its client */
  release(thrown: unknown): GatewayError
}

/**
 * A client's stream that is opened before any vendor has answered: keep-alives until one does, or an error
 * that costs nothing.
 */
export class EarlyStream implements ClientStreamOwner, RunningStream {
  readonly client: ClientStream
  readonly #streams: RunningStreams
  readonly #call: EarlyCall
  #ticks = 0
  #hasLeft = false
  #over = false

  constructor(streams: RunningStreams, call: EarlyCall) {
    this.#streams = streams
    this.#call = call
    this.client = new ClientStream(this)
    this.#keepAlive()
    streams.add(this)
  }

  get request() {
    return this.#call.inbound.requestId
  }

  opened(): void {}

  filled(): void {}

  drained(): void {}

  /** The vendor is given up by the signal of the request. */
  left(): void {
    this.#hasLeft = true
    this.#streams.remove(this)
  }

  tick(): void {
    this.#ticks++
    if (this.#ticks % keepAliveTicks === 0 && !this.client.full) this.#keepAlive()
  }

  /** A vendor's request that is under way fails by it, and with it the call. */
  cut(by: StoppedBy = 'gateway'): void {
    const error = stopped(by)
    if (!this.#call.stop(error)) this.fail(error)
  }

  /** Hands the stream over to an answer. @returns null for a call that is over, or whose client has left */
  take(): ClientStream | null {
    if (this.#over) return null
    if (this.#hasLeft) {
      this.fail(new ClientLeft())
      return null
    }
    this.#end()
    return this.client
  }

  /** Ends the call without an answer. */
  fail(thrown: unknown): void {
    if (this.#over) return
    this.#end()
    const error = this.#call.release(this.#hasLeft ? new ClientLeft() : thrown)
    const end = { error, usage: noUsage, costUsd: showUsd(zeroUsd) }
    this.client.write(this.#call.unanswered.close(end))
    this.client.close()
  }

  #end(): void {
    this.#over = true
    this.#streams.remove(this)
  }

  #keepAlive(): void {
    this.client.write(this.#call.unanswered.keepAlive ?? keepAliveComment)
  }
}
