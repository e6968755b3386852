import type { Command } from 'commander'
import { closeAccount } from '../../admin/close-account'
import type { AccountId } from '../../domain/ids'
import { zeroUsd } from '../../domain/money'
import { counted } from '../kit/counted'
import { leaf, read, withStorage, type CommonOptions } from '../kit/leaf'
import { printJson, printLine } from '../kit/output'

/** Ends an account for good; its money and calls stay in the ledger. */
export function accountCloseCommand(account: Command): void {
  leaf(
    account,
    'close',
    'close an account for good: keys are revoked, its people signed out and forgotten',
    'account close 1 --give-up "Sara"',
  )
    .argument('<account>', 'id of the account', read.id<AccountId>)
    .option('--give-up <name>', 'name of the account: what is left of its balance is given up')
    .action(async (id: AccountId, options: CommonOptions & { giveUp?: string }) => {
      const giveUp = options.giveUp ?? null
      const closed = await withStorage(options, ({ closings }) =>
        closeAccount(closings, { account: id, giveUp, held: zeroUsd }),
      )
      if (options.json) return printJson({ object: 'account', id, closed: true, ...closed })
      const { keys, sessions, people } = closed
      printLine(
        `account ${id} is closed: ${counted(keys, 'key')} revoked, ${counted(sessions, 'session')} ended`,
      )
      if (people > 0) printLine(`${people} people belong to no other account: they are forgotten`)
    })
}
