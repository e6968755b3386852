/** Nesting that no request needs: a JSON Schema with all its branches stays far below. */
const deepest = 512
/** Values that no request needs: the longest list of tokens that a vendor takes is a third of it. */
const mostValues = 1_000_000
/** Whatever a shorter text holds is parsed in a few milliseconds. */
const harmlessChars = 32_768

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Whether a JSON text can be parsed without stopping everybody else: megabytes of brackets keep the
 * parser busy for seconds. Linear; most large bodies are long strings, which native search passes
 * over. A text that is no JSON may get either answer.
 */
export function isParseable(text: string): boolean {
  if (text.length <= harmlessChars) return true
  if (text.length <= mostValues && hasFewBrackets(text)) return true
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) {
      at = endOfString(text, at)
      if (at < 0) return true
    } else if (char === comma) {
      if (++values > mostValues) return false
    } else if (char === openBrace || char === openBracket) {
      if (++depth > deepest || ++values > mostValues) return false
    } else if (char === closeBrace || char === closeBracket) depth--
  }
  return true
}

/** Too few to be nested too deeply, wherever they stand. */
function hasFewBrackets(text: string): boolean {
  let count = 0
  for (const bracket of ['[', '{'])
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++count > deepest) return false
  return true
}

/** Where the string that begins here ends; -1 when it does not. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

/** An odd number of backslashes before a quote keeps the string open. */
function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
  return slashes % 2 === 1
}
