import { InvalidArgumentError, type Command } from 'commander'
import type { AccountId } from '../domain/ids'
import { parseUsd, showUsd, type NanoUsd } from '../domain/money'
import { leaf, read, refusing, withStorage, type CommonOptions } from './leaf'
import { operator } from './operator'
import { printJson, printLine } from './output'

interface AdjustOptions extends CommonOptions {
  readonly reason: string
  readonly reference?: string
}

/** Money that a person corrects; why is kept with it for good. */
export function accountAdjustCommand(account: Command): void {
  leaf(
    account,
    'adjust',
    'correct a balance, up or down, for a reason that is kept',
    'account adjust 1 -2.5 --reason "counted twice on 3 May"',
  )
    .argument('<account>', 'id of the account', read.id<AccountId>)
    .argument('<usd>', 'dollars to add, or to take when negative', readAmount)
    .requiredOption('--reason <text>', 'why, in your words', read.name)
    .option('--reference <text>', 'the same reference counts once', read.name)
    .action((id: AccountId, amount: NanoUsd, options: AdjustOptions) => {
      const reference = options.reference ?? `adjustment-${Bun.randomUUIDv7()}`
      const { reason: note } = options
      const by = operator()
      const { balance, repeated } = withStorage(options, ({ directory }) =>
        directory.deposit({ account: id, amount, kind: 'adjustment', reference, note, by }),
      )
      if (options.json)
        return printJson({
          account: id,
          usd: showUsd(amount),
          reason: note,
          reference,
          by,
          repeated,
          balance: { usd: showUsd(balance) },
        })
      if (repeated) printLine(`${reference} was counted before; nothing changed`)
      printLine(`balance of account ${id}: $${showUsd(balance)}`)
    })
}

function readAmount(text: string): NanoUsd {
  const amount = refusing(() => parseUsd(text))
  if (amount === 0) throw new InvalidArgumentError('An amount of nothing moves nothing.')
  return amount
}
