import type { StaffAllowance } from '../operators/allowance'
import type { RemoteRequester } from '../operators/requester'

/** A command that somebody elsewhere wants to be run here. */
export interface CommandOrder {
  readonly args: readonly string[]
  readonly stdin: string
  /** Contents of files that its words name, by these words: base64. */
  readonly files: Readonly<Record<string, string>>
  readonly requester: RemoteRequester
  /** What its changes may give away; null for no bound. */
  readonly allowance: StaffAllowance | null
  /** Of the data that are served. */
  readonly folder: string
}

/** Output of a command, and its exit code. */
export type CommandEvent =
  { readonly stdout: string } | { readonly stderr: string } | { readonly exit: number }

/** The program's own commands, handed to what serves. */
export interface CommandLine {
  /** Every command in Markdown, for the guide. */
  describe(): string
  /**
   * Runs a command in a process of its own, bounded in time, output and number: reads of the past may
   * last, and must hold nobody's stream.
   * @param signal ends it
   * @throws AdminError commands_busy
   */
  run(order: CommandOrder, signal: AbortSignal): AsyncIterable<CommandEvent>
}

/** Command line of a process that has no commands. */
export const noCommandLine: CommandLine = {
  describe: () => '',
  async *run() {
    yield { exit: 1 }
  },
}
