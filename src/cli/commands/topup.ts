import { InvalidArgumentError, type Command } from 'commander'
import { topUpCoins, topUpDollars } from '../../admin/top-up'
import type { AccountId } from '../../domain/ids'
import { latinDigits } from '../../domain/digits'
import { showUsd, type NanoUsd } from '../../domain/money'
import { leaf, read, withStorage, type CommonOptions } from '../kit/leaf'
import { operator } from '../kit/operator'
import { printJson, printLine } from '../kit/output'

interface TopupOptions extends CommonOptions {
  readonly coins?: number
  readonly reference?: string
  readonly note?: string
}

export function topupCommand(program: Command): void {
  leaf(
    program,
    'topup',
    'add dollars to an account, or local coins at the current rate',
    'topup 1 20 --reference invoice-17\n  chapar topup 1 --coins 500000 --reference bank-4711',
  )
    .argument('<account>', 'id of the account', read.id<AccountId>)
    .argument('[usd]', 'dollars to add', read.usd)
    .option('--coins <n>', 'local coins instead of dollars, 50,000 at least', readCoins)
    .option('--reference <text>', 'what it is for; the same reference counts once', read.name)
    .option('--note <text>', 'a note for people; with dollars only', read.name)
    .action(async (account: AccountId, usd: NanoUsd | undefined, options: TopupOptions) => {
      const { coins, note } = options
      const reference = options.reference ?? `topup-${Bun.randomUUIDv7()}`
      if ((usd === undefined) === (coins === undefined))
        throw new RangeError(
          usd === undefined
            ? 'say how much: dollars, or --coins'
            : 'dollars and --coins exclude each other: give one of them',
        )
      if (coins !== undefined && note !== undefined)
        throw new RangeError('a note goes with dollars; coins have a payment of their own')
      if (coins !== undefined) return payCoins({ account, coins, reference }, options)
      if (usd !== undefined) await payDollars({ account, usd, reference, note }, options)
    })
}

async function payDollars(
  {
    account,
    usd,
    reference,
    note,
  }: { account: AccountId; usd: NanoUsd; reference: string; note: string | undefined },
  options: TopupOptions,
): Promise<void> {
  const order = { account, amount: usd, reference, note: note ?? null, by: operator() }
  const { balance, repeated } = await withStorage(options, (storage) =>
    topUpDollars({ storage }, order),
  )
  if (options.json)
    return printJson({
      account,
      usd: showUsd(usd),
      reference,
      repeated,
      balance: { usd: showUsd(balance) },
    })
  if (repeated) printLine(`${reference} was counted before; nothing changed`)
  printLine(`balance of account ${account}: $${showUsd(balance)}`)
}

async function payCoins(
  paying: { account: AccountId; coins: number; reference: string },
  options: TopupOptions,
): Promise<void> {
  const { payment, balance, repeated } = await withStorage(options, (storage) =>
    topUpCoins({ storage }, { ...paying, by: operator() }),
  )
  const { id, account, coins, rate, amount, reference, created, by } = payment
  if (options.json)
    return printJson({
      account,
      payment: id,
      coins,
      rate,
      usd: showUsd(amount),
      reference,
      created: new Date(created).toISOString(),
      by,
      repeated,
      balance: { usd: showUsd(balance) },
    })
  if (repeated) printLine(`${reference} was counted before; nothing changed`)
  printLine(`${coins} coins at ${rate} per dollar: $${showUsd(amount)} (${id})`)
  printLine(`balance of account ${account}: $${showUsd(balance)}`)
}

/** Thousands may be set apart by commas, as the minimum is written. */
function readCoins(typed: string): number {
  const text = latinDigits(typed)
  const plain = /^\d{1,3}(?:,\d{3})+$/.test(text) ? text.replaceAll(',', '') : text
  const coins = Number(plain)
  if (!/^\d+$/.test(plain) || !Number.isSafeInteger(coins))
    throw new InvalidArgumentError('A whole number of coins is needed.')
  return coins
}
