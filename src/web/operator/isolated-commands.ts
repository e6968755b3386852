/** A command, an option or a variable within Persian words, with the placeholders of its arguments. */
const command = /(?<![\w{-])(?:--)?[A-Za-z][!-~…]*(?: [!-~…]+)*(?<![.:,;()])/g

/**
 * Persian text whose commands read from left to right as one piece (isolates of Unicode, UAX #9): signs and arguments
 * would change their places otherwise.
 */
export const isolatedCommands = (text: string): string =>
  text.replaceAll(command, (found) => `\u2066${found}\u2069`)
