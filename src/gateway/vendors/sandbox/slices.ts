/**
 * Work done in steps, each well below a millisecond, with a result at the end. What runs them decides
 * how many fit between two turns of the event loop.
 */
export type Steps<Result> = Generator<void, Result, void>

/** Longest stretch of the sandbox's work in one turn of the event loop, whatever the number of calls. */
const sliceMs = 5

const waiting: (() => void)[] = []
/** Null while nothing was done in this turn. */
let sliceBegan: number | null = null

function beginSlice(): void {
  sliceBegan = performance.now()
  setImmediate(endSlice)
}

/** The loop has turned: one of those that wait goes on. */
function endSlice(): void {
  sliceBegan = null
  const resume = waiting.shift()
  if (resume === undefined) return
  beginSlice()
  resume()
}

function isSliceOver(): boolean {
  if (sliceBegan === null) beginSlice()
  return performance.now() - (sliceBegan ?? 0) >= sliceMs
}

/** Not a microtask: other calls, sockets and timers have their turn before. */
const nextSlice = (): Promise<void> =>
  new Promise((resolve) => {
    if (sliceBegan === null) beginSlice()
    waiting.push(resolve)
  })

/**
 * Runs steps to their end without holding the event loop.
 * @throws DOMException AbortError when the caller gives up
 */
export async function inSlices<Result>(steps: Steps<Result>, signal: AbortSignal): Promise<Result> {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    if (!isSliceOver()) continue
    await nextSlice()
    signal.throwIfAborted()
  }
}

/** Bytes per read, as from a socket. */
const readBytes = 32_768

/**
 * A body that is made as it is read. Whoever reads it in this process never waits, and would run it to
 * its end in one turn. It breaks when the caller gives up.
 */
export function streamInSlices(
  pieces: Iterator<Uint8Array, void>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const give = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    signal.throwIfAborted()
    const read: Uint8Array[] = []
    let bytes = 0
    do {
      const { done, value } = pieces.next()
      if (done === true) {
        if (bytes > 0) controller.enqueue(Buffer.concat(read))
        return controller.close()
      }
      read.push(value)
      bytes += value.byteLength
    } while (bytes < readBytes && !isSliceOver())
    controller.enqueue(Buffer.concat(read))
  }
  return new ReadableStream({
    pull: (controller) =>
      isSliceOver() ? nextSlice().then(() => give(controller)) : give(controller),
  })
}
