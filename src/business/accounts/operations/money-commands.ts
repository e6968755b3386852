import type { Static } from '@sinclair/typebox'
import { showUsd } from '../../../domain/money'
import { cell, confirming, counted, type CommandForm } from '../../operations/command'
import type { Adjusted, LedgerView, Moved, ToppedUp } from './money-view'

const which = { name: 'account', about: 'id of the account', as: 'place' } as const

const balance = ({ balance_usd }: Static<typeof Moved>) => ({ balance: { usd: balance_usd } })

const linesOf = (
  { account, reference, repeated, balance_usd }: Static<typeof Moved>,
  more: readonly string[] = [],
) => [
  ...(repeated ? [`${reference} was counted before; nothing changed`] : []),
  ...more,
  `balance of account ${account}: $${balance_usd}`,
]

const adjust: CommandForm<Static<typeof Adjusted>> = {
  words: 'account adjust',
  about: 'correct a balance, up or down, for a reason that is kept',
  example: 'account adjust 1 -2.5 --reason "counted twice on 3 May"',
  params: { id: which },
  places: { usd: '<usd>' },
  oneOf: ['reason', 'note'],
  confirm: confirming({
    code: 'balance_below_zero',
    field: 'below_zero',
    question: ({ account, after }) =>
      `The balance of account ${account} would be $${showUsd(after)}. Go on?`,
  }),
  object: 'adjustment',
  formerNames: balance,
  said: (adjusted) => ({ stdout: linesOf(adjusted) }),
}

const topup: CommandForm<Static<typeof ToppedUp>> = {
  words: 'topup',
  about: 'add dollars to an account, or local coins at the current rate',
  example:
    'topup 1 20 --reference invoice-17\n  chapar topup 1 --coins 500000 --reference bank-4711',
  params: { id: which },
  places: { usd: '[usd]' },
  object: 'topup',
  formerNames: balance,
  said: (toppedUp) => ({
    stdout: linesOf(
      toppedUp,
      toppedUp.payment === undefined
        ? []
        : [
            `${toppedUp.coins} coins at ${toppedUp.rate} per dollar: $${toppedUp.usd} (${toppedUp.payment})`,
          ],
    ),
  }),
}

const ledger: CommandForm<Static<typeof LedgerView>> = {
  words: 'account ledger',
  about: 'every movement of an account: charges, topups, adjustments, refunds',
  example: 'account ledger 1 --since 2026-01-01 --csv > ledger.csv',
  params: { id: which },
  object: 'ledger',
  list: {
    columns: ['created', 'kind', 'usd', 'balance_usd', 'reference', 'by', 'note'],
    heading: ['CREATED', 'KIND', 'AMOUNT', 'BALANCE', 'REFERENCE', 'BY', 'NOTE'],
    cells: ({ created, kind, usd, balance_usd, reference, by, note }) => [
      created,
      kind,
      cell.usd(usd),
      cell.usd(balance_usd),
      reference,
      cell.some(by),
      cell.some(note),
    ],
    pages: 'after',
  },
  aroundRows: (pages) => ({
    account: pages[0]?.account,
    opening_usd: pages.find(({ opening_usd }) => opening_usd !== null)?.opening_usd,
    closing_usd: pages.at(-1)?.closing_usd,
  }),
  said: ({ opening_usd, closing_usd, data }) => ({
    stdout: [
      `from ${cell.usd(opening_usd)} to ${cell.usd(closing_usd)}, ${counted(data.length, 'movement')}`,
    ],
  }),
}

/** Commands of operations on money. */
export const moneyCommands = { adjust, ledger, topup }
