/**
 * Requests of one connection that one turn of the event loop may bring (RFC 9112, 9.3.2). Seen in Bun 1.4.5: all that
 * lie in its buffer, some thousands, are answered before anybody else has a turn. Clients send one at a time, or
 * a few ahead.
 */
const maxAtOnce = 64
/** One after the other, a client alone sends as many in a row, in turns of their own. */
const freeInRow = 16

/**
 * Opens a look at how many requests of one connection come at once. To be asked of each request, as it comes.
 * @returns whether its connection should end with its answer: what lies behind it is dropped then
 */
export function openPipelineGuard(): (port: number) => boolean {
  let last = -1
  let inRow = 0
  const reset = () => void (inRow = 0)
  return (port) => {
    if (port !== last) {
      last = port
      inRow = 1
      return false
    }
    // A timer for each request would cost all of them.
    if (++inRow === freeInRow) setImmediate(reset)
    return inRow > maxAtOnce
  }
}
