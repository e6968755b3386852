import { readReplyHead, type ReplyHead } from './reply-head'

/** What a parser finds, in order: one head, pieces of the body, the end. */
export interface ReplyEvents {
  head(head: ReplyHead): void
  /** Lent: a view of what was pushed. */
  data(bytes: Uint8Array): void
  /** @param reusable another request may follow on this connection */
  end(reusable: boolean): void
}

/** One HTTP/1 reply after another, arriving in any pieces. */
export interface ReplyParser {
  /** @throws Error what is no HTTP; the connection is of no more use */
  push(bytes: Uint8Array): void
  /** The server closed. @returns whether that was the proper end of a reply */
  closed(): boolean
}

/** Of a head and the interim ones before it together. */
const maxHeadBytes = 65_536
/** Heads that only announce the reply (RFC 9110, section 15.2): one or two are usual. */
const maxInterimHeads = 32
/** Longest line of a chunk's size with its extensions, and longest trailer. */
const maxLineBytes = 16_384
/** Bytes around chunks that are no content and can't be explained by the number of chunks. */
const maxFramingBytes = 16_384
/** Around each chunk so many are usual. */
const usualFramingBytes = 16
const carriageReturn = 13
const lineFeed = 10
const semicolon = 59

type State = 'head' | 'fixed' | 'size' | 'chunk' | 'chunk-end' | 'trailer' | 'until-close'

export function openReplyParser(events: ReplyEvents): ReplyParser {
  let state: State = 'head'
  let pending = ''
  let keepsAlive = false
  let interimHeads = 0
  let interimBytes = 0
  /** Around the chunks so far, beyond what is usual for their number and size. */
  let framingBytes = 0
  /** Of a body or chunk. */
  let left = 0
  let size = 0
  let sizeDigits = 0
  let inExtension = false
  let lineBytes = 0

  const end = (rest: number) => {
    state = 'head'
    // Bytes that nobody asked for: whose they are cannot be known.
    events.end(keepsAlive && rest === 0)
    if (rest > 0) throw new Error('more than was asked for')
  }

  /** @returns where the body begins; -1 when the head is not whole yet */
  const takeHead = (bytes: Uint8Array, from: number): number => {
    // As they come from a socket: another view of the same bytes costs more than to find the head.
    const text = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const seen = pending.length
    let boundary: number
    if (seen === 0) {
      boundary = text.indexOf('\r\n\r\n', from) - from
      if (boundary >= 0) pending = text.toString('latin1', from, from + boundary)
    } else {
      pending += text.toString('latin1', from)
      boundary = pending.indexOf('\r\n\r\n', Math.max(0, seen - 3))
      if (boundary >= 0) pending = pending.slice(0, boundary)
    }
    if (boundary < 0) {
      if (seen === 0) pending = text.toString('latin1', from)
      countHead(pending.length)
      return -1
    }
    countHead(boundary)
    const head = readReplyHead(pending)
    pending = ''
    const next = from + boundary + 4 - seen
    if (head.status < 200) {
      if (++interimHeads > maxInterimHeads) throw new Error('interim heads without a reply')
      interimBytes += boundary
      return next
    }
    begin(head)
    return next
  }

  const countHead = (bytes: number) => {
    if (interimBytes + bytes > maxHeadBytes) throw new Error('a head that never ends')
  }

  const begin = (head: ReplyHead) => {
    keepsAlive = head.keepsAlive
    interimHeads = interimBytes = framingBytes = 0
    events.head(head)
    const { framing } = head
    if (framing.kind === 'chunked') startLine('size')
    else if (framing.kind === 'close') state = 'until-close'
    else {
      state = 'fixed'
      left = framing.kind === 'length' ? framing.bytes : 0
    }
  }

  const startLine = (next: 'size' | 'trailer') => {
    state = next
    size = 0
    sizeDigits = 0
    inExtension = false
    lineBytes = 0
  }

  /** @returns where the chunk begins, or the end of the bytes */
  const takeSize = (bytes: Uint8Array, from: number): number => {
    let at = from
    while (at < bytes.length) {
      const byte = bytes[at++] ?? 0
      if (byte === lineFeed) {
        if (sizeDigits === 0) throw new Error('a chunk without a size')
        left = size
        // Chunks of one byte, each with a line of extensions: no reply needs that.
        framingBytes = Math.max(0, framingBytes + lineBytes - usualFramingBytes - 2 * size)
        if (framingBytes > maxFramingBytes) throw new Error('more framing than content')
        if (size === 0) startLine('trailer')
        else state = 'chunk'
        return at
      }
      if (++lineBytes > maxLineBytes) throw new Error('a size that never ends')
      if (byte === carriageReturn || inExtension) continue
      if (byte === semicolon || byte === 32 || byte === 9) inExtension = true
      else {
        size = size * 16 + hexValue(byte)
        if (++sizeDigits > 12) throw new Error('a chunk beyond all bounds')
      }
    }
    return at
  }

  /** Skips fields after the last chunk; an empty line ends them. */
  const takeTrailer = (bytes: Uint8Array, from: number): number => {
    let at = from
    while (at < bytes.length) {
      const byte = bytes[at++] ?? 0
      if (++lineBytes > maxLineBytes) throw new Error('a trailer that never ends')
      if (byte === carriageReturn) continue
      if (byte !== lineFeed) {
        sizeDigits++
        continue
      }
      if (sizeDigits === 0) {
        end(bytes.length - at)
        return at
      }
      sizeDigits = 0
    }
    return at
  }

  /** @returns where it stopped */
  const takeBody = (bytes: Uint8Array, from: number): number => {
    const to = Math.min(bytes.length, from + left)
    if (to > from) events.data(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to))
    left -= to - from
    return to
  }

  const takeChunkEnd = (bytes: Uint8Array, from: number): number => {
    let at = from
    while (at < bytes.length) {
      const byte = bytes[at++]
      if (byte === carriageReturn) continue
      if (byte !== lineFeed) throw new Error('a chunk longer than its size')
      startLine('size')
      return at
    }
    return at
  }

  /** @returns where it stopped; the end of the bytes when all of them are taken */
  const take = (bytes: Uint8Array, at: number): number => {
    switch (state) {
      case 'head': {
        const next = takeHead(bytes, at)
        return next < 0 ? bytes.length : next
      }
      case 'size':
        return takeSize(bytes, at)
      case 'chunk': {
        const next = takeBody(bytes, at)
        if (left === 0) state = 'chunk-end'
        return next
      }
      case 'chunk-end':
        return takeChunkEnd(bytes, at)
      case 'trailer':
        return takeTrailer(bytes, at)
      case 'fixed':
        return takeBody(bytes, at)
      default:
        events.data(bytes.subarray(at))
        return bytes.length
    }
  }

  return {
    push(bytes) {
      let at = 0
      while (at < bytes.length) {
        at = take(bytes, at)
        if (state === 'fixed' && left === 0) end(bytes.length - at)
      }
    },
    closed() {
      if (state !== 'until-close') return false
      state = 'head'
      events.end(false)
      return true
    },
  }
}

function hexValue(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const letter = byte | 32
  if (letter >= 97 && letter <= 102) return letter - 87
  throw new Error('a size that is no number')
}
