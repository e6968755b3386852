import { readPartHead, type PartHead } from './part-head'

/** Takes the parts of a form as they come. Bytes are only lent. */
export interface PartSink {
  part(head: PartHead): void
  data(bytes: Uint8Array): void
  /** The part that was begun last is whole. */
  partEnd(): void
}

/** A form as it comes in. */
export interface Multipart {
  /** @throws MultipartFault */
  push(bytes: Uint8Array): void
  /** Nothing more comes. @throws MultipartFault when the last boundary is missing */
  end(): void
}

/** What came is no form. */
export class MultipartFault extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'MultipartFault'
  }
}

const longestHead = 8192
/** Spaces may stand behind a boundary; nobody writes more. */
const longestLine = 128
const headEnd = Buffer.from('\r\n\r\n')
const lineEnd = Buffer.from('\r\n')
const nothing = Buffer.alloc(0)

/**
 * Reads `multipart/form-data` (RFC 7578) piece by piece; what is kept between two pieces is a
 * boundary's length, or one part's head.
 */
export function openMultipart(boundary: string, sink: PartSink): Multipart {
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
  let state: 'before' | 'line' | 'head' | 'body' | 'after' = 'before'
  // The first boundary may stand at the very beginning: as if a line had ended there.
  let kept: Buffer = lineEnd

  /** Passes on what surely is content. @returns what follows a boundary; null when none is there */
  const toBoundary = (bytes: Buffer): Buffer | null => {
    let rest = bytes
    if (kept.length > 0) {
      const seam = Buffer.concat([kept, bytes.subarray(0, delimiter.length - 1)])
      const at = seam.indexOf(delimiter)
      if (at >= 0) {
        content(seam.subarray(0, at))
        rest = bytes.subarray(at + delimiter.length - kept.length)
        kept = nothing
        return rest
      }
      if (bytes.length < delimiter.length - 1) {
        keepEnd(seam)
        return null
      }
      content(kept)
      kept = nothing
    }
    const at = rest.indexOf(delimiter)
    if (at < 0) {
      keepEnd(rest)
      return null
    }
    content(rest.subarray(0, at))
    return rest.subarray(at + delimiter.length)
  }

  /** Passes on all but what may be the beginning of a boundary. */
  const keepEnd = (bytes: Buffer) => {
    let from = Math.max(0, bytes.length - delimiter.length + 1)
    for (; from < bytes.length; from++) {
      const length = bytes.length - from
      if (bytes.compare(delimiter, 0, length, from) === 0) break
    }
    content(bytes.subarray(0, from))
    kept = Buffer.from(bytes.subarray(from))
  }

  const content = (bytes: Buffer) => {
    if (state === 'body' && bytes.length > 0) sink.data(bytes)
  }

  /** @returns what follows the mark; null when it is not there yet, and what came is kept */
  const upTo = (mark: Buffer, bytes: Buffer, longest: number, why: string) => {
    const all = kept.length === 0 ? bytes : Buffer.concat([kept, bytes])
    const at = all.indexOf(mark)
    if (at > longest || (at < 0 && all.length > longest + mark.length))
      throw new MultipartFault(why)
    kept = at < 0 ? Buffer.from(all) : nothing
    return at < 0
      ? null
      : { text: all.toString('utf8', 0, at), rest: all.subarray(at + mark.length) }
  }

  const step = (bytes: Buffer): Buffer | null => {
    if (state === 'after') return null
    if (state === 'before' || state === 'body') {
      const rest = toBoundary(bytes)
      if (rest !== null) {
        if (state === 'body') sink.partEnd()
        state = 'line'
      }
      return rest
    }
    if (state === 'line') {
      const all = kept.length === 0 ? bytes : Buffer.concat([kept, bytes])
      if (all.length >= 2 && all.toString('latin1', 0, 2) === '--') {
        state = 'after'
        return null
      }
      const line = upTo(lineEnd, bytes, longestLine, 'a boundary without the end of its line')
      if (line === null) return null
      if (line.text.trim() !== '') throw new MultipartFault('a boundary with letters behind it')
      state = 'head'
      return line.rest
    }
    const found = upTo(headEnd, bytes, longestHead, 'a part whose head does not end')
    if (found === null) return null
    const head = readPartHead(found.text)
    if (head === null) throw new MultipartFault('a part that names no field')
    sink.part(head)
    state = 'body'
    return found.rest
  }

  return {
    push(bytes) {
      let rest: Buffer | null = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      while (rest !== null) rest = step(rest)
    },
    end() {
      if (state !== 'after') throw new MultipartFault('a form without its last boundary')
    },
  }
}
