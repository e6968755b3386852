import type { AdminError } from '../admin/admin-error'

/** What the program knows of its own commands, handed to what serves. */
export interface CommandLine {
  /** Every command in Markdown, for the guide. */
  describe(): string
  /** A refused change as a sentence. */
  words(error: AdminError): string
}

/** Of a process that has no commands. */
export const noCommandLine: CommandLine = { describe: () => '', words: ({ code }) => code }
