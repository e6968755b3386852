import { Type, type Static } from '@sinclair/typebox'
import { Elysia, t } from 'elysia'
import { page } from '../../business/operations/fields'
import { textForms } from '../../business/operations/refusals/text-forms'
import type { Clock } from '../../domain/clock'
import type { PaymentId } from '../../domain/ids'
import { parseUsd, showUsd } from '../../domain/money'
import { promiseMs, type PaymentOrder } from '../../business/payments/card-desk'
import type { CardPayment } from '../../business/payments/card-payment'
import { PaymentRefusal } from '../../business/payments/payment-refusal'
import { minimumCoins } from '../../business/payments/coins'
import { localPhone } from '../../domain/phone'
import type { Customer } from '../customer'
import { visitOf } from '../page-head'
import { max } from './fields'
import type { ConsoleParts } from './parts'

const gateway = Type.String({ minLength: 1, maxLength: 60 })
const InCoins = Type.Object({
  gateway,
  coins: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  /** Coins per dollar, as the page showed it. */
  rate: Type.String({ minLength: 1, maxLength: 40 }),
})
const InDollars = Type.Object({
  gateway,
  usd: Type.String({ pattern: textForms.cents }),
})
const Paying = Type.Union([InCoins, InDollars])
const PaymentParams = t.Object({ id: t.String({ pattern: textForms.payment }) })
const Listing = t.Object({ before: t.Optional(t.String({ pattern: textForms.payment })), max })

/** A page asks every two seconds; its gateway is not asked more often than that. */
const requestAgainMs = 2000

const descriptions = {
  fa: (service: string, account: number) => `افزایش اعتبار ${service}، حساب ${account}`,
  en: (service: string, account: number) => `${service} credit, account ${account}`,
} as const

/** `/app/api/top-ups`: what can be paid with, payments by card, and one of them as its receipt. */
export const topUpsApi = (parts: ConsoleParts) => {
  const { customer, cards, cardPayments, clock } = parts
  const mayRequest = openRequestedAt(clock)
  const settled = async (payment: CardPayment): Promise<CardPayment> =>
    payment.state === 'started' && mayRequest(payment.id) ? await cards.settle(payment.id) : payment
  return new Elysia({ prefix: '/top-ups', normalize: false })
    .get(
      '/',
      async ({ request, query }) => {
        const { account } = await customer(request)
        const { before = null, max: most } = query
        const found = await cardPayments.list({
          account,
          state: null,
          before: before as PaymentId | null,
          max: most + 1,
        })
        return {
          offer: await offerView(parts),
          ...page(found.map(paymentView), most, ({ id }) => id),
        }
      },
      { query: Listing },
    )
    .post(
      '/',
      async ({ request, body }) => {
        const who = await customer(request)
        const started = await cards.start(await orderOf(parts, who, request, body))
        return { ...paymentView(started.payment), page: started.page }
      },
      { body: Paying },
    )
    .get(
      '/:id',
      async ({ request, params }) => {
        const { account } = await customer(request)
        const payment = await cardPayments.find(params.id as PaymentId)
        if (payment === null || payment.account !== account)
          throw new PaymentRefusal('payment_not_found', {})
        return paymentView(await settled(payment))
      },
      { params: PaymentParams },
    )
}

/** Whether nobody has asked of a payment a moment ago. */
function openRequestedAt(clock: Clock): (id: PaymentId) => boolean {
  /** The oldest first. */
  const requestedAt = new Map<PaymentId, number>()
  return (id) => {
    const now = clock.now()
    for (const [each, at] of requestedAt) {
      if (now - at < requestAgainMs) break
      requestedAt.delete(each)
    }
    if (requestedAt.has(id)) return false
    requestedAt.set(id, now)
    return true
  }
}

async function orderOf(
  parts: ConsoleParts,
  who: Customer,
  request: Request,
  body: Static<typeof Paying>,
): Promise<PaymentOrder> {
  const { account, person } = who
  const found = await parts.directory(who).findAccount(account)
  // Money that is on its way comes in all the same.
  if (found?.status !== 'active') throw new PaymentRefusal('account_suspended', {})
  const phone = (await parts.people.find(person))?.phone ?? null
  return {
    account,
    person,
    gateway: body.gateway,
    pays: 'usd' in body ? { usd: parseUsd(body.usd) } : { coins: body.coins, shownRate: body.rate },
    mobile: phone === null ? null : localPhone(phone),
    description: descriptions[visitOf(request.headers).language](parts.serviceName(), account),
    origin: parts.returnRoot(),
  }
}

async function offerView({ cards, returnRoot, settings }: ConsoleParts) {
  const { ways, rate, trouble } = await cards.offer()
  const isUnreachable = returnRoot() === null
  return {
    ways: ways.map(({ name, kind, paidIn, config }) => ({
      name,
      kind,
      paid_in: paidIn,
      /** No money: the bank inside of the program. */
      is_trial: config === null,
      /** Why nobody can pay by it at this moment; null where one can. */
      closed:
        isUnreachable && config !== null
          ? ('public_url_missing' as const)
          : paidIn === 'coins'
            ? trouble
            : null,
    })),
    rate: rate === null ? null : { coins_per_usd: rate.rate, since: rate.validFrom as number },
    minimum_coins: minimumCoins,
    rials_per_coin: settings.coinRials,
    promise_seconds: promiseMs / 1000,
  }
}

const paymentView = (payment: CardPayment) => {
  const { id, account, gateway: name, kind, coins, amount, charge, state, credit } = payment
  return {
    id: id as string,
    account: account as number,
    gateway: name,
    kind,
    state,
    code: payment.code,
    created: payment.created as number,
    coins: coins?.count ?? null,
    /** Promised, and until when. */
    rate: coins?.rate ?? null,
    rate_until: (coins?.until ?? null) as number | null,
    usd: showUsd(credit?.amount ?? amount),
    promised_usd: showUsd(amount),
    currency: charge.currency,
    charged: charge.amount,
    reference: payment.reference,
    receipt:
      credit === null
        ? null
        : {
            at: credit.at as number,
            /** The one that counted: of that moment, once the promised one was over. */
            rate: credit.rate,
            is_late: credit.rate !== null && credit.rate !== coins?.rate,
            number: credit.receipt,
            card: credit.card,
          },
  }
}
