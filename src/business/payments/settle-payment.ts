import { dayMs, type Clock, type Ms } from '../../domain/clock'
import type { PaymentId } from '../../domain/ids'
import { GatewayFault, noAnswer, type CardGateway, type Verdict } from './card-gateway'
import type { CardPayment, CardPaymentStore } from './card-payment'
import type { PaymentState } from '../../domain/payment'
import { PaymentRefusal } from './payment-refusal'

interface SettleParts {
  readonly store: Pick<CardPaymentStore, 'find' | 'credit' | 'note'>
  readonly clock: Clock
  gatewayOf(payment: CardPayment): Promise<CardGateway | null>
  onCredited(payment: CardPayment): void
  /** Its people may be told. */
  onRefused?(payment: CardPayment): void
}

/** Time that a customer may spend at a page of the bank. */
export const atBankMs = 20 * 60_000

/** While a customer may be at the bank, it is asked often; then seldom, and not after a day. */
const often = { untilMs: atBankMs, everyMs: 30_000 }
const seldom = { untilMs: dayMs, everyMs: 10 * 60_000 }

/** Longer than a gateway is waited for: then the program ended, and nobody was shown a page to pay on. */
const openingMs = 60_000

/** @returns null when the gateway is not asked any more by itself */
function nextPoll(created: Ms, now: Ms): Ms | null {
  const { everyMs } = now - created < often.untilMs ? often : seldom
  return now - created < seldom.untilMs ? ((now + everyMs) as Ms) : null
}

/**
 * The only way in which a payment by card ends, whoever asks for it. Requests at once for one payment
 * are one; those of other processes meet in the transaction of the store.
 */
export function openSettle(parts: SettleParts): (id: PaymentId) => Promise<CardPayment> {
  const running = new Map<PaymentId, Promise<CardPayment>>()
  return (id) => {
    const now = running.get(id)
    if (now !== undefined) return now
    const settling = settle(parts, id).finally(() => running.delete(id))
    running.set(id, settling)
    return settling
  }
}

async function settle(parts: SettleParts, id: PaymentId): Promise<CardPayment> {
  const { store, clock, onCredited } = parts
  const payment = await store.find(id)
  if (payment === null) throw new PaymentRefusal('payment_not_found', {})
  if (payment.state === 'credited') return payment
  const verdict = await verdictOn(parts, payment)
  if (verdict.state === 'paid') {
    try {
      const { payment: credited, repeated } = await store.credit(id, verdict)
      if (!repeated) onCredited(credited)
      return credited
    } catch (thrown) {
      await store.note(id, {
        state: 'started',
        code: 'not_credited',
        due: nextPoll(payment.created, clock.now()),
      })
      throw thrown
    }
  }
  const now = clock.now()
  const due = nextPoll(payment.created, now)
  const state = stateAfter(payment.state, verdict.state, due === null)
  const noted = (await store.note(id, { state, code: verdict.code, due })) ?? payment
  if (noted.state === 'refused' && payment.state !== 'refused') parts.onRefused?.(noted)
  return noted
}

async function verdictOn(parts: SettleParts, payment: CardPayment): Promise<Verdict> {
  const { reference, charge } = payment
  if (reference === null) {
    const isLost = parts.clock.now() - payment.created > openingMs
    return { state: isLost ? 'refused' : 'unknown', code: 'not_opened' }
  }
  const gateway = await parts.gatewayOf(payment)
  if (gateway === null) return { state: 'unknown', code: 'gateway_gone' }
  try {
    return await gateway.verify(reference, charge)
  } catch (thrown) {
    return { state: 'unknown', code: thrown instanceof GatewayFault ? thrown.code : noAnswer }
  }
}

function stateAfter(
  before: Exclude<PaymentState, 'credited'>,
  verdict: 'refused' | 'open' | 'unknown',
  isOver: boolean,
): Exclude<PaymentState, 'credited'> {
  if (verdict === 'refused') return 'refused'
  // Silence changes nothing that is known.
  const state = verdict === 'open' ? 'started' : before
  return state === 'started' && isOver ? 'expired' : state
}
