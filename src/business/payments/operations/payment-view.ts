import { Type, type Static } from '@sinclair/typebox'
import { showUsd } from '../../../domain/money'
import type { CardPayment } from '../card-payment'
import { paymentStates } from '../../../domain/payment'
import { moneyWays, type MoneySum } from '../money-in'
import type { Payment } from '../contract'
import type { ListedPayment } from '../settle-command'
import { Id, orNull } from '../../operations/fields'
import { isoOf } from '../../../domain/clock'

export const PaymentStateView = Type.Union(paymentStates.map((state) => Type.Literal(state)))

const listed = {
  id: Type.String(),
  account: Id,
  /** Null for a payment in dollars. */
  coins: orNull(Type.Integer()),
  /** Coins per dollar, as it was locked, or promised. */
  rate: orNull(Type.String()),
  reference: orNull(Type.String()),
  by: Type.String(),
  usd: Type.String(),
  created: Type.String(),
  state: PaymentStateView,
  /** The gateway’s last word, where that was not a payment. */
  code: orNull(Type.String()),
  /** That a gateway was asked in; null for what was counted. */
  currency: orNull(Type.String()),
  /** Asked of a gateway, in the smallest unit of the currency. */
  charged: orNull(Type.Integer()),
  /** How it came: by a card gateway, or counted by an operator. */
  way: Type.Union([Type.Literal('card'), Type.Literal('counted')]),
}
export const PaymentView = Type.Object(listed)
type PaymentShown = Static<typeof PaymentView>

export const CardPaymentView = Type.Object({
  ...listed,
  currency: Type.String(),
  charged: Type.Integer(),
  person: orNull(Id),
  gateway: Type.String(),
  promised_usd: Type.String(),
  promised_rate: orNull(Type.String()),
  promised_until: orNull(Type.String()),
  credited: orNull(Type.String()),
  receipt: orNull(Type.String()),
  /** Masked, as the gateway tells it. */
  card: orNull(Type.String()),
  /** When the gateway is asked again by itself; null when it is not any more. */
  asked_again: orNull(Type.String()),
})

const cardShown = (payment: CardPayment) => {
  const { id, account, coins, amount, charge, credit, reference, created, gateway } = payment
  return {
    id,
    account,
    coins: coins?.count ?? null,
    rate: credit?.rate ?? coins?.rate ?? null,
    reference: reference === null ? null : `${payment.kind}:${reference}`,
    by: `gateway:${gateway}`,
    usd: showUsd(credit?.amount ?? amount),
    created: new Date(created).toISOString(),
    state: payment.state,
    code: payment.code,
    currency: charge.currency,
    charged: charge.amount,
    way: 'card',
  } satisfies PaymentShown
}

const countedShown = ({ amount, created, ...payment }: Payment): PaymentShown => ({
  ...payment,
  usd: showUsd(amount),
  created: new Date(created).toISOString(),
  state: 'credited',
  code: null,
  currency: null,
  charged: null,
  way: 'counted',
})

export const paymentShown = (each: ListedPayment): PaymentShown =>
  each.by === 'card' ? cardShown(each.payment) : countedShown(each.payment)

/** Everything that is known of a payment by card. */
export const wholePayment = (payment: CardPayment): Static<typeof CardPaymentView> => ({
  ...cardShown(payment),
  person: payment.person,
  gateway: payment.gateway,
  promised_usd: showUsd(payment.amount),
  promised_rate: payment.coins?.rate ?? null,
  promised_until: isoOf(payment.coins?.until ?? null),
  credited: isoOf(payment.credit?.at ?? null),
  receipt: payment.credit?.receipt ?? null,
  card: payment.credit?.card ?? null,
  asked_again: isoOf(payment.due),
})

const sum = { count: Type.Integer(), usd: Type.String(), coins: Type.Integer() }

export const MoneyInView = Type.Object({
  since: Type.String(),
  until: Type.String(),
  ...sum,
  ways: Type.Array(
    Type.Object({ way: Type.Union(moneyWays.map((way) => Type.Literal(way))), ...sum }),
  ),
})

export const sumShown = ({ count, amount, coins }: MoneySum) => ({
  count,
  usd: showUsd(amount),
  coins,
})
