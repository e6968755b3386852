import { Type, type Static } from '@sinclair/typebox'
import type { AccountId, PaymentId } from '../../domain/ids'
import { showUsd } from '../../domain/money'
import type { Payment } from '../../payments/store'
import { Id, max, page, pageOf } from './fields'
import { operation } from './operation'

const PaymentView = Type.Object({
  id: Type.String(),
  created: Type.String(),
  account: Id,
  coins: Type.Integer(),
  /** Coins per dollar, as it was locked. */
  rate: Type.String(),
  usd: Type.String(),
  reference: Type.String(),
  by: Type.String(),
})

const paymentView = ({ amount, created, ...payment }: Payment): Static<typeof PaymentView> => ({
  ...payment,
  usd: showUsd(amount),
  created: new Date(created).toISOString(),
})

export const paymentOperations = [
  operation({
    name: 'payment.list',
    method: 'GET',
    path: '/payments',
    role: 'viewer',
    about: 'Payments in local coins with the rate of each, newest first',
    query: {
      account: Type.Optional(Id),
      before: Type.Optional(Type.String({ maxLength: 60 })),
      max,
    },
    result: pageOf(PaymentView, Type.String()),
    async run({ storage }, { query }) {
      const { account = null, before = null, max } = query
      const found = await storage.payments.list({
        account: account as AccountId | null,
        before: before as PaymentId | null,
        most: max + 1,
      })
      return page(found.map(paymentView), max, ({ id }) => id)
    },
  }),
] as const
