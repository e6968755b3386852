import type { ClientSocket, ServerSocket } from '../../net/socket'
import { openFrameLine, type FrameLine, type FrameLineParts } from './frame-line'
import { openSendingBrake, type SendingBrake } from './sending-brake'

interface ClientFlowParts extends Pick<FrameLineParts, 'changes' | 'passNow' | 'take' | 'onFault'> {
  readonly vendor: ServerSocket
  /** Null before it is there. */
  client(): ClientSocket | null
}

/** What holds a client back: a vendor that takes nothing, and frames that are still looked at. */
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
