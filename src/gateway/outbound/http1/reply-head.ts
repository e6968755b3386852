import type { ReplyHeaders } from './reply'

/** How the end of a body is known. */
type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'close' }

/** Status line and header fields of one reply (RFC 9112). */
export interface ReplyHead {
  readonly status: number
  readonly headers: ReplyHeaders
  readonly framing: Framing
  /** Another request may follow on the connection once the body is over. */
  readonly keepsAlive: boolean
}

const statusLine = /^HTTP\/1\.[01] [1-9]\d\d(?: |\r|$)/

const none: Framing = { kind: 'none' }
const chunked: Framing = { kind: 'chunked' }
const untilClose: Framing = { kind: 'close' }

/**
 * Reads the head of a response.
 * @param text well-formed, up to its last line, without the end of that
 * @throws Error when its length cannot be known for sure
 */
export function readReplyHead(text: string): ReplyHead {
  const headers = new HeaderText(text)
  const status = Number(text.slice(9, 12))
  // Nobody asked for another protocol, and what follows would be one (RFC 9110 15.2.2).
  if (status === 101) throw new Error('unrequested protocol upgrade')
  const connection = headers.get('connection')?.toLowerCase() ?? ''
  const coding = headers.get('transfer-encoding')
  const framing = framingOf(status, headers, coding)
  const keepsAlive =
    text[7] === '1' &&
    !connection.includes('close') &&
    framing.kind !== 'close' &&
    // A coding of nothing beside a length: read, and not trusted any further.
    (coding === null || framing.kind === 'chunked')
  return { status, headers, framing, keepsAlive }
}

const tab = 9
const lineFeed = 10
const carriageReturn = 13
const space = 32
const colon = 58
/** Of a name (`tchar`, RFC 9110 5.6.2). */
const inName = 1
/** Of a value or a reason (RFC 9110 5.5, RFC 9112 4). */
const inValue = 2
const characterKinds = Uint8Array.from({ length: 256 }, (_, code) => {
  const letter = String.fromCharCode(code)
  return (
    (/[!#$%&'*+.^_`|~\w-]/.test(letter) ? inName : 0) +
    (/[\t\x20-\x7e\x80-\xff]/.test(letter) ? inValue : 0)
  )
})

/**
 * Whether a head is what RFC 9112 4 and 5 say, lines ended by CRLF: no blanks in or behind a name, no
 * folded value, no control characters. Who takes these sees another framing than who does not. A loop:
 * a pattern takes longer.
 */
export function isWellFormedHead(text: string): boolean {
  if (!statusLine.test(text)) return false
  let at = endOfKind(text, inValue, 'HTTP/1.1 200'.length)
  while (at < text.length) {
    if (text.charCodeAt(at) !== carriageReturn || text.charCodeAt(at + 1) !== lineFeed) return false
    const name = at + 2
    at = endOfKind(text, inName, name)
    if (at === name || text.charCodeAt(at) !== colon) return false
    at = endOfKind(text, inValue, at + 1)
  }
  return true
}

function endOfKind(text: string, kind: number, from: number): number {
  let at = from
  while (at < text.length && ((characterKinds[text.charCodeAt(at)] ?? 0) & kind) !== 0) at++
  return at
}

/** Reads fields when asked: of a dozen, two or three are. */
class HeaderText implements ReplyHeaders {
  readonly #text: string
  readonly #lower: string

  constructor(text: string) {
    this.#text = text
    this.#lower = text.toLowerCase()
  }

  get(name: string): string | null {
    const text = this.#text
    const lower = this.#lower
    const beginning = beginningOf(name)
    let at = lower.indexOf(beginning)
    if (at < 0) return null
    let value: string | null = null
    while (at >= 0) {
      const from = at + beginning.length
      const end = text.indexOf('\r\n', from)
      const one = withoutBlanks(text.slice(from, end < 0 ? undefined : end))
      value = value === null ? one : `${value}, ${one}`
      at = end < 0 ? -1 : lower.indexOf(beginning, end)
    }
    return value
  }
}

/** Line starts of header fields, by name: few fields are read. */
const beginnings = new Map<string, string>()

function beginningOf(name: string): string {
  let beginning = beginnings.get(name)
  if (beginning === undefined) beginnings.set(name, (beginning = `\r\n${name}:`))
  return beginning
}

const isBlank = (code: number): boolean => code === space || code === tab

/** Without the blanks around it (RFC 9110 5.5): `trim` takes more than these for blanks. */
function withoutBlanks(text: string): string {
  let from = 0
  let to = text.length
  while (isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return text.slice(from, to)
}

function framingOf(status: number, headers: ReplyHeaders, coding: string | null): Framing {
  if (status < 200 || status === 204 || status === 304) return none
  const length = headers.get('content-length')
  if (coding !== null && isChunked(coding)) {
    // Whoever sent both may mean another end than we see (RFC 9112 6.3, 11.2).
    if (length !== null) throw new Error('both transfer-encoding and content-length')
    return chunked
  }
  if (length === null) return untilClose
  return { kind: 'length', bytes: lengthIn(length) }
}

/**
 * `identity` is what RFC 2616 3.6 called no coding; empty elements of a list mean nothing (RFC 9110 5.6.1).
 * @throws Error for a coding that cannot be undone, or after which no end is known
 */
function isChunked(coding: string): boolean {
  if (coding === 'chunked') return true
  const listed = coding.toLowerCase().split(',').map(withoutBlanks)
  const codings = listed.filter((each) => each !== '' && each !== 'identity')
  if (codings.length === 0) return false
  if (codings.length === 1 && listed.at(-1) === 'chunked') return true
  throw new Error('unsupported transfer coding')
}

const oneLength = /^\d{1,15}$/

/** Told more than once it must be the same (RFC 9112 6.3). */
function lengthIn(value: string): number {
  if (oneLength.test(value)) return Number(value)
  const [length = '', ...others] = value.split(',').map(withoutBlanks)
  if (!oneLength.test(length) || others.some((other) => other !== length))
    throw new Error('invalid content-length')
  return Number(length)
}

/** @returns the line feed of a head's last line; -1 when the head is not whole */
export function lastLineEnd(text: string, from: number): number {
  const usual = text.indexOf('\n\r\n', from)
  const bare = text.indexOf('\n\n', from)
  return bare >= 0 && (usual < 0 || bare < usual) ? bare : usual
}

/** A bare LF may end a line of a head (RFC 9112 2.2). */
export const withUsualLineEnds = (head: string): string =>
  `${head}\n`.replaceAll(/\r?\n/g, '\r\n').slice(0, -2)
