/**
 * Words and codes by which vendors say that a prompt does not fit into the context of their model:
 * `context_length_exceeded` of OpenAI and those after it, "prompt is too long" of Anthropic, "exceeds the
 * maximum number of tokens" of Google. No vendor promises its words, so a new one is added as it is seen.
 */
const words =
  /maximum context length|context[_ ]length[_ ]exceeded|context window|(?:input|prompt)[^.]{0,40} (?:exceeds|too long|too large)|exceeds the maximum number of tokens/i

/** Whether a vendor's words or codes say that a prompt is too long. */
export const saysTooLong = (text: string): boolean => words.test(text)
