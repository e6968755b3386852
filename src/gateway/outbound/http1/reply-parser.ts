import {
  isWellFormedHead,
  lastLineEnd,
  readReplyHead,
  withUsualLineEnds,
  type ReplyHead,
} from './reply-head'
import { shortChunkBytes, ShortChunks } from './short-chunks'

/** Events of a response parser, in order: one head, pieces of the body, the end. */
interface ReplyEvents {
  head(head: ReplyHead): void
  /** Lent until the call returns. */
  data(bytes: Uint8Array): void
  /** @param reusable another request may follow on this connection */
  end(reusable: boolean): void
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
const tab = 9
const lineFeed = 10
const carriageReturn = 13
const space = 32
const semicolon = 59

/** Where in a line of a chunk's size: only blanks may stand between its digits and its extensions. */
type SizePart = 'digits' | 'blanks' | 'extensions'
type State = 'head' | 'fixed' | 'size' | 'chunk' | 'chunk-end' | 'trailer' | 'until-close'

/**
 * One HTTP/1 reply after another, arriving in any pieces.
 * A class, as every connection has one.
 */
export class ReplyParser {
  #state: State = 'head'
  #pending = ''
  #keepsAlive = false
  #interimHeads = 0
  #interimBytes = 0
  /** Framing bytes around the chunks so far, beyond the usual for their number and size. */
  #framingBytes = 0
  /** Of a body or chunk. */
  #left = 0
  #size = 0
  #sizePart: SizePart = 'digits'
  /** Digits of a size; bytes of a trailer's line. */
  #lineContent = 0
  #lineBytes = 0
  /** The last byte was a carriage return: between chunks nothing but a line feed may follow. */
  #afterReturn = false
  readonly #short: ShortChunks
  readonly #events: ReplyEvents

  constructor(events: ReplyEvents) {
    this.#events = events
    this.#short = new ShortChunks((bytes) => events.data(bytes))
  }

  /** @throws Error for malformed HTTP; the connection cannot be used again */
  push(bytes: Uint8Array): void {
    let at = 0
    try {
      while (at < bytes.length) {
        at = this.#take(bytes, at)
        if (this.#state === 'fixed' && this.#left === 0) this.#end(bytes.length - at)
      }
    } finally {
      this.#short.flush()
    }
  }

  /** The server closed. @returns whether that was the proper end of a reply */
  closed(): boolean {
    if (this.#state !== 'until-close') return false
    this.#state = 'head'
    this.#events.end(false)
    return true
  }

  #end(rest: number): void {
    this.#state = 'head'
    this.#short.flush()
    // Bytes that nobody asked for: whose they are cannot be known.
    this.#events.end(this.#keepsAlive && rest === 0)
    if (rest > 0) throw new Error('bytes after the response')
  }

  /** @returns where the body begins; -1 when the head is not whole yet */
  #takeHead(bytes: Uint8Array, from: number): number {
    // As they come from a socket: another view of the same bytes costs more than to find the head.
    const buffer = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (this.#pending === '') {
      const end = buffer.indexOf('\r\n\r\n', from)
      const text = end < 0 ? '' : buffer.toString('latin1', from, end)
      if (isWellFormedHead(text)) {
        this.#useHead(text)
        return end + 4
      }
    }
    return this.#takeUnusualHead(buffer, from)
  }

  /** In pieces, or with lines that end in LF alone. */
  #takeUnusualHead(buffer: Buffer, from: number): number {
    const seen = this.#pending.length
    this.#pending += buffer.toString('latin1', from)
    const end = lastLineEnd(this.#pending, Math.max(0, seen - 2))
    if (end < 0) {
      this.#countHead(this.#pending.length)
      return -1
    }
    const next = from + this.#pending.indexOf('\n', end + 1) + 1 - seen
    const text = withUsualLineEnds(this.#pending.slice(0, end))
    this.#pending = ''
    if (!isWellFormedHead(text)) throw new Error('malformed HTTP response')
    this.#useHead(text)
    return next
  }

  #useHead(text: string): void {
    this.#countHead(text.length)
    const head = readReplyHead(text)
    if (head.status >= 200) return this.#begin(head)
    if (++this.#interimHeads > maxInterimHeads) throw new Error('too many interim responses')
    this.#interimBytes += text.length
  }

  #countHead(bytes: number): void {
    if (this.#interimBytes + bytes > maxHeadBytes) throw new Error('response header too large')
  }

  #begin(head: ReplyHead): void {
    this.#keepsAlive = head.keepsAlive
    this.#interimHeads = this.#interimBytes = this.#framingBytes = 0
    this.#events.head(head)
    const { framing } = head
    if (framing.kind === 'chunked') this.#startLine('size')
    else if (framing.kind === 'close') this.#state = 'until-close'
    else {
      this.#state = 'fixed'
      this.#left = framing.kind === 'length' ? framing.bytes : 0
    }
  }

  #startLine(next: 'size' | 'trailer'): void {
    this.#state = next
    this.#size = 0
    this.#sizePart = 'digits'
    this.#lineContent = 0
    this.#lineBytes = 0
  }

  /**
   * Lines end in CRLF alone here: others read a bare CR or LF otherwise, and would see another chunk
   * (RFC 9112 7.1, 11.1).
   * @returns whether the line ends with this byte
   */
  #endsLine(byte: number): boolean {
    const ends = byte === lineFeed
    if (this.#afterReturn !== ends) throw new Error('malformed line end in a chunked body')
    this.#afterReturn = byte === carriageReturn
    return ends
  }

  /** @returns where the chunk begins, or the end of the bytes */
  #takeSize(bytes: Uint8Array, from: number): number {
    let at = from
    while (at < bytes.length) {
      const byte = bytes[at++] ?? 0
      if (this.#endsLine(byte)) {
        this.#startChunk()
        return at
      }
      if (++this.#lineBytes > maxLineBytes) throw new Error('chunk size line too long')
      if (!this.#afterReturn) this.#takeSizeByte(byte)
    }
    return at
  }

  #startChunk(): void {
    if (this.#lineContent === 0) throw new Error('missing chunk size')
    this.#left = this.#size
    // Chunks of one byte, each with a line of extensions: no reply needs that.
    this.#framingBytes = Math.max(
      0,
      this.#framingBytes + this.#lineBytes - usualFramingBytes - 2 * this.#size,
    )
    if (this.#framingBytes > maxFramingBytes) throw new Error('more framing than content')
    if (this.#size === 0) this.#startLine('trailer')
    else this.#state = 'chunk'
  }

  /** Blanks at the end of a size are padding of old servers, and allowed before `;` (RFC 9112 7.1.1). */
  #takeSizeByte(byte: number): void {
    if (this.#sizePart === 'extensions') return
    if (byte === semicolon) this.#sizePart = 'extensions'
    else if ((byte === space || byte === tab) && this.#lineContent > 0) this.#sizePart = 'blanks'
    else if (this.#sizePart === 'blanks') throw new Error('invalid chunk size')
    else {
      this.#size = this.#size * 16 + hexValue(byte)
      if (++this.#lineContent > 12) throw new Error('chunk size too large')
    }
  }

  /** Skips fields after the last chunk; an empty line ends them. */
  #takeTrailer(bytes: Uint8Array, from: number): number {
    let at = from
    while (at < bytes.length) {
      const byte = bytes[at++] ?? 0
      if (++this.#lineBytes > maxLineBytes) throw new Error('trailer too large')
      if (!this.#endsLine(byte)) {
        if (!this.#afterReturn) this.#lineContent++
        continue
      }
      if (this.#lineContent === 0) {
        this.#end(bytes.length - at)
        return at
      }
      this.#lineContent = 0
    }
    return at
  }

  /** @returns where it stopped */
  #takeBody(bytes: Uint8Array, from: number): number {
    const to = Math.min(bytes.length, from + this.#left)
    if (to - from < shortChunkBytes) this.#short.add(bytes, from, to)
    else {
      this.#short.flush()
      this.#events.data(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to))
    }
    this.#left -= to - from
    return to
  }

  #takeChunkEnd(bytes: Uint8Array, from: number): number {
    let at = from
    while (at < bytes.length) {
      if (this.#endsLine(bytes[at++] ?? 0)) {
        this.#startLine('size')
        return at
      }
      if (!this.#afterReturn) throw new Error('chunk longer than its size')
    }
    return at
  }

  /** @returns where it stopped; the end of the bytes when all of them are taken */
  #take(bytes: Uint8Array, at: number): number {
    switch (this.#state) {
      case 'head': {
        const next = this.#takeHead(bytes, at)
        return next < 0 ? bytes.length : next
      }
      case 'size':
        return this.#takeSize(bytes, at)
      case 'chunk': {
        const next = this.#takeBody(bytes, at)
        if (this.#left === 0) this.#state = 'chunk-end'
        return next
      }
      case 'chunk-end':
        return this.#takeChunkEnd(bytes, at)
      case 'trailer':
        return this.#takeTrailer(bytes, at)
      case 'fixed':
        return this.#takeBody(bytes, at)
      default:
        this.#events.data(bytes.subarray(at))
        return bytes.length
    }
  }
}

function hexValue(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const letter = byte | 32
  if (letter >= 97 && letter <= 102) return letter - 87
  throw new Error('invalid chunk size')
}
