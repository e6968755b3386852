import { yieldToLoop } from '../../domain/yield-to-loop'
import type { WholeAnswer } from '../call/endpoint'

/*
 * Bytes in pieces, as they come from vendors and go to clients. What takes long for many bytes is done
 * in slices of the event loop.
 */

/** Copied within a millisecond or two. */
const sliceBytes = 2_097_152
/** A larger body is sent piece by piece: a response copies its body. */
const maxCopiedBytes = 32 * 1024 * 1024

/** Bytes of all pieces. */
export function sizeOf(pieces: readonly Uint8Array[]): number {
  let sum = 0
  for (const piece of pieces) sum += piece.byteLength
  return sum
}

export async function joinPieces(pieces: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  const joined = new Uint8Array(sizeOf(pieces))
  let at = 0
  let copied = 0
  for (const slice of slicesOf(pieces)) {
    joined.set(slice, at)
    at += slice.byteLength
    copied += slice.byteLength
    if (copied < sliceBytes) continue
    copied = 0
    await yieldToLoop()
  }
  return joined
}

/** The body of an answer that is made of pieces. */
export async function bodyOf(pieces: readonly Uint8Array[]): Promise<WholeAnswer['body']> {
  return sizeOf(pieces) > maxCopiedBytes ? streamOf(pieces) : joinPieces(pieces)
}

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const slices = slicesOf(pieces)
  return new ReadableStream(
    {
      async pull(controller) {
        await yieldToLoop()
        const { done, value } = slices.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
    },
    { highWaterMark: 0 },
  )
}

function* slicesOf(pieces: readonly Uint8Array[]): Generator<Uint8Array, void> {
  for (const piece of pieces)
    for (let from = 0; from < piece.byteLength; from += sliceBytes)
      yield piece.subarray(from, from + sliceBytes)
}
