import type { Frame } from '../../net/socket'

/** A client whose frames are taken one after the other. */
export interface FrameLine {
  /** Takes a frame, at once where nothing is in its way. */
  add(frame: Frame): void
  /** Whether the client is held back. */
  holds(): boolean
}

export interface FrameLineParts {
  /** Over when what other processes changed is taken in; null where there is nothing. */
  changes(): Promise<void> | null
  take(frame: Frame): void
  /** Called when changes of others cannot be taken in. */
  onFault(fault: unknown): void
  hold(): void
  free(): void
}

/** Takes frames in order, each by the client's rights at that moment: frames wait for that, in their order. */
export function openFrameLine({ changes, take, onFault, hold, free }: FrameLineParts): FrameLine {
  let waiting: Frame[] | null = null
  const holds = () => waiting !== null && waiting.length > 1
  const goOn = () => {
    const frames = waiting ?? []
    const isHeld = holds()
    waiting = null
    for (const frame of frames) take(frame)
    if (isHeld) free()
  }
  return {
    holds,
    add(frame) {
      if (waiting !== null) {
        if (waiting.push(frame) === 2) hold()
        return
      }
      const taking = changes()
      if (taking === null) return take(frame)
      waiting = [frame]
      taking.then(goOn, (fault: unknown) => {
        onFault(fault)
        goOn()
      })
    },
  }
}

/** A text of this many letters has at least as many bytes, and at most three times as many. */
export const isLonger = (frame: Frame, maxBytes: number): boolean =>
  frame.length * 3 > maxBytes && Buffer.byteLength(frame) > maxBytes
