import {
  bufferMemory,
  freeBytes,
  type MemoryBudget,
  type MemoryLease,
} from '../../domain/memory-budget'

interface FrameLimits {
  readonly maxEventBytes: number
  /** Part of them that is no base64. */
  readonly maxTextBytes: number
  readonly memory: MemoryBudget
}

/** Events that carry a picture, a document or an echo of the request have some megabytes. */
const usualLimits: FrameLimits = {
  maxEventBytes: 67_108_864,
  maxTextBytes: 8_388_608,
  memory: bufferMemory,
}
/** Comments and events of nothing between two events: hours of keep-alives. */
const maxIdleChars = 1_048_576
/** Part of a picture or a sound. Some write slashes with an escape. */
const base64 = /^[\w+/=-]*$/
const escapedBase64 = /^(?:[\w+/=-]|\\\/)*\\?$/
/** Some vendors print their JSON in many lines, each of them a `data` field. */
const maxEventLines = 100_000
/** An event without an end after so many characters is collected in parts and no more searched anew. */
const largeChars = 16_384

const none: readonly string[] = []

/**
 * Cuts an event stream (WHATWG HTML, 9.2.5 and 9.2.6), arriving in any pieces, into the data of its events.
 * A class, as every stream has one.
 */
export class Frames {
  readonly #limits: FrameLimits
  /** One for the whole stream: a letter may be cut in two. */
  readonly #decoder = new TextDecoder()
  #pending = ''
  #searched = 0
  #large: LargeEvent | null = null
  /** Of a large event that is complete, and may wait for a slow reader. */
  #passing: MemoryLease | null = null
  /** Since the last event that said something. */
  #idleChars = 0
  /** The last piece ended with a carriage return; a line feed may follow. */
  #afterReturn = false

  constructor(limits = usualLimits) {
    this.#limits = limits
  }

  /**
   * The data of every event that this piece completes.
   * @throws Error when an event is larger than any may be | MemoryBudgetExceeded
   */
  push(chunk: Uint8Array): readonly string[] {
    const text = this.#decoder.decode(chunk, { stream: true })
    const unix = this.#afterReturn || text.includes('\r') ? this.#unixLines(text) : text
    return this.#take(unix, chunk.byteLength)
  }

  /** Events left at the end of the stream without a blank line behind them. @throws as `push` */
  end(): readonly string[] {
    const rest = `${this.#unixLines(this.#decoder.decode())}${this.#afterReturn ? '\n' : ''}\n\n`
    this.#afterReturn = false
    const events = this.#take(rest, 0)
    this.release()
    return events
  }

  /** The events so far were passed on: the memory of a large one is given back. */
  passed(): void {
    if (this.#passing === null) return
    this.#passing.release()
    this.#passing = null
  }

  /** Nothing more is wanted: everything is dropped and given back. */
  release(): void {
    this.passed()
    this.#large?.release()
    this.#large = null
    this.#pending = ''
    this.#searched = 0
  }

  #unixLines(text: string): string {
    const whole = this.#afterReturn ? `\r${text}` : text
    this.#afterReturn = whole.endsWith('\r')
    return (this.#afterReturn ? whole.slice(0, -1) : whole).replace(/\r\n?/g, '\n')
  }

  /** @param bytes that the text had */
  #take(text: string, bytes: number): readonly string[] {
    if (this.#large === null) {
      const whole = this.#pending === '' ? text : this.#pending + text
      return this.#cut(whole, whole.indexOf('\n\n', this.#searched))
    }
    const boundary = this.#large.boundaryIn(text)
    this.#large.add(text, bytes)
    if (boundary < 0) return none
    const whole = this.#large.text()
    this.passed()
    this.#passing = this.#large.lease()
    this.#large = null
    return this.#cut(whole, boundary)
  }

  /** Events up to the last boundary; what follows it waits. @param first where the first one is, -1 for none */
  #cut(text: string, first: number): readonly string[] {
    const events: string[] = []
    let from = 0
    for (let boundary = first; boundary >= 0; boundary = text.indexOf('\n\n', from)) {
      const data = dataOf(text, from, boundary)
      if (data !== null) events.push(data)
      this.#idleChars = data === null || data === '' ? this.#idleChars + boundary + 2 - from : 0
      if (this.#idleChars > maxIdleChars) throw new Error('too many bytes without an event')
      from = boundary + 2
    }
    this.#keep(from === 0 ? text : text.slice(from))
    return events
  }

  #keep(rest: string): void {
    this.#pending = rest
    if (rest.length > largeChars) {
      this.#large = new LargeEvent(this.#limits)
      this.#large.add(rest, rest.length)
      this.#pending = ''
    }
    // A boundary may begin with the last letter.
    this.#searched = Math.max(0, this.#pending.length - 1)
  }
}

/** An event larger than usual: its parts are joined once, when its end is there. */
class LargeEvent {
  readonly #limits: FrameLimits
  #parts: string[] = []
  /** Short pieces become one part: a string a byte would take thirty times its memory. */
  #short = ''
  #chars = 0
  #bytes = 0
  #textBytes = 0
  #endsLine = false
  #lease: MemoryLease | null = null

  constructor(limits: FrameLimits) {
    this.#limits = limits
  }

  /** Where the event ends with this piece, counted from its beginning; -1 when it goes on. */
  boundaryIn(piece: string): number {
    if (this.#endsLine && piece.startsWith('\n')) return this.#chars - 1
    const at = piece.indexOf('\n\n')
    return at < 0 ? -1 : this.#chars + at
  }

  /** @throws Error when it outgrows all bounds | MemoryBudgetExceeded */
  add(piece: string, bytes: number): void {
    if (piece === '') return
    this.#count(bytes, base64.test(piece) || escapedBase64.test(piece))
    this.#chars += piece.length
    this.#endsLine = piece.endsWith('\n')
    this.#short += piece
    if (this.#short.length >= largeChars) this.#endPart()
  }

  text(): string {
    this.#endPart()
    return this.#parts.join('')
  }

  /** Goes to whoever takes the text; null where it is too small for one. */
  lease(): MemoryLease | null {
    return this.#lease
  }

  release(): void {
    this.#parts = []
    this.#short = ''
    this.#lease?.release()
  }

  /** Counts buffered bytes and drops them above the limit: whoever hears of it may keep the stream. */
  #count(bytes: number, isBase64: boolean): void {
    const { maxEventBytes, maxTextBytes, memory } = this.#limits
    this.#bytes += bytes
    if (!isBase64) this.#textBytes += bytes
    try {
      if (this.#bytes > maxEventBytes || this.#textBytes > maxTextBytes)
        throw new Error('event larger than the limit')
      if (this.#bytes > freeBytes) (this.#lease ??= memory.lease()).grow(this.#bytes)
    } catch (thrown) {
      this.release()
      throw thrown
    }
  }

  /** Searching makes one string of the pieces that were added to each other. */
  #endPart(): void {
    this.#short.indexOf('\n\n')
    this.#parts.push(this.#short)
    this.#short = ''
  }
}

/** The data of one event; null when it is a comment or has none. */
function dataOf(text: string, from: number, end: number): string | null {
  if (text.startsWith('data:', from)) {
    const line = text.indexOf('\n', from)
    if (line < 0 || line >= end) return text.slice(valueAt(text, from), end)
  }
  let data: string | null = null
  let at = from
  for (let lines = 0; at < end; lines++) {
    if (lines === maxEventLines) throw new Error('event of too many lines')
    const next = text.indexOf('\n', at)
    const stop = next < 0 || next > end ? end : next
    if (text.startsWith('data:', at)) {
      const value = text.slice(Math.min(valueAt(text, at), stop), stop)
      data = data === null ? value : `${data}\n${value}`
    } else if (data === null && text.startsWith('error:', at))
      data = errorOf(text.slice(at + 6, stop))
    at = stop + 1
  }
  return data
}

/**
 * The data of a field that the standard does not know: llama.cpp says in it why its answer ends
 * (`error: {"code":500,…}`, tools/server, 2025).
 */
function errorOf(value: string): string {
  const said = value.trim()
  return said.startsWith('{') ? `{"error":${said}}` : JSON.stringify({ error: said })
}

/** Behind the name of the field and one space. */
const valueAt = (text: string, field: number): number =>
  text.charCodeAt(field + 5) === 32 ? field + 6 : field + 5
