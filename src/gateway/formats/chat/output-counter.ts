/** Progress of an answer, told cheaply enough to be asked at every piece. */
export interface Progress {
  /** Letters that were given out. */
  chars(): number
  /** Marks a state to rewind to. */
  mark(): void
  /** Rewinds to the mark: the text since then is not given out after all. */
  rewind(): void
}

/**
 * Progress of a text, and of a state beside it.
 * @param now the present state @param back restores the state of the mark
 */
export function progressWith<State>(
  text: Progress,
  now: () => State,
  back: (state: State) => void,
): Progress {
  let marked = now()
  return {
    chars: text.chars,
    mark() {
      text.mark()
      marked = now()
    },
    rewind() {
      text.rewind()
      back(marked)
    },
  }
}

/** Count of text given out, without keeping it. */
export interface SentText extends Progress {
  add(text: string): void
  any(): boolean
  tokens(): number
}

/** Counting in lumps costs less than counting each piece, and cuts fewer words in two. */
const lumpChars = 256

/** Longer ones, of which a vendor sends none that tells what it counted, are counted in parts. */
const maxCountedChars = 1_048_576
const countedParts = 16

/** Tokens of a long text, as if all of it were like parts that stand evenly in it. */
function scaled(text: string, countTokens: (text: string) => number): number {
  const chars = maxCountedChars / 2 / countedParts
  let tokens = 0
  for (let part = 0; part < countedParts; part++) {
    const from = Math.floor(((text.length - chars) * part) / (countedParts - 1))
    tokens += countTokens(text.slice(from, from + chars))
  }
  return Math.ceil((tokens * text.length) / (chars * countedParts))
}

export function openSentText(countTokens: (text: string) => number): SentText {
  let counted = 0
  let pending = ''
  let chars = 0
  let markedCount = 0
  let markedText = ''
  let markedChars = 0
  return {
    add(text) {
      if (text === '') return
      chars += text.length
      pending += text
      if (pending.length < lumpChars) return
      counted +=
        pending.length > maxCountedChars ? scaled(pending, countTokens) : countTokens(pending)
      pending = ''
    },
    any: () => chars > 0,
    tokens: () => counted + (pending === '' ? 0 : countTokens(pending)),
    chars: () => chars,
    mark() {
      markedCount = counted
      markedText = pending
      markedChars = chars
    },
    rewind() {
      counted = markedCount
      pending = markedText
      chars = markedChars
    },
  }
}
