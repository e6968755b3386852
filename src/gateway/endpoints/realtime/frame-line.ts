import { yieldToLoop } from '../../../domain/yield-to-loop'
import type { Frame } from '../../net/socket'
import { TurnShare } from '../../net/turn-share'

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

/** To refuse one takes up to some twenty microseconds. */
const framesPerTurn = 64

/**
 * Takes frames in order, each by the client's rights at that moment: frames wait for that, in their order. A few
 * in each turn of the event loop: half a megabyte, which is read at once, may hold 87,000.
 */
export function openFrameLine(parts: FrameLineParts): FrameLine {
  const { changes, passNow, take, onFault, hold, free } = parts
  const share = new TurnShare(framesPerTurn)
  let waiting: Frame[] | null = null
  let isHeld = false
  const holdBack = () => {
    if (isHeld) return
    isHeld = true
    hold()
  }
  /** @param frames more come while it goes through them */
  const takeAll = async (frames: readonly Frame[]): Promise<void> => {
    for (const frame of frames) {
      if (!share.take()) await yieldToLoop()
      try {
        await changes()
      } catch (fault) {
        onFault(fault)
      }
      await take(frame)
    }
    waiting = null
    if (!isHeld) return
    isHeld = false
    free()
  }
  return {
    holds: () => isHeld,
    add(frame) {
      if (waiting !== null) {
        waiting.push(frame)
        holdBack()
      } else if (!share.take()) {
        holdBack()
        void takeAll((waiting = [frame]))
      } else if (!passNow(frame)) void takeAll((waiting = [frame]))
    },
  }
}

/** A text of this many letters has at least as many bytes, and at most three times as many. */
export const isLonger = (frame: Frame, maxBytes: number): boolean =>
  frame.length * 3 > maxBytes && Buffer.byteLength(frame) > maxBytes
