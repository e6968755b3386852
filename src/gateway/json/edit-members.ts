import { quote, comma, backslash, openBracket, closeBracket, openBrace, closeBrace } from './bytes'

/** Top-level members to set (replaced or added) and to leave out; all others pass untouched. */
interface MemberEdit {
  readonly set: Readonly<Record<string, unknown>>
  readonly drop: readonly string[]
}

/**
 * Edits the top-level members of a JSON object in its text. Members that are not named keep their
 * text to the letter: numbers keep their digits and 20 MB of base64 is not looked at twice. Where a
 * name stands more than once, all of its places are edited, since readers differ in which one counts;
 * some read it in large letters too, and such a place is left out.
 * @param text a JSON object that JSON.parse accepts
 * @returns the very text, but for blanks around it, where nothing is to be done
 */
export function editMembers(text: string, { set, drop }: MemberEdit): string {
  const names = Object.keys(set)
  /** Members to set that the text had already. */
  const done: string[] = []
  let out = '{'
  /** Where the run of members begins that pass as they are, and where it ends; none yet when equal. */
  let runStart = 0
  let runEnd = 0
  let changed = false

  let at = skipBlanks(text, text.indexOf('{') + 1)
  while (text.charCodeAt(at) !== closeBrace) {
    const start = at
    const smallEnd = endOfSmall(text, at + 1)
    const isSmall = text.charCodeAt(smallEnd) === quote
    const nameEnd = isSmall ? smallEnd + 1 : stringEnd(text, at)
    const valueStart = skipBlanks(text, skipBlanks(text, nameEnd) + 1)
    at = valueEnd(text, valueStart)
    const other = isSmall ? null : nameOf(text, start, nameEnd)
    const name = other ?? nameAt(text, start, nameEnd, names) ?? nameAt(text, start, nameEnd, drop)
    const value = name !== null && names.includes(name) ? set[name] : undefined
    const isFirst = name !== null && value !== undefined && !done.includes(name)
    if (isFirst) done.push(name)
    const stays = isFirst
      ? isWritten(value, text, valueStart, at)
      : name === null || (value === undefined && !goes(name, other, set, drop))
    if (stays) {
      if (runEnd <= runStart) runStart = start
      runEnd = at
    } else {
      changed = true
      if (runEnd > runStart) out = joined(out, text.slice(runStart, runEnd))
      runEnd = runStart
      if (isFirst) out = joined(out, member(name, jsonOf(value)))
    }
    at = skipBlanks(text, at)
    if (text.charCodeAt(at) === comma) at = skipBlanks(text, at + 1)
    else if (text.charCodeAt(at) !== closeBrace) throw new Error('not the text of a JSON object')
  }
  if (runEnd > runStart) out = joined(out, text.slice(runStart, runEnd))
  for (const name of names)
    if (set[name] !== undefined && !done.includes(name)) {
      changed = true
      out = joined(out, member(name, jsonOf(set[name])))
    }
  return changed ? `${out}}` : text.trim()
}

const joined = (members: string, next: string): string =>
  members.length > 1 ? `${members},${next}` : members + next

/** End of a run of small letters, digits and `_`: nearly every name is one. */
function endOfSmall(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if ((code < smallA || code > smallZ) && code !== underscore && !(code >= zero && code <= nine))
      return at
    at++
  }
}

/** The one of some names that stands between two quotes; null for none. To cut each out would cost more than to compare. */
function nameAt(text: string, start: number, end: number, names: readonly string[]): string | null {
  const length = end - start - 2
  for (const name of names)
    if (name.length === length && text.startsWith(name, start + 1)) return name
  return null
}

/** Whether a member that is not set is left out. @param other its name, where it is not in small letters */
function goes(
  name: string,
  other: string | null,
  set: MemberEdit['set'],
  drop: readonly string[],
): boolean {
  if (drop.includes(name)) return true
  if (other === null) return false
  // Up before down: a long s and the sign of kelvin are letters of their own in small.
  const usual = other.toUpperCase().toLowerCase()
  return usual !== other && (Object.hasOwn(set, usual) || drop.includes(usual))
}

const member = (name: string, json: string): string => `${quoted(name)}:${json}`

/** Whether a value stands there as it would be written. Objects are never: a look would write them twice. */
function isWritten(value: unknown, text: string, from: number, to: number): boolean {
  if (typeof value === 'object') return false
  if (typeof value !== 'string' || !plain.test(value)) return text.slice(from, to) === jsonOf(value)
  const isAsLong = to - from === value.length + 2
  return isAsLong && text.charCodeAt(from) === quote && text.startsWith(value, from + 1)
}

/** Ids, names of models, numbers: most of what is set, and JSON.stringify takes longer for them. */
const jsonOf = (value: unknown): string =>
  typeof value === 'string'
    ? quoted(value)
    : Number.isSafeInteger(value)
      ? String(value)
      : JSON.stringify(value)

const quoted = (text: string): string => (plain.test(text) ? `"${text}"` : JSON.stringify(text))

/** Nothing in it is escaped in JSON. */
const plain = /^[\w./:-]*$/

const zero = 48
const nine = 57
const underscore = 95
const smallA = 97
const smallZ = 122

/** The name between two quotes; escapes in it are rare, but they count. */
function nameOf(text: string, start: number, end: number): string {
  const raw = text.slice(start + 1, end - 1)
  return raw.includes('\\') ? String(JSON.parse(text.slice(start, end))) : raw
}

function skipBlanks(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at
    at++
  }
}

/** End of a JSON string. @returns the place behind the closing quote */
export function stringEnd(text: string, open: number): number {
  let at = open
  for (;;) {
    at = text.indexOf('"', at + 1)
    if (at < 0) throw new Error('not the text of a JSON object')
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return at + 1
  }
}

/** @returns the place behind a value that begins at `from` */
function valueEnd(text: string, from: number): number {
  const first = text.charCodeAt(from)
  if (first === quote) return stringEnd(text, from)
  let at = from
  if (first !== openBrace && first !== openBracket) {
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === comma || code === closeBrace || code === closeBracket || code <= 32) break
    }
    return at
  }
  let depth = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = stringEnd(text, at)
      continue
    }
    if (code === openBrace || code === openBracket) depth++
    else if (code === closeBrace || code === closeBracket) depth--
    at++
    if (depth === 0) return at
  }
  throw new Error('not the text of a JSON object')
}
