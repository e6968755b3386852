/** How vendors say that a prompt does not fit into the context of their model. */
const words =
  /maximum context length|context[_ ]length[_ ]exceeded|context window|(?:input|prompt)[^.]{0,40} (?:exceeds|too long|too large)|exceeds the maximum number of tokens/i

export const saysTooLong = (text: string): boolean => words.test(text)
