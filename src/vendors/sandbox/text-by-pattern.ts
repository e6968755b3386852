/**
 * A text that a regular expression accepts, for the common part of the language: letters, classes,
 * groups, alternatives and counts. The expression is read, never run: a client could send one that
 * takes forever.
 * @returns null when it holds something else, such as look-ahead, or is longer than anybody writes
 */
export function textByPattern(pattern: string): string | null {
  if (pattern.length > maxPatternChars) return null
  const reader: Reader = { pattern, at: 0, left: maxChars }
  try {
    const text = alternatives(reader, 0)
    return reader.at === pattern.length ? text : null
  } catch {
    return null
  }
}

interface Reader {
  readonly pattern: string
  at: number
  /** Characters that may still be made. */
  left: number
}

const maxPatternChars = 2000
const maxChars = 10_000
const maxDepth = 50

class NotRead extends Error {}

/** The first alternative; the others are read over. */
function alternatives(reader: Reader, depth: number): string {
  if (depth > maxDepth) throw new NotRead()
  const first = sequence(reader, depth)
  while (reader.pattern[reader.at] === '|') {
    reader.at++
    sequence(reader, depth)
  }
  return first
}

function sequence(reader: Reader, depth: number): string {
  let text = ''
  while (reader.at < reader.pattern.length) {
    const next = reader.pattern[reader.at]
    if (next === '|' || next === ')') break
    const one = atom(reader, depth)
    const times = timesOf(reader)
    reader.left -= one.length * times
    if (reader.left < 0) throw new NotRead()
    text += one.repeat(times)
  }
  return text
}

function atom(reader: Reader, depth: number): string {
  const next = reader.pattern[reader.at++]
  switch (next) {
    case '^':
    case '$':
      return ''
    case '.':
      return 'a'
    case '\\':
      return escaped(reader)
    case '[':
      return fromClass(reader)
    case '(':
      return group(reader, depth)
    case undefined:
    case '*':
    case '+':
    case '?':
    case '{':
      throw new NotRead()
    default:
      return next
  }
}

function group(reader: Reader, depth: number): string {
  const opening = /^\?(?::|<[A-Za-z]\w*>)/.exec(reader.pattern.slice(reader.at, reader.at + 64))
  if (opening !== null) reader.at += opening[0].length
  else if (reader.pattern[reader.at] === '?') throw new NotRead()
  const text = alternatives(reader, depth + 1)
  if (reader.pattern[reader.at++] !== ')') throw new NotRead()
  return text
}

const shorthands: Readonly<Record<string, string>> = {
  d: '1',
  w: 'a',
  s: ' ',
  D: 'a',
  W: '-',
  S: 'a',
  n: '\n',
  t: '\t',
  r: '\r',
  b: '',
}

function escaped(reader: Reader): string {
  const name = reader.pattern[reader.at++]
  if (name === undefined || /[1-9BcpPukxv0f]/.test(name)) throw new NotRead()
  return shorthands[name] ?? name
}

/** A member of a class such as `[A-Z0-9_]`; of a negated one, something that is not in it. */
function fromClass(reader: Reader): string {
  const negated = reader.pattern[reader.at] === '^'
  if (negated) reader.at++
  const ranges: [string, string][] = []
  for (;;) {
    // What is in none of these would have to be looked for.
    if (negated && /^\\[DWS]/.test(reader.pattern.slice(reader.at, reader.at + 2)))
      throw new NotRead()
    const low = member(reader)
    if (low === null) break
    const ranged = reader.pattern[reader.at] === '-' && reader.pattern[reader.at + 1] !== ']'
    if (ranged) reader.at++
    ranges.push([low, ranged ? (member(reader) ?? low) : low])
  }
  const [first] = ranges
  if (first === undefined) throw new NotRead()
  if (!negated) return first[0]
  const free = ['a', 'Z', '1', ' ', '-', '_', '.'].find(
    (each) => !ranges.some(([low, high]) => isIn(each, low, high)),
  )
  if (free === undefined) throw new NotRead()
  return free
}

function member(reader: Reader): string | null {
  const next = reader.pattern[reader.at++]
  if (next === undefined) throw new NotRead()
  if (next === ']') return null
  return next === '\\' ? escaped(reader) : next
}

/** A shorthand stands for all its like. */
const isIn = (each: string, low: string, high: string): boolean =>
  (each >= low && each <= high) ||
  (low === high && ((/\w/.test(low) && /\w/.test(each)) || (low === ' ' && each === ' ')))

/** The least count that is allowed, but once where once may be. */
function timesOf(reader: Reader): number {
  const rest = reader.pattern.slice(reader.at, reader.at + 24)
  const found = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/.exec(rest)
  if (found === null) return 1
  reader.at += found[0].length
  const [, least, most] = found
  if (least === undefined) return 1
  if (Number(least) === 0) return most === '' || Number(most ?? least) > 0 ? 1 : 0
  return Number(least)
}
