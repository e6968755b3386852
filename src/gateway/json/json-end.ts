import { quote, backslash, openBracket, closeBracket, openBrace, closeBrace } from './bytes'

/** Tells where a JSON object, arriving in pieces, is over. */
export interface JsonEnd {
  push(piece: string): void
  /** It began and is over. */
  over(): boolean
}

export function openJsonEnd(): JsonEnd {
  let depth = 0
  let begun = false
  let inString = false
  let escaped = false

  const take = (char: number) => {
    if (inString) {
      if (escaped) escaped = false
      else if (char === backslash) escaped = true
      else if (char === quote) inString = false
    } else if (char === quote) inString = true
    else if (char === openBrace || char === openBracket) {
      depth++
      begun = true
    } else if (char === closeBrace || char === closeBracket) depth--
  }

  return {
    push(piece) {
      for (let at = 0; at < piece.length; at++) take(piece.charCodeAt(at))
    },
    over: () => begun && depth <= 0,
  }
}
