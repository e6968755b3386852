const headBytes = 4
/** A thousand calls take about one megabyte. */
const maxFrameBytes = 16_777_216

/** A message on its way: its length in four bytes, little-endian, then its JSON. */
export function messageFrame(message: unknown): Buffer {
  const json = JSON.stringify(message)
  const bytes = Buffer.byteLength(json)
  if (bytes > maxFrameBytes) throw new RangeError('a message that is too long')
  const frame = Buffer.allocUnsafe(headBytes + bytes)
  frame.writeUInt32LE(bytes)
  frame.write(json, headBytes)
  return frame
}

/** Messages of a stream of bytes, however they are cut. */
export class FrameReader {
  #rest: Buffer[] = []
  #restBytes = 0
  /** Bytes of the frame that has begun; null before its head is whole. */
  #wantedBytes: number | null = null

  /** @returns messages that are whole now @throws RangeError | SyntaxError when these are no frames */
  read(bytes: Buffer): unknown[] {
    this.#rest.push(bytes)
    this.#restBytes += bytes.length
    const messages: unknown[] = []
    for (;;) {
      this.#wantedBytes ??= this.#head()
      if (this.#wantedBytes === null || this.#restBytes < this.#wantedBytes) return messages
      const frame = this.#take(this.#wantedBytes)
      this.#wantedBytes = null
      messages.push(JSON.parse(frame.toString('utf8', headBytes)) as unknown)
    }
  }

  #head(): number | null {
    if (this.#restBytes < headBytes) return null
    const length = this.#whole().readUInt32LE(0)
    if (length > maxFrameBytes) throw new RangeError('a frame that is too long')
    return headBytes + length
  }

  #whole(): Buffer {
    const [only] = this.#rest
    if (only !== undefined && this.#rest.length === 1) return only
    const whole = Buffer.concat(this.#rest)
    this.#rest = [whole]
    return whole
  }

  #take(bytes: number): Buffer {
    const whole = this.#whole()
    this.#rest = whole.length > bytes ? [whole.subarray(bytes)] : []
    this.#restBytes -= bytes
    return whole.subarray(0, bytes)
  }
}
