import { Option, type Command } from 'commander'
import { findPayment, listPayments, settlePayment, type ListedPayment } from '../../admin/payments'
import { openStoredSettle } from '../../app/payment-desk'
import { systemClock } from '../../domain/clock'
import type { AccountId } from '../../domain/ids'
import { showUsd } from '../../domain/money'
import { paymentStates, type CardPayment, type PaymentState } from '../../payments/card-payment'
import { moneyWays, type MoneySum } from '../../payments/money-in'
import type { Payment } from '../../payments/store'
import { branch, leaf, read, withStorage, type CommonOptions } from '../kit/leaf'
import {
  limitOf,
  printShown,
  shownOf,
  withLimit,
  type ListForm,
  type LongListOptions,
} from '../kit/listing'
import { printFields, printJson, printLine, printTable } from '../kit/output'
import { spanOf, withSpan, type SpanOptions } from '../kit/span'
import { localTime } from '../kit/local-time'

interface PaymentsOptions extends LongListOptions {
  readonly account?: AccountId
  readonly state?: PaymentState
}

export function paymentsCommand(program: Command): void {
  const payments = branch(program, 'payments', 'List payments, and settle those that wait')

  withLimit(
    leaf(
      payments,
      'list',
      'list payments by card, and coins that were counted by hand, newest first',
      'payments list --account 1',
    ),
  )
    .option('--account <id>', 'only of this account', read.id<AccountId>)
    .addOption(new Option('--state <word>', 'only in this state').choices(paymentStates))
    .action(list)

  leaf(payments, 'show', 'show a payment by card', 'payments show pay_…')
    .argument('<payment>', 'id of the payment')
    .action(async (id: string, options: CommonOptions) => {
      const found = await withStorage(options, (storage) => findPayment(storage, id))
      tell(found, options)
    })

  leaf(
    payments,
    'settle',
    'ask the gateway of a payment again, and credit it once it is paid',
    'payments settle pay_…',
  )
    .argument('<payment>', 'id of the payment')
    .action(settle)

  withSpan(
    leaf(
      payments,
      'summary',
      'sum up the money that came in: by card, coins, codes and dollars',
      'payments summary --since 2026-01-01',
    ),
  ).action(summary)
}

const instant = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString()

interface PaymentView {
  readonly id: string
  readonly account: number
  readonly coins: number | null
  readonly rate: string | null
  readonly reference: string | null
  readonly by: string
  readonly usd: string
  readonly created: string | null
  readonly state: PaymentState
  /** The gateway's last word, where that was not a payment. */
  readonly code: string | null
  /** Amount asked of a gateway, in the smallest unit of its currency. */
  readonly currency: string | null
  readonly charged: number | null
}

const cardView = (payment: CardPayment): PaymentView => {
  const { id, account, coins, amount, charge, credit, reference, created, gateway } = payment
  return {
    id,
    account,
    coins: coins?.count ?? null,
    rate: credit?.rate ?? coins?.rate ?? null,
    reference: reference === null ? null : `${payment.kind}:${reference}`,
    by: `gateway:${gateway}`,
    usd: showUsd(credit?.amount ?? amount),
    created: instant(created),
    state: payment.state,
    code: payment.code,
    currency: charge.currency,
    charged: charge.amount,
  }
}

const countedView = ({ amount, created, ...payment }: Payment): PaymentView => ({
  ...payment,
  usd: showUsd(amount),
  created: instant(created),
  state: 'credited',
  code: null,
  currency: null,
  charged: null,
})

const paymentView = (listed: ListedPayment): PaymentView =>
  listed.by === 'card' ? cardView(listed.payment) : countedView(listed.payment)

/** Everything that is known of one. */
const wholeView = (payment: CardPayment) => {
  const { coins, credit, due, person, amount } = payment
  return {
    object: 'payment',
    ...cardView(payment),
    person,
    promised_usd: showUsd(amount),
    promised_rate: coins?.rate ?? null,
    promised_until: instant(coins?.until ?? null),
    credited: instant(credit?.at ?? null),
    receipt: credit?.receipt ?? null,
    card: credit?.card ?? null,
    asked_again: instant(due),
  }
}

const form: ListForm<PaymentView> = {
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
    each.created ?? '–',
    String(each.account),
    String(each.coins ?? '–'),
    each.rate ?? '–',
    `$${each.usd}`,
    each.code === null ? each.state : `${each.state} (${each.code})`,
    each.reference ?? '–',
    each.by,
    each.id,
  ],
}

async function list(options: PaymentsOptions): Promise<void> {
  const { account = null, state = null } = options
  // One more tells whether there are more.
  const max = Math.min(limitOf(options), Number.MAX_SAFE_INTEGER - 1) + 1
  const all = await withStorage(options, (storage) =>
    listPayments(storage, { account, state, before: null, max }),
  )
  return await printShown(options, shownOf(all.map(paymentView), options), form)
}

function tell(payment: CardPayment, { json }: CommonOptions): void {
  if (json) return printJson(wholeView(payment))
  printFields(wholeView(payment))
}

async function settle(id: string, options: CommonOptions): Promise<void> {
  const settled = await withStorage(options, (storage) =>
    settlePayment(storage, openStoredSettle(storage, systemClock), id),
  )
  tell(settled, options)
}

const sumView = ({ count, amount, coins }: MoneySum) => ({ count, usd: showUsd(amount), coins })

async function summary(options: CommonOptions & SpanOptions): Promise<void> {
  const { from, to } = spanOf(options)
  const { total, byWay } = await withStorage(options, (storage) => storage.moneyIn({ from, to }))
  if (options.json)
    return printJson({
      object: 'money_in',
      since: instant(from),
      until: instant(to),
      ...sumView(total),
      ways: moneyWays.map((way) => ({ way, ...sumView(byWay[way]) })),
    })
  const row = (name: string, { count, amount, coins }: MoneySum) => [
    name,
    String(count),
    `$${showUsd(amount)}`,
    String(coins),
  ]
  printTable([
    ['WAY', 'PAYMENTS', 'DOLLARS', 'COINS'],
    ...moneyWays.map((way) => row(way, byWay[way])),
    row('all', total),
  ])
  printLine(`since ${localTime(from)}`)
}
