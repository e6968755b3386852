import type { Static } from '@sinclair/typebox'
import { cell, type CommandForm } from '../../operations/command'
import type { CardPaymentView, MoneyInView, PaymentView } from './payment-view'

const which = { name: 'payment', about: 'id of the payment', as: 'place', kind: 'text' } as const

const list: CommandForm<{ readonly data: readonly Static<typeof PaymentView>[] }> = {
  words: 'payments list',
  about: 'list payments by card, and coins that were counted by hand, newest first',
  example: 'payments list --account 1',
  object: 'payment',
  list: {
    pages: 'before',
    isNewestFirst: true,
    columns: [
      'id',
      'created',
      'account',
      'coins',
      'rate',
      'usd',
      'reference',
      'by',
      'state',
      'code',
      'currency',
      'charged',
    ],
    heading: ['CREATED', 'ACCOUNT', 'COINS', 'RATE', 'DOLLARS', 'STATE', 'REFERENCE', 'BY', 'ID'],
    cells: (each) => [
      each.created,
      String(each.account),
      cell.some(each.coins),
      cell.some(each.rate),
      cell.usd(each.usd),
      each.code === null ? each.state : `${each.state} (${each.code})`,
      cell.some(each.reference),
      each.by,
      each.id,
    ],
  },
}

const onePayment = {
  params: { id: which },
  object: 'payment',
  // `by` names the gateway.
  said: ({ way: _, gateway: __, ...fields }: Static<typeof CardPaymentView>) => ({
    fields,
    stdout: [],
  }),
}

const show: CommandForm<Static<typeof CardPaymentView>> = {
  words: 'payments show',
  about: 'show a payment by card',
  example: 'payments show pay_…',
  ...onePayment,
}

const settle: CommandForm<Static<typeof CardPaymentView>> = {
  words: 'payments settle',
  about: 'ask the gateway of a payment again, and credit it once it is paid',
  example: 'payments settle pay_…',
  ...onePayment,
}

const summary: CommandForm<Static<typeof MoneyInView>> = {
  words: 'payments summary',
  about: 'sum up the money that came in: by card, coins, codes and dollars',
  example: 'payments summary --since 2026-01-01',
  object: 'money_in',
  said({ since, ways, ...total }) {
    const row = (name: string, { count, usd, coins }: Omit<typeof total, 'until'>) => [
      name,
      String(count),
      cell.usd(usd),
      String(coins),
    ]
    const rows = ways.map(({ way, ...sum }) => row(way, sum))
    return {
      stdout: [
        [['WAY', 'PAYMENTS', 'DOLLARS', 'COINS'], ...rows, row('all', total)],
        `since ${since}`,
      ],
    }
  },
}

/** Commands of operations on payments. */
export const paymentCommands = { list, show, settle, summary }
