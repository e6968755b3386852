import { InvalidArgumentError, type Command } from 'commander'
import { adjustBalance } from '../../admin/adjust-balance'
import { isRefusedBy } from '../../admin/admin-error'
import type { AccountId } from '../../domain/ids'
import { parseUsd, showUsd, type NanoUsd } from '../../domain/money'
import { leaf, read, refusing, withStorage, type CommonOptions } from '../kit/leaf'
import { operator } from '../kit/operator'
import { isInteractive, printJson, printLine } from '../kit/output'
import { reasonOf, withReason, type ReasonOptions } from '../kit/reason'

interface AdjustOptions extends CommonOptions, ReasonOptions {
  readonly reference?: string
  readonly yes?: true
}

/** Money that a person corrects; why is kept with it for good. */
export function accountAdjustCommand(account: Command): void {
  const adjusting = leaf(
    account,
    'adjust',
    'correct a balance, up or down, for a reason that is kept',
    'account adjust 1 -2.5 --reason "counted twice on 3 May"',
  )
    .argument('<account>', 'id of the account', read.id<AccountId>)
    .argument('<usd>', 'dollars to add, or to take when negative', readAmount)
    .option('--reference <text>', 'the same reference counts once', read.name)
    .option('--yes', 'confirm a balance below zero')
  withReason(adjusting).action(async (id: AccountId, amount: NanoUsd, options: AdjustOptions) => {
    const reference = options.reference ?? `adjustment-${Bun.randomUUIDv7()}`
    const { note, told } = reasonOf(options)
    if (note === null)
      return adjusting.error(
        "error: required option '--reason <text>' or '--note <text>' not specified",
      )
    const by = operator()
    const adjust = (belowZero: boolean) =>
      withStorage(options, ({ directory }) =>
        adjustBalance(directory, { account: id, amount, reference, note, told, by, belowZero }),
      )
    const { balance, repeated } = await confirmed(adjust, options)
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

/** Asks where a person can answer. @throws AdminError where nobody can, or the answer is no */
async function confirmed<T>(
  adjust: (belowZero: boolean) => Promise<T>,
  { yes, json }: AdjustOptions,
): Promise<T> {
  try {
    return await adjust(yes === true)
  } catch (thrown) {
    if (!isRefusedBy('balance_below_zero', thrown) || json || !isInteractive()) throw thrown
    const { confirm } = await import('@clack/prompts')
    const { account, after } = thrown.facts
    const message = `The balance of account ${account} would be $${showUsd(after)}. Go on?`
    if ((await confirm({ message, initialValue: false })) !== true) throw thrown
    return await adjust(true)
  }
}

function readAmount(text: string): NanoUsd {
  const amount = refusing(() => parseUsd(text))
  if (amount === 0) throw new InvalidArgumentError('An amount of nothing moves nothing.')
  return amount
}
