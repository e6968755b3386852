import { GatewayError } from '../../errors/gateway-error'

/** Timeouts of a body that arrives slowly: whoever trickles bytes must not hold a connection (slowloris). */
export interface BodyPatience {
  /** Longest time without a byte. */
  readonly silentMs: number
  /** Over how long the rate is averaged. */
  readonly averagedMs: number
}

/** With a good key, after whose look most bodies are read. */
const usualPatience: BodyPatience = { silentMs: 60_000, averagedMs: 60_000 }
/** With whoever it is. */
export const strangerPatience: BodyPatience = { silentMs: 20_000, averagedMs: 60_000 }

const minBytesPerSecond = 1024

const arriving = new Set<ArrivingBody>()
/** Requests whose body was not read to its end. */
const cutBodies = new WeakSet<Request>()

/**
 * Begins to watch a body, whichever server of this process it came to.
 * @param onLate told once that it is not waited for any longer
 */
export function arriveBody(
  request: Request,
  onLate: (error: GatewayError) => void,
  patience: BodyPatience = usualPatience,
): ArrivingBody {
  const arrival = new ArrivingBody(request, onLate, patience)
  arriving.add(arrival)
  return arrival
}

/** Whether the body of a request was read in part. */
export const isCutBody = (request: Request): boolean => cutBodies.has(request)

/** Bodies that are being read now. */
export const arrivingBodies = (): number => arriving.size

/**
 * Gives up those that come too slowly. To be called every second: a body's time begins with the first
 * look at it, so that short ones cost no look at a clock.
 * @param now milliseconds of a clock that never jumps
 * @param hurried patience with all of them, in place of their own
 */
export function sweepBodies(now: number, hurried: BodyPatience | null = null): void {
  for (const arrival of arriving) arrival.look(now, hurried)
}

/**
 * One body that is being read. Its reader keeps `bytes` up to date, and ends it.
 * A class, since every call makes one.
 */
class ArrivingBody {
  bytes = 0
  readonly #request: Request
  readonly #onLate: (error: GatewayError) => void
  readonly #patience: BodyPatience
  /** At the last look. */
  #seenBytes = 0
  #lastByteAt: number | null = null
  /** Where the stretch began over which the rate is averaged. */
  #stretchAt = 0
  #stretchBytes = 0

  constructor(request: Request, onLate: (error: GatewayError) => void, patience: BodyPatience) {
    this.#request = request
    this.#onLate = onLate
    this.#patience = patience
  }

  /** `cut`: more of it may still come. Only the first end counts. */
  end(how: 'whole' | 'cut'): void {
    if (arriving.delete(this) && how === 'cut') cutBodies.add(this.#request)
  }

  look(now: number, hurried: BodyPatience | null): void {
    const { silentMs, averagedMs } = hurried ?? this.#patience
    if (this.#lastByteAt === null) {
      this.#lastByteAt = this.#stretchAt = now
      this.#stretchBytes = this.bytes
    }
    if (this.bytes > this.#seenBytes) {
      this.#seenBytes = this.bytes
      this.#lastByteAt = now
    }
    const stretchMs = now - this.#stretchAt
    if (now - this.#lastByteAt >= silentMs) return this.#giveUp(silentMs)
    if (stretchMs < averagedMs) return
    const came = this.bytes - this.#stretchBytes
    if (came * 1000 < stretchMs * minBytesPerSecond) return this.#giveUp(averagedMs)
    this.#stretchAt = now
    this.#stretchBytes = this.bytes
  }

  #giveUp(ms: number): void {
    this.end('cut')
    this.#onLate(new GatewayError('request_timeout', { seconds: Math.ceil(ms / 1000) }))
  }
}
