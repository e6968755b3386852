import type { ReplyHeaders } from './reply'

/** How the end of a body is known. */
export type Framing =
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

const statusLine = /^HTTP\/1\.([01]) (\d{3})(?: |\r|$)/
const none: Framing = { kind: 'none' }
const chunked: Framing = { kind: 'chunked' }
const untilClose: Framing = { kind: 'close' }

/**
 * @param text up to the empty line, without it
 * @throws Error when it is no HTTP/1 or its length cannot be known for sure
 */
export function readReplyHead(text: string): ReplyHead {
  const line = statusLine.exec(text)
  if (line === null) throw new Error('a reply that is no HTTP/1')
  if (text.includes('\r\n ') || text.includes('\r\n\t')) throw new Error('a folded header')
  const headers = new HeaderText(text)
  const status = Number(line[2])
  const connection = headers.get('connection')?.toLowerCase() ?? ''
  const framing = framingOf(status, headers)
  const keepsAlive = line[1] === '1' && !connection.includes('close') && framing.kind !== 'close'
  return { status, headers, framing, keepsAlive }
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
      const one = text.slice(from, end < 0 ? undefined : end).trim()
      value = value === null ? one : `${value}, ${one}`
      at = end < 0 ? -1 : lower.indexOf(beginning, end)
    }
    return value
  }
}

/** What a field begins with, by its name: those that we read, which are few. */
const beginnings = new Map<string, string>()

function beginningOf(name: string): string {
  let beginning = beginnings.get(name)
  if (beginning === undefined) beginnings.set(name, (beginning = `\r\n${name}:`))
  return beginning
}

function framingOf(status: number, headers: ReplyHeaders): Framing {
  if (status < 200 || status === 204 || status === 304) return none
  const coding = headers.get('transfer-encoding')
  if (coding !== null) {
    if (coding.toLowerCase() !== 'chunked') throw new Error('unknown transfer coding')
    return chunked
  }
  const told = headers.get('content-length')
  if (told === null) return untilClose
  return { kind: 'length', bytes: lengthIn(told) }
}

const oneLength = /^\d{1,15}$/

/** Told more than once it must be the same. */
function lengthIn(told: string): number {
  if (oneLength.test(told)) return Number(told)
  const [length = '', ...others] = told.split(',').map((each) => each.trim())
  if (!oneLength.test(length) || others.some((other) => other !== length))
    throw new Error('invalid content-length')
  return Number(length)
}
