import { readPartHead, type PartHead } from './part-head'

/** Takes the parts of a form as they come. Bytes are only lent. */
export interface PartSink {
  part(head: PartHead): void
  data(bytes: Uint8Array): void
  /** The part that was begun last is whole. */
  partEnd(): void
}

/** Malformed multipart body. */
export class MultipartFault extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'MultipartFault'
  }
}

const maxHead = 8192
/** Spaces may stand behind a boundary; nobody writes more. */
const maxLine = 128
const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')
const nothing = Buffer.alloc(0)

type State = 'before' | 'line' | 'head' | 'body' | 'after'

/**
 * Reads `multipart/form-data` (RFC 7578) piece by piece; what is kept between two pieces is a
 * boundary's length, or one part's head.
 */
export class Multipart {
  readonly #delimiter: Buffer
  readonly #sink: PartSink
  #state: State = 'before'
  /** The first boundary may stand at the very beginning: as if a line had ended there. */
  #kept: Buffer = lineEnd

  constructor(boundary: string, sink: PartSink) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    this.#sink = sink
  }

  /** @throws MultipartFault */
  push(bytes: Uint8Array): void {
    let rest: Buffer | null = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    while (rest !== null) rest = this.#take(rest)
  }

  /** Nothing more comes. @throws MultipartFault when the last boundary is missing */
  end(): void {
    if (this.#state !== 'after') throw new MultipartFault('a form without its last boundary')
  }

  /** @returns what is left of the bytes; null when all of them are taken */
  #take(bytes: Buffer): Buffer | null {
    switch (this.#state) {
      case 'before':
      case 'body':
        return this.#takeContent(bytes)
      case 'line':
        return this.#takeLine(bytes)
      case 'head':
        return this.#takeHead(bytes)
      case 'after':
        return null
    }
  }

  #takeContent(bytes: Buffer): Buffer | null {
    const rest = this.#toBoundary(bytes)
    if (rest === null) return null
    if (this.#state === 'body') this.#sink.partEnd()
    this.#state = 'line'
    return rest
  }

  /** The rest of a boundary's line; two dashes make it the last one. */
  #takeLine(bytes: Buffer): Buffer | null {
    const all = this.#kept.length === 0 ? bytes : Buffer.concat([this.#kept, bytes])
    if (all.length >= 2 && all.toString('latin1', 0, 2) === '--') {
      this.#state = 'after'
      return null
    }
    const line = this.#upTo(lineEnd, bytes, maxLine, 'a boundary without the end of its line')
    if (line === null) return null
    if (line.text.trim() !== '') throw new MultipartFault('a boundary with letters behind it')
    this.#state = 'head'
    return line.rest
  }

  #takeHead(bytes: Buffer): Buffer | null {
    const found = this.#upTo(headEnd, bytes, maxHead, 'a part whose head does not end')
    if (found === null) return null
    const head = readPartHead(found.text)
    if (head === null) throw new MultipartFault('a part that names no field')
    this.#sink.part(head)
    this.#state = 'body'
    return found.rest
  }

  /** Passes on what surely is content. @returns what follows a boundary; null when none is there */
  #toBoundary(bytes: Buffer): Buffer | null {
    const delimiter = this.#delimiter
    if (this.#kept.length > 0) {
      const seam = Buffer.concat([this.#kept, bytes.subarray(0, delimiter.length - 1)])
      const at = seam.indexOf(delimiter)
      if (at >= 0) {
        this.#content(seam.subarray(0, at))
        const rest = bytes.subarray(at + delimiter.length - this.#kept.length)
        this.#kept = nothing
        return rest
      }
      if (bytes.length < delimiter.length - 1) {
        this.#keepEnd(seam)
        return null
      }
      this.#content(this.#kept)
      this.#kept = nothing
    }
    const at = bytes.indexOf(delimiter)
    if (at < 0) {
      this.#keepEnd(bytes)
      return null
    }
    this.#content(bytes.subarray(0, at))
    return bytes.subarray(at + delimiter.length)
  }

  /** Passes on all but what may be the beginning of a boundary. */
  #keepEnd(bytes: Buffer): void {
    const delimiter = this.#delimiter
    let from = Math.max(0, bytes.length - delimiter.length + 1)
    for (; from < bytes.length; from++) {
      const length = bytes.length - from
      if (bytes.compare(delimiter, 0, length, from) === 0) break
    }
    this.#content(bytes.subarray(0, from))
    this.#kept = Buffer.from(bytes.subarray(from))
  }

  #content(bytes: Buffer): void {
    if (this.#state === 'body' && bytes.length > 0) this.#sink.data(bytes)
  }

  /** @returns what follows the mark; null when it is not there yet, and what came is kept */
  #upTo(mark: Buffer, bytes: Buffer, longest: number, why: string) {
    const all = this.#kept.length === 0 ? bytes : Buffer.concat([this.#kept, bytes])
    const at = all.indexOf(mark)
    if (at > longest || (at < 0 && all.length > longest + mark.length))
      throw new MultipartFault(why)
    this.#kept = at < 0 ? Buffer.from(all) : nothing
    return at < 0
      ? null
      : { text: all.toString('utf8', 0, at), rest: all.subarray(at + mark.length) }
  }
}
