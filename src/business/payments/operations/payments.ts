import { Type } from '@sinclair/typebox'
import type { AccountId, PaymentId } from '../../../domain/ids'
import { paymentStates } from '../../../domain/payment'
import { moneyWays } from '../money-in'
import { findPayment, listPayments, settlePayment } from '../settle-command'
import { Id, max, page, pageOf } from '../../operations/fields'
import { asOption } from '../../operations/from-fields'
import { operation } from '../../operations/operation'
import { paymentCommands } from './payment-commands'
import {
  CardPaymentView,
  MoneyInView,
  paymentShown,
  PaymentStateView,
  PaymentView,
  sumShown,
  wholePayment,
} from './payment-view'
import { spanFields, requestedSpan } from '../../operations/date-range'

const PaymentName = Type.String({ minLength: 1, maxLength: 60 })

export const paymentOperations = [
  operation({
    name: 'payment.list',
    method: 'GET',
    path: '/payments',
    role: 'viewer',
    about: 'Payments by card and coins that were counted by hand, newest first',
    query: {
      account: asOption(Type.Optional(Id), 'only of this account'),
      state: asOption(Type.Optional(PaymentStateView), 'only in this state', {
        option: 'state <word>',
        choices: paymentStates,
      }),
      before: Type.Optional(Type.String({ maxLength: 60 })),
      max,
    },
    result: pageOf(PaymentView, Type.String()),
    commands: [paymentCommands.list],
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
    name: 'payment.summary',
    method: 'GET',
    path: '/payments/summary',
    role: 'viewer',
    about:
      'Sum of the money that came in, by card, coins, codes and dollars; of 30 days unless told',
    query: spanFields,
    result: MoneyInView,
    commands: [paymentCommands.summary],
    async run({ storage, service }, { query }) {
      await service.flush()
      const { from, to } = requestedSpan(query, service.clock.now())
      const { total, byWay } = await storage.moneyIn({ from, to })
      return {
        since: new Date(from).toISOString(),
        until: new Date(to).toISOString(),
        ...sumShown(total),
        ways: moneyWays.map((way) => ({ way, ...sumShown(byWay[way]) })),
      }
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
    commands: [paymentCommands.show],
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
    commands: [paymentCommands.settle],
    async run({ storage, service }, { params }) {
      await service.flush()
      const desk = service.settleDesk(storage)
      return wholePayment(await settlePayment(storage, desk, params.id))
    },
  }),
] as const
