import { Type, type Static } from '@sinclair/typebox'
import type { AccountId, PaymentId } from '../../domain/ids'
import { showUsd } from '../../domain/money'
import { paymentStates, type CardPayment } from '../../payments/card-payment'
import type { Payment } from '../../payments/store'
import { findPayment, listPayments, settlePayment, type ListedPayment } from '../payments'
import { Id, max, orNull, page, pageOf } from './fields'
import { operation } from './operation'

const PaymentStateView = Type.Union(paymentStates.map((state) => Type.Literal(state)))

const listed = {
  id: Type.String(),
  created: Type.String(),
  account: Id,
  /** How it came: by a card gateway, or counted by an operator. */
  way: Type.Union([Type.Literal('card'), Type.Literal('counted')]),
  state: PaymentStateView,
  /** Null for a payment in dollars. */
  coins: orNull(Type.Integer()),
  /** Coins per dollar, as it was locked, or promised. */
  rate: orNull(Type.String()),
  usd: Type.String(),
  reference: orNull(Type.String()),
  by: Type.String(),
  /** The gateway’s last word, where that was not a payment. */
  code: orNull(Type.String()),
}
const PaymentView = Type.Object(listed)
type PaymentShown = Static<typeof PaymentView>

const CardPaymentView = Type.Object({
  ...listed,
  person: orNull(Id),
  gateway: Type.String(),
  currency: Type.String(),
  /** In the smallest unit of the currency. */
  charged: Type.Integer(),
  promised_usd: Type.String(),
  promised_until: orNull(Type.String()),
  credited: orNull(Type.String()),
  receipt: orNull(Type.String()),
  /** Masked, as the gateway tells it. */
  card: orNull(Type.String()),
  /** When the gateway is asked again by itself; null when it is not any more. */
  asked_again: orNull(Type.String()),
})

const instant = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString()

const cardShown = (payment: CardPayment): PaymentShown => {
  const { id, account, coins, amount, credit, reference, created, gateway, state, code } = payment
  return {
    id,
    created: new Date(created).toISOString(),
    account,
    way: 'card',
    state,
    coins: coins?.count ?? null,
    rate: credit?.rate ?? coins?.rate ?? null,
    usd: showUsd(credit?.amount ?? amount),
    reference: reference === null ? null : `${payment.kind}:${reference}`,
    by: `gateway:${gateway}`,
    code,
  }
}

const countedShown = ({ amount, created, ...payment }: Payment): PaymentShown => ({
  ...payment,
  created: new Date(created).toISOString(),
  way: 'counted',
  state: 'credited',
  usd: showUsd(amount),
  code: null,
})

const paymentShown = (each: ListedPayment): PaymentShown =>
  each.by === 'card' ? cardShown(each.payment) : countedShown(each.payment)

const wholePayment = (payment: CardPayment): Static<typeof CardPaymentView> => ({
  ...cardShown(payment),
  person: payment.person,
  gateway: payment.gateway,
  currency: payment.charge.currency,
  charged: payment.charge.amount,
  promised_usd: showUsd(payment.amount),
  promised_until: instant(payment.coins?.until ?? null),
  credited: instant(payment.credit?.at ?? null),
  receipt: payment.credit?.receipt ?? null,
  card: payment.credit?.card ?? null,
  asked_again: instant(payment.due),
})

const PaymentName = Type.String({ minLength: 1, maxLength: 60 })

export const paymentOperations = [
  operation({
    name: 'payment.list',
    method: 'GET',
    path: '/payments',
    role: 'viewer',
    about: 'Payments by card and coins that were counted by hand, newest first',
    query: {
      account: Type.Optional(Id),
      state: Type.Optional(PaymentStateView),
      before: Type.Optional(Type.String({ maxLength: 60 })),
      max,
    },
    result: pageOf(PaymentView, Type.String()),
    async run({ storage }, { query }) {
      const { account = null, state = null, before = null, max } = query
      const found = await listPayments(storage, {
        account: account as AccountId | null,
        state,
        before: before as PaymentId | null,
        max: max + 1,
      })
      return page(found.map(paymentShown), max, ({ id }) => id)
    },
  }),
  operation({
    name: 'payment.get',
    method: 'GET',
    path: '/payments/{id}',
    role: 'viewer',
    about: 'One payment by card: what was promised, what became of it, the gateway’s last word',
    params: { id: PaymentName },
    result: CardPaymentView,
    run: async ({ storage }, { params }) => wholePayment(await findPayment(storage, params.id)),
  }),
  operation({
    name: 'payment.settle',
    method: 'POST',
    path: '/payments/{id}/settle',
    role: 'staff',
    about: 'Ask the gateway of a payment again, and credit it once it is paid',
    params: { id: PaymentName },
    result: CardPaymentView,
    async run({ storage, service }, { params }) {
      await service.flush()
      const desk = service.settleDesk(storage)
      return wholePayment(await settlePayment(storage, desk, params.id))
    },
  }),
] as const
