import type { PaymentId } from '../../domain/ids'
import type { CardService } from './card-desk'
import type { CardPayment, CardPaymentStore } from './card-payment'
import type { PaymentState } from '../../domain/payment'
import type { Payment, PaymentStore } from './contract'
import type { AccountId } from '../../domain/ids'
import { AdminError } from '../operations/admin-error'

interface PaymentStores {
  readonly payments: Pick<PaymentStore, 'list'>
  readonly cardPayments: Pick<CardPaymentStore, 'list' | 'find'>
}

/** A payment by card, or coins that an operator counted. */
export type ListedPayment =
  | { readonly by: 'card'; readonly payment: CardPayment }
  | { readonly by: 'operator'; readonly payment: Payment }

interface PaymentsShown {
  /** Null for all. */
  readonly account: AccountId | null
  readonly state: PaymentState | null
  readonly before: PaymentId | null
  readonly max: number
}

/** Payments of both kinds, newest first: their ids are in the order of time. */
export async function listPayments(
  { payments, cardPayments }: PaymentStores,
  query: PaymentsShown,
): Promise<readonly ListedPayment[]> {
  const { account, state, before, max } = query
  const cards = await cardPayments.list(query)
  const isCounted = state === null || state === 'credited'
  const counted = isCounted ? await payments.list({ account, before, most: max }) : []
  // Coins of a card stand among the counted ones under the same id.
  const known = new Set<string>(cards.map(({ id }) => id))
  const all: ListedPayment[] = [
    ...cards.map((payment) => ({ by: 'card' as const, payment })),
    ...counted
      .filter(({ id }) => !known.has(id))
      .map((payment) => ({ by: 'operator' as const, payment })),
  ]
  return all.toSorted((a, b) => (a.payment.id < b.payment.id ? 1 : -1)).slice(0, max)
}

/** The payment of this id. @throws AdminError payment_not_found */
export async function findPayment(
  { cardPayments }: Pick<PaymentStores, 'cardPayments'>,
  id: string,
): Promise<CardPayment> {
  const found = await cardPayments.find(id as PaymentId)
  if (found === null) throw new AdminError('payment_not_found', { payment: id })
  return found
}

/**
 * Asks the gateway of a payment once more, and credits it once it is paid.
 * @throws AdminError payment_not_found | payment_gateway_gone
 */
export async function settlePayment(
  stores: Pick<PaymentStores, 'cardPayments'>,
  desk: Pick<CardService, 'settle' | 'gatewayOf'>,
  id: string,
): Promise<CardPayment> {
  const payment = await findPayment(stores, id)
  if (payment.state !== 'credited' && (await desk.gatewayOf(payment)) === null)
    throw new AdminError('payment_gateway_gone', { payment: id, gateway: payment.gateway })
  return await desk.settle(payment.id)
}
