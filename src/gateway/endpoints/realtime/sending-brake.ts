import type { ServerSocket } from '../../net/socket'

/** Backpressure: whoever sends is held back while the receiver takes nothing. */
export interface SendingBrake {
  /** So much was sent. */
  sent(bytes: number): void
  holds(): boolean
  /** Ticks for which it has held; counts one more. */
  ticked(): number
  release(): void
}

/** Maximum unsent bytes before the sender is paused. */
const maxWaitingBytes = 1_048_576
/** Sent between two looks, which cost about what a frame does. */
const lookEveryBytes = 65_536
/** Bun's client does not say when it has sent: it is looked at. */
const lookAgainMs = 10
/** Looks between two probes of the sender. */
const probeEveryLooks = 100

export function openSendingBrake(
  { waiting }: Pick<ServerSocket, 'waiting'>,
  /** `probe` is called every second that it is held: who is not read from is not heard leaving either. */
  sender: { hold(): void; free(): void; probe(): void },
): SendingBrake {
  let unlooked = 0
  let timer: ReturnType<typeof setTimeout> | null = null
  let ticks = 0
  let looks = 0

  const look = () => {
    timer = null
    if (waiting() <= maxWaitingBytes / 2) return sender.free()
    timer = setTimeout(look, lookAgainMs)
    if (++looks % probeEveryLooks === 0) sender.probe()
  }
  return {
    sent(bytes) {
      unlooked += bytes
      if (unlooked < lookEveryBytes) return
      unlooked = 0
      if (timer !== null || waiting() <= maxWaitingBytes) return
      ticks = 0
      sender.hold()
      timer = setTimeout(look, lookAgainMs)
    },
    holds: () => timer !== null,
    ticked: () => (timer === null ? 0 : ++ticks),
    release() {
      if (timer === null) return
      clearTimeout(timer)
      timer = null
      sender.free()
    },
  }
}
