/** Words between spaces; a JSON array where a word holds one. */
export function wordsOfCommand(text: string): readonly string[] | null {
  if (text === '') return null
  if (!text.startsWith('[')) return text.split(/\s+/)
  const wrong = new RangeError('CHAPAR_NOTICE_COMMAND must be words, or a JSON array of them')
  try {
    const words: unknown = JSON.parse(text)
    if (Array.isArray(words) && words.length > 0 && words.every((each) => typeof each === 'string'))
      return words
  } catch {
    // Told below.
  }
  throw wrong
}
