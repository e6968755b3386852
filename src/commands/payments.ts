import { Option, type Command } from 'commander'
import type { AccountId } from '../domain/ids'
import { showUsd } from '../domain/money'
import { branch, leaf, read, withStorage, type CommonOptions } from './leaf'
import { printJson, printTable } from './output'

interface ListOptions extends CommonOptions {
  readonly account?: AccountId
  readonly limit: number
}

export function paymentsCommand(program: Command): void {
  const payments = branch(program, 'payments', 'local coins that came in')

  leaf(
    payments,
    'list',
    'payments with the rate each was counted at, newest first',
    'payments list --account 1',
  )
    .option('--account <id>', 'of this account alone', read.id<AccountId>)
    .addOption(new Option('--limit <n>', 'newest only').argParser(read.count).default(100))
    .action((options: ListOptions) => {
      const { account = null, limit } = options
      const found = withStorage(options, (storage) =>
        storage.payments.list({ account, most: limit }),
      ).map(({ amount, created, ...payment }) => ({
        ...payment,
        usd: showUsd(amount),
        created: new Date(created).toISOString(),
      }))
      if (options.json) return printJson({ object: 'list', data: found })
      printTable([
        ['CREATED', 'ACCOUNT', 'COINS', 'RATE', 'DOLLARS', 'REFERENCE', 'BY', 'ID'],
        ...found.map((each) => [
          each.created,
          String(each.account),
          String(each.coins),
          each.rate,
          `$${each.usd}`,
          each.reference,
          each.by,
          each.id,
        ]),
      ])
    })
}
