import { Option, type Command } from 'commander'
import { read } from './leaf'

export interface ReasonOptions {
  readonly reason?: string
  readonly note?: string
  /** @deprecated `--note` says the same. */
  readonly private?: true
}

/** Options for the reason of a movement of money: words for the customer, or for operators alone. */
export const withReason = (command: Command): Command =>
  command
    .option('--reason <text>', 'why; the customer reads it on the statement', read.name)
    .addOption(
      new Option('--note <text>', 'why, for operators alone: on no statement')
        .argParser(read.name)
        .conflicts('reason'),
    )
    .addOption(new Option('--private', 'a reason that is a note').hideHelp())

/** Reason kept with a movement, and whether the account's people read it. */
export const reasonOf = ({
  reason,
  note,
  private: isPrivate,
}: ReasonOptions): { readonly note: string | null; readonly told: boolean } => ({
  note: note ?? reason ?? null,
  told: reason !== undefined && isPrivate !== true,
})
