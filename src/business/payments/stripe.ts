import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../../domain/clock'
import { fieldsOf, isText, type Fields } from '../../gateway/json/fields'
import {
  GatewayFault,
  noAnswer,
  type CardGateway,
  type GatewayEvent,
  type Verdict,
} from './card-gateway'
import {
  answerTo,
  codeOf,
  fieldsIn,
  shownText,
  type GatewayAnswer,
  type SendToGateway,
} from './gateway-wire'

interface StripeParts {
  readonly base: string
  /** `sk_…`, or a restricted one that may write Checkout Sessions. */
  readonly key: string
  /** `whsec_…` of our webhook; null where none was made. */
  readonly signingSecret: string | null
  readonly send: SendToGateway
  readonly clock: Clock
}

/** Events that tell of a payment (docs.stripe.com/payments/checkout/fulfill-orders). */
const paymentEvents: ReadonlySet<unknown> = new Set([
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
])

/** Older events may be replays (docs.stripe.com/webhooks#replay-attacks). */
const maxEventAgeSeconds = 300
const notFoundStatus = 404

/**
 * Stripe Checkout (docs.stripe.com/api/checkout/sessions, read 2026-11). What counts is what Stripe
 * answers when it is asked for the session; pages and webhooks only say when to ask.
 */
export function stripe({ base, key, signingSecret, send, clock }: StripeParts): CardGateway {
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json' }
  const sessions = `${base}/v1/checkout/sessions`
  return {
    async begin({ payment, charge, description, returnTo }) {
      const form = new URLSearchParams({
        mode: 'payment',
        client_reference_id: payment,
        success_url: returnTo,
        cancel_url: returnTo,
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': charge.currency.toLowerCase(),
        'line_items[0][price_data][unit_amount]': String(charge.amount),
        'line_items[0][price_data][product_data][name]': description,
        'payment_intent_data[metadata][payment]': payment,
      })
      const answer = await answerTo(send, {
        method: 'POST',
        url: sessions,
        headers: {
          ...headers,
          'content-type': 'application/x-www-form-urlencoded',
          'idempotency-key': payment,
        },
        body: form.toString(),
      })
      const { id, url } = answer.success
      if (!isText(id) || !isText(url)) throw new GatewayFault(faultIn(answer))
      return { reference: id, page: url }
    },
    async verify(reference, { currency, amount }): Promise<Verdict> {
      const url = `${sessions}/${encodeURIComponent(reference)}?expand[]=payment_intent.latest_charge`
      const answer = await answerTo(send, { method: 'GET', url, headers, body: null })
      const session = answer.success
      if (answer.status === notFoundStatus) return { state: 'refused', code: faultIn(answer) }
      if (session['payment_status'] === 'paid') {
        const isOurs =
          codeOf(session['amount_total']) === amount &&
          String(session['currency']).toUpperCase() === currency
        return isOurs ? paidBy(session, reference) : { state: 'refused', code: 'amount' }
      }
      if (!isText(session['payment_status'])) return { state: 'unknown', code: faultIn(answer) }
      // Complete and unpaid: a bank that takes days.
      const isOver = session['status'] === 'expired'
      return { state: isOver ? 'refused' : 'open', code: String(session['status']) }
    },
    eventReference(event) {
      if (signingSecret === null) throw new GatewayFault('no_signing_secret')
      if (!isSigned(event, signingSecret, clock.now())) throw new GatewayFault('bad_signature')
      const { type, data } = fieldsIn(event.body)
      const { id } = fieldsOf(fieldsOf(data)['object'])
      return paymentEvents.has(type) && isText(id) ? id : null
    },
  }
}

function paidBy(session: Fields, reference: string): Verdict {
  const intent = fieldsOf(session['payment_intent'])
  const charge = fieldsOf(intent['latest_charge'])
  const card = fieldsOf(fieldsOf(charge['payment_method_details'])['card'])
  const last = shownText(card['last4'])
  return {
    state: 'paid',
    receipt: shownText(intent['id']) ?? shownText(session['payment_intent']) ?? reference,
    card: last === null ? null : `**** **** **** ${last}`,
  }
}

function faultIn({ status, success, said }: GatewayAnswer): string {
  const { code, type } = fieldsOf(said['error'])
  return shownText(code) ?? shownText(type) ?? (said === success ? noAnswer : String(status))
}

/**
 * `Stripe-Signature: t=…,v1=…` is the HMAC-SHA-256 of `t.body`, once for each secret in use
 * (docs.stripe.com/webhooks#verify-manually).
 */
function isSigned({ headers, body }: GatewayEvent, secret: string, nowMs: number): boolean {
  const pairs = (headers.get('stripe-signature') ?? '')
    .split(',')
    .map((part) => part.trim().split('=', 2) as [string, string | undefined])
  const time = pairs.find(([name]) => name === 't')?.[1] ?? ''
  if (!/^\d{1,12}$/.test(time)) return false
  if (Math.abs(nowMs / 1000 - Number(time)) > maxEventAgeSeconds) return false
  const wanted = new Bun.CryptoHasher('sha256', secret).update(`${time}.${body}`).digest()
  return pairs.some(([name, value = '']) => {
    const given = Buffer.from(value, 'hex')
    return name === 'v1' && given.length === wanted.length && timingSafeEqual(given, wanted)
  })
}
