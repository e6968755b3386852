import { isWellFormedHead, readReplyHead, type ReplyHead } from './reply-head'

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
const tab = 9
const lineFeed = 10
const carriageReturn = 13
const space = 32
const semicolon = 59

/** Where in a line of a chunk's size: only blanks may stand between its digits and its extensions. */
type SizePart = 'digits' | 'blanks' | 'extensions'
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
  let sizePart: SizePart = 'digits'
  /** Digits of a size; bytes of a trailer's line. */
  let lineContent = 0
  let lineBytes = 0
  /** The last byte was a carriage return: between chunks nothing but a line feed may follow. */
  let afterReturn = false

  const end = (rest: number) => {
    state = 'head'
    // Bytes that nobody asked for: whose they are cannot be known.
    events.end(keepsAlive && rest === 0)
    if (rest > 0) throw new Error('bytes after the response')
  }

  /** @returns where the body begins; -1 when the head is not whole yet */
  const takeHead = (bytes: Uint8Array, from: number): number => {
    // As they come from a socket: another view of the same bytes costs more than to find the head.
    const buffer = Buffer.isBuffer(bytes)
      ? bytes
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (pending === '') {
      const end = buffer.indexOf('\r\n\r\n', from)
      const text = end < 0 ? '' : buffer.toString('latin1', from, end)
      if (isWellFormedHead(text)) {
        useHead(text)
        return end + 4
      }
    }
    return takeUnusualHead(buffer, from)
  }

  /** In pieces, or with lines that end in LF alone. */
  const takeUnusualHead = (buffer: Buffer, from: number): number => {
    const seen = pending.length
    pending += buffer.toString('latin1', from)
    const end = lastLineEnd(pending, Math.max(0, seen - 2))
    if (end < 0) {
      countHead(pending.length)
      return -1
    }
    const next = from + pending.indexOf('\n', end + 1) + 1 - seen
    const text = withUsualLineEnds(pending.slice(0, end))
    pending = ''
    if (!isWellFormedHead(text)) throw new Error('malformed HTTP response')
    useHead(text)
    return next
  }

  const useHead = (text: string) => {
    countHead(text.length)
    const head = readReplyHead(text)
    if (head.status >= 200) return begin(head)
    if (++interimHeads > maxInterimHeads) throw new Error('too many interim responses')
    interimBytes += text.length
  }

  const countHead = (bytes: number) => {
    if (interimBytes + bytes > maxHeadBytes) throw new Error('response header too large')
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
    sizePart = 'digits'
    lineContent = 0
    lineBytes = 0
  }

  /**
   * Lines end in CRLF alone here: others read a bare CR or LF otherwise, and would see another chunk
   * (RFC 9112 7.1, 11.1).
   * @returns whether the line ends with this byte
   */
  const endsLine = (byte: number): boolean => {
    const ends = byte === lineFeed
    if (afterReturn !== ends) throw new Error('malformed line end in a chunked body')
    afterReturn = byte === carriageReturn
    return ends
  }

  /** @returns where the chunk begins, or the end of the bytes */
  const takeSize = (bytes: Uint8Array, from: number): number => {
    let at = from
    while (at < bytes.length) {
      const byte = bytes[at++] ?? 0
      if (endsLine(byte)) {
        startChunk()
        return at
      }
      if (++lineBytes > maxLineBytes) throw new Error('chunk size line too long')
      if (!afterReturn) takeSizeByte(byte)
    }
    return at
  }

  const startChunk = () => {
    if (lineContent === 0) throw new Error('missing chunk size')
    left = size
    // Chunks of one byte, each with a line of extensions: no reply needs that.
    framingBytes = Math.max(0, framingBytes + lineBytes - usualFramingBytes - 2 * size)
    if (framingBytes > maxFramingBytes) throw new Error('more framing than content')
    if (size === 0) startLine('trailer')
    else state = 'chunk'
  }

  /** Blanks at the end of a size are padding of old servers, and allowed before `;` (RFC 9112 7.1.1). */
  const takeSizeByte = (byte: number) => {
    if (sizePart === 'extensions') return
    if (byte === semicolon) sizePart = 'extensions'
    else if ((byte === space || byte === tab) && lineContent > 0) sizePart = 'blanks'
    else if (sizePart === 'blanks') throw new Error('invalid chunk size')
    else {
      size = size * 16 + hexValue(byte)
      if (++lineContent > 12) throw new Error('chunk size too large')
    }
  }

  /** Skips fields after the last chunk; an empty line ends them. */
  const takeTrailer = (bytes: Uint8Array, from: number): number => {
    let at = from
    while (at < bytes.length) {
      const byte = bytes[at++] ?? 0
      if (++lineBytes > maxLineBytes) throw new Error('trailer too large')
      if (!endsLine(byte)) {
        if (!afterReturn) lineContent++
        continue
      }
      if (lineContent === 0) {
        end(bytes.length - at)
        return at
      }
      lineContent = 0
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
      if (endsLine(bytes[at++] ?? 0)) {
        startLine('size')
        return at
      }
      if (!afterReturn) throw new Error('chunk longer than its size')
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

/** @returns the line feed of a head's last line; -1 when the head is not whole */
function lastLineEnd(text: string, from: number): number {
  const usual = text.indexOf('\n\r\n', from)
  const bare = text.indexOf('\n\n', from)
  return bare >= 0 && (usual < 0 || bare < usual) ? bare : usual
}

/** A bare LF may end a line of a head (RFC 9112 2.2). */
const withUsualLineEnds = (head: string): string =>
  `${head}\n`.replaceAll(/\r?\n/g, '\r\n').slice(0, -2)

function hexValue(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const letter = byte | 32
  if (letter >= 97 && letter <= 102) return letter - 87
  throw new Error('invalid chunk size')
}
