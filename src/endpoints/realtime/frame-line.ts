import type { Frame } from '../../net/socket'

/** A client whose frames are taken one after the other. */
export interface FrameLine {
  /** Takes a frame, at once where it needs no look and nothing is in its way. */
  add(frame: Frame): void
  /** Whether the client is held back. */
  holds(): boolean
}

export interface FrameLineParts {
  /** Over when what other processes changed is taken in; null where there is nothing. */
  changes(): Promise<unknown> | null
  /** @returns false for a frame that `take` is to look at */
  passNow(frame: Frame): boolean
  /** By what the client may do by now. Never throws. */
  take(frame: Frame): Promise<void>
  /** Called when changes of others cannot be taken in. */
  onFault(fault: unknown): void
  hold(): void
  free(): void
}

/** Takes frames in order, each by the client's rights at that moment: frames wait for that, in their order. */
export function openFrameLine(parts: FrameLineParts): FrameLine {
  const { changes, passNow, take, onFault, hold, free } = parts
  let waiting: Frame[] | null = null
  const holds = () => waiting !== null && waiting.length > 1
  /** @param frames more come while it goes through them */
  const takeAll = async (frames: readonly Frame[]): Promise<void> => {
    for (const frame of frames) {
      try {
        await changes()
      } catch (fault) {
        onFault(fault)
      }
      await take(frame)
    }
    waiting = null
    if (frames.length > 1) free()
  }
  return {
    holds,
    add(frame) {
      if (waiting !== null) {
        if (waiting.push(frame) === 2) hold()
      } else if (!passNow(frame)) void takeAll((waiting = [frame]))
    },
  }
}

/** A text of this many letters has at least as many bytes, and at most three times as many. */
export const isLonger = (frame: Frame, maxBytes: number): boolean =>
  frame.length * 3 > maxBytes && Buffer.byteLength(frame) > maxBytes
