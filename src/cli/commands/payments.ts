import type { Command } from 'commander'
import type { AccountId } from '../../domain/ids'
import { showUsd } from '../../domain/money'
import type { Payment } from '../../payments/store'
import { branch, leaf, read, withStorage } from '../kit/leaf'
import { printShown, shownOf, withLimit, type ListForm, type LongListOptions } from '../kit/listing'

export function paymentsCommand(program: Command): void {
  const payments = branch(program, 'payments', 'List payments in local coins')

  withLimit(
    leaf(
      payments,
      'list',
      'list payments with the rate of each, newest first',
      'payments list --account 1',
    ),
  )
    .option('--account <id>', 'only of this account', read.id<AccountId>)
    .action(async (options: LongListOptions & { account?: AccountId }) => {
      const { account = null } = options
      const all = (
        await withStorage(options, (storage) =>
          storage.payments.list({ account, most: Number.MAX_SAFE_INTEGER }),
        )
      ).map(paymentView)
      return printShown(options, shownOf(all, options), form)
    })
}

const paymentView = ({ amount, created, ...payment }: Payment) => ({
  ...payment,
  usd: showUsd(amount),
  created: new Date(created).toISOString(),
})

const form: ListForm<ReturnType<typeof paymentView>> = {
  columns: ['id', 'created', 'account', 'coins', 'rate', 'usd', 'reference', 'by'],
  heading: ['CREATED', 'ACCOUNT', 'COINS', 'RATE', 'DOLLARS', 'REFERENCE', 'BY', 'ID'],
  cells: (each) => [
    each.created,
    String(each.account),
    String(each.coins),
    each.rate,
    `$${each.usd}`,
    each.reference,
    each.by,
    each.id,
  ],
}
