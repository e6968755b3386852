import type { ClientSocket, ServerSocket } from '../../net/socket'
import { openFrameLine, type FrameLine, type FrameLineParts } from './frame-line'
import { openSendingBrake, type SendingBrake } from './sending-brake'

interface ClientFlowParts extends Pick<FrameLineParts, 'changes' | 'passNow' | 'take' | 'onFault'> {
  readonly vendor: ServerSocket
  /** Null before it is there. */
  client(): ClientSocket | null
}

/** Back-pressure on a client: a vendor that takes nothing, and frames that are still looked at. */
export function openClientFlow({ vendor, client, ...taking }: ClientFlowParts): {
  readonly brake: SendingBrake
  readonly line: FrameLine
} {
  const hold = () => client()?.pause()
  const free = () => {
    if (!brake.holds() && !line.holds()) client()?.resume()
  }
  // A socket whose other end is gone answers a ping with a reset.
  const brake = openSendingBrake(vendor, { hold, free, probe: () => void client()?.ping() })
  const line = openFrameLine({ ...taking, hold, free })
  return { brake, line }
}

/** Sent and not taken by a slow client. */
export class ClientBacklog {
  /** Ticks for which it has been there. */
  #ticks = 0
  #end: PromiseWithResolvers<void> | null = null

  get isThere(): boolean {
    return this.#end !== null
  }

  /** @returns false where there is one already */
  begin(): boolean {
    if (this.#end !== null) return false
    this.#ticks = 0
    this.#end = Promise.withResolvers()
    return true
  }

  /** The client has caught up, or nobody waits for that any more. */
  end(): void {
    this.#end?.resolve()
    this.#end = null
  }

  /** Over with the backlog; null where there is none. */
  over(): Promise<void> | null {
    return this.#end?.promise ?? null
  }

  /** @returns ticks for which it has been there; counts one more */
  ticked(): number {
    return this.#end === null ? 0 : ++this.#ticks
  }
}
