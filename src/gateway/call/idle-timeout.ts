import { tickMs } from './running'

/** Ticks of silence after which the client gets a keep-alive. */
export const keepAliveTicks = Math.ceil(15_000 / tickMs)
/** Ticks without a byte after which the vendor is taken for dead. */
const maxQuietTicks = Math.ceil(300_000 / tickMs)
/** Ticks after which a vendor that sends nothing for the client is dead too: thinking takes long, but ends. */
const maxMutedTicks = Math.ceil(3_600_000 / tickMs)
/** Ticks after which a client whose socket takes nothing is taken for gone. */
const maxStalledTicks = Math.ceil(900_000 / tickMs)
/** A slower client than this is gone too: a kilobyte a second. */
const minBytesPerTick = tickMs

/**
 * Idle timeouts of a stream: how long it waits for its vendor and its client, in ticks of the running
 * streams.
 */
export class Patience {
  /** Since the vendor sent anything, and since the client got anything. */
  #quietTicks = 0
  #mutedTicks = 0
  /** Since the client's socket took all there was. */
  #stalledTicks = 0

  vendorSent(): void {
    this.#quietTicks = 0
  }

  clientGot(): void {
    this.#mutedTicks = 0
  }

  clientStalls(): void {
    this.#stalledTicks = 0
  }

  /** Counts a tick of a client that takes nothing. @returns whether it is gone */
  clientIsGone(backlogBytes: number): boolean {
    return ++this.#stalledTicks >= maxStalledTicks + backlogBytes / minBytesPerTick
  }

  /** Counts a tick of a vendor that is waited for. @returns why it is taken for dead; null while it is not */
  vendorTick(): Error | null {
    if (++this.#quietTicks >= maxQuietTicks) return new Error('vendor stream idle timeout')
    if (++this.#mutedTicks >= maxMutedTicks) return new Error('vendor stream without progress')
    return null
  }

  get isKeepAliveDue(): boolean {
    return this.#mutedTicks % keepAliveTicks === 0
  }
}
