import type { Command } from 'commander'
import type { AccountId } from '../domain/ids'
import { showUsd, type NanoUsd } from '../domain/money'
import { leaf, read, withStorage, type CommonOptions } from './leaf'
import { printJson, printLine } from './output'

export function topupCommand(program: Command): void {
  leaf(program, 'topup', 'put dollars on an account', 'topup 1 20 --reference invoice-17')
    .argument('<account>', 'id of the account', read.id<AccountId>)
    .argument('<usd>', 'dollars', read.usd)
    .option('--reference <text>', 'what it is for; the same reference counts once')
    .action(
      (account: AccountId, amount: NanoUsd, options: CommonOptions & { reference?: string }) => {
        const reference = options.reference ?? `topup-${Bun.randomUUIDv7()}`
        const { balance, repeated } = withStorage(options, ({ directory }) =>
          directory.deposit({ account, amount, kind: 'topup', reference }),
        )
        if (options.json)
          return printJson({
            account,
            usd: showUsd(amount),
            reference,
            repeated,
            balance: { usd: showUsd(balance) },
          })
        if (repeated) printLine(`${reference} was counted before; nothing changed`)
        printLine(`balance of account ${account}: $${showUsd(balance)}`)
      },
    )
}
