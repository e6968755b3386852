import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import type { PaymentId } from '../../src/domain/ids'
import { parseUsd } from '../../src/domain/money'
import { requestService } from '../../src/gateway/outbound/post'
import {
  chargeInRials,
  GatewayFault,
  type CardGateway,
  type CardCharge,
} from '../../src/business/payments/card-gateway'
import type { Rial } from '../../src/domain/payment'
import { chargeInCurrency, gatewayFacts } from '../../src/business/payments/gateway-kinds'
import { handClock } from '../storage/folder'
import { openGatewayStandIn, secrets, type StandInKind } from './gateway-stand-ins'

const kinds = ['zarinpal', 'zibal', 'stripe'] as const
const banks = {
  zarinpal: openGatewayStandIn('zarinpal'),
  zibal: openGatewayStandIn('zibal'),
  stripe: openGatewayStandIn('stripe'),
}
const patience = { usualMs: 10_000, shortMs: 60 }
const clock = handClock()
const signingSecret = 'whsec_test_secret'

function gatewayOf(
  kind: StandInKind,
  secret: string = secrets[kind],
  timeoutMs: number = patience.usualMs,
): CardGateway {
  const config = { name: 'main', kind, options: { base: `${banks[kind].base}/` }, secret }
  return gatewayFacts[kind].open(config, {
    clock,
    send: (request) => requestService(request, timeoutMs),
  })
}

const rials = chargeInRials(500_000 as Rial)
const cents: CardCharge = { currency: 'USD', amount: 1000 }
const chargeOf = (kind: StandInKind) => (kind === 'stripe' ? cents : rials)
const payment = `pay_${'0'.repeat(32)}` as PaymentId
const returnTo = `https://ai.example.com/app/return/${payment}`
const begin = (kind: StandInKind, gateway = gatewayOf(kind)) =>
  gateway.begin({
    payment,
    charge: chargeOf(kind),
    description: 'credit',
    mobile: '09123456789',
    returnTo,
  })

/** Code that a gateway refused by; null where it did not. */
async function faultOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work
    return null
  } catch (thrown) {
    if (thrown instanceof GatewayFault) return thrown.code
    throw thrown
  }
}

beforeEach(() => {
  for (const bank of Object.values(banks)) {
    bank.setManner('whole')
    bank.setStatus(null)
    bank.heard.length = 0
  }
})
afterAll(async () => {
  for (const bank of Object.values(banks)) await bank.stop()
})

describe.each([...kinds])('%s', (kind) => {
  test('closes a payment once it is paid, and says so again', async () => {
    const gateway = gatewayOf(kind)
    const { reference, page } = await begin(kind)
    expect(page).toContain(reference)
    expect((await gateway.verify(reference, chargeOf(kind))).state).toBe('open')
    banks[kind].decide(reference, 'paid')
    const paid = await gateway.verify(reference, chargeOf(kind))
    expect(paid).toMatchObject({ state: 'paid' })
    // ZarinPal says 101 now, Zibal 201.
    expect(await gateway.verify(reference, chargeOf(kind))).toEqual(paid)
    expect(banks[kind].sessions.get(reference)?.state).toBe('verified')
  })

  test('tells who failed from who is still at the bank, and lets them go back and pay', async () => {
    const gateway = gatewayOf(kind)
    const { reference } = await begin(kind)
    banks[kind].decide(reference, 'failed')
    expect((await gateway.verify(reference, chargeOf(kind))).state).toBe('refused')
    banks[kind].decide(reference, 'paid')
    expect((await gateway.verify(reference, chargeOf(kind))).state).toBe('paid')
  })

  test('never takes another amount for ours', async () => {
    const gateway = gatewayOf(kind)
    const { reference } = await begin(kind)
    banks[kind].decide(reference, 'paid')
    const other = { ...chargeOf(kind), amount: chargeOf(kind).amount + 1 }
    expect((await gateway.verify(reference, other)).state).toBe('refused')
    // Verified or not: the second look is as strict.
    expect((await gateway.verify(reference, other)).state).toBe('refused')
    expect((await gateway.verify(reference, chargeOf(kind))).state).toBe('paid')
  })

  test('refuses a reference that it never gave', async () => {
    const unknown = await gatewayOf(kind).verify('99999999', chargeOf(kind))
    expect(unknown.state).toBe('refused')
  })

  test.each(['html', 'silent'] as const)('has no answer where the reply is %s', async (manner) => {
    const { reference } = await begin(kind)
    const gateway = gatewayOf(kind, secrets[kind], patience.shortMs)
    banks[kind].setManner(manner)
    expect(await faultOf(gateway.verify(reference, chargeOf(kind)))).toBe('no_answer')
    expect(await faultOf(begin(kind, gateway))).toBe('no_answer')
  })

  test('is not believed where its answer has no sense', async () => {
    const gateway = gatewayOf(kind)
    const { reference } = await begin(kind)
    for (const answer of [{ odd: true }, { data: 'x', result: 'y' }, { data: { code: 'paid' } }]) {
      banks[kind].answerOnce(answer)
      const verdict = await gateway.verify(reference, chargeOf(kind))
      expect(['unknown', 'open']).toContain(verdict.state)
      banks[kind].answerOnce(answer)
      expect(await faultOf(begin(kind))).not.toBeNull()
    }
  })

  const errors = [300, 304, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503]
  test.each(errors)('is not believed where it says success with status %i', async (status) => {
    const gateway = gatewayOf(kind)
    const bank = banks[kind]
    const { reference } = await begin(kind)
    bank.decide(reference, 'paid')
    bank.setStatus(status)
    const verified = gateway.verify(reference, chargeOf(kind))
    const state = await verified.then(
      (verdict) => verdict.state,
      (thrown: unknown) => (thrown instanceof GatewayFault ? 'fault' : 'thrown'),
    )
    expect(['unknown', 'refused', 'fault']).toContain(state)
    expect(await faultOf(begin(kind, gateway))).not.toBeNull()
    if (gateway.unverified !== undefined) expect(await faultOf(gateway.unverified())).not.toBeNull()
    bank.setStatus(null)
    expect((await gateway.verify(reference, chargeOf(kind))).state).toBe('paid')
  })

  test('says in its own code why it does not know our secret', async () => {
    const other = { zarinpal: '0'.repeat(36), zibal: 'other', stripe: 'sk_test_other' }[kind]
    const fault = { zarinpal: '-10', zibal: '102', stripe: 'invalid_request_error' }[kind]
    expect(await faultOf(begin(kind, gatewayOf(kind, other)))).toBe(fault)
  })
})

test('ZarinPal gets rials, our number and a mobile, and its text codes are numbers to us', async () => {
  const { reference, page } = await begin('zarinpal')
  expect(page).toBe(`${banks.zarinpal.base}/pg/StartPay/${reference}`)
  expect(banks.zarinpal.heard[0]?.path).toBe('/pg/v4/payment/request.json')
  expect(JSON.parse(banks.zarinpal.heard[0]?.body ?? '')).toEqual({
    merchant_id: secrets.zarinpal,
    amount: 500_000,
    currency: 'IRR',
    description: 'credit',
    callback_url: returnTo,
    metadata: { order_id: payment, mobile: '09123456789' },
  })
  banks.zarinpal.answerOnce({ data: { code: '100', ref_id: '77', card_pan: '5022' }, errors: [] })
  expect(await gatewayOf('zarinpal').verify(reference, rials)).toEqual({
    state: 'paid',
    receipt: '77',
    card: '5022',
  })
  // An error that is no verdict on the payment: the merchant was suspended meanwhile.
  banks.zarinpal.answerOnce({ data: [], errors: { code: '-15', message: 'x' } })
  expect(await gatewayOf('zarinpal').verify(reference, rials)).toEqual({
    state: 'unknown',
    code: '-15',
  })
})

test('ZarinPal lists what was paid and never verified, with our number where it is ours', async () => {
  const { reference } = await begin('zarinpal')
  banks.zarinpal.decide(reference, 'paid')
  expect(await gatewayOf('zarinpal').unverified?.()).toContainEqual({
    reference,
    charge: rials,
    payment,
  })
  banks.zarinpal.answerOnce({
    data: {
      code: '100',
      authorities: [{ authority: 'A1', amount: 10, callback_url: 'zarin_link' }, { odd: 1 }],
    },
    errors: [],
  })
  expect(await gatewayOf('zarinpal').unverified?.()).toEqual([
    { reference: 'A1', charge: chargeInRials(10 as Rial), payment: null },
  ])
})

test('Zibal asks its inquiry for the amount of what was verified before', async () => {
  const { reference } = await begin('zibal')
  expect(JSON.parse(banks.zibal.heard[0]?.body ?? '')).toEqual({
    merchant: 'zibal',
    amount: 500_000,
    callbackUrl: returnTo,
    orderId: payment,
    description: 'credit',
    mobile: '09123456789',
  })
  banks.zibal.answerOnce({ result: 201, message: 'x' })
  banks.zibal.answerOnce({ result: 100, status: 1, amount: 400_000, refNumber: 1 })
  expect(await gatewayOf('zibal').verify(reference, rials)).toEqual({
    state: 'refused',
    code: 'amount',
  })
})

test('Stripe gets the session’s currency, and is asked with our number as its idempotency key', async () => {
  await begin('stripe')
  const [{ path, headers, body }] = banks.stripe.heard as [(typeof banks.stripe.heard)[number]]
  expect(path).toBe('/v1/checkout/sessions')
  expect(headers.get('idempotency-key')).toBe(payment)
  expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
    mode: 'payment',
    client_reference_id: payment,
    success_url: returnTo,
    'line_items[0][price_data][currency]': 'usd',
    'line_items[0][price_data][unit_amount]': '1000',
  })
})

describe('a charge in the currency of a gateway', () => {
  const config = (options: Record<string, string>) =>
    ({ name: 'main', kind: 'stripe', options, secret: 'sk_test_00000000' }) as const
  test.each([
    [{}, '10', { currency: 'USD', amount: 1000 }],
    [{ currency: 'eur', 'per-dollar': '0.92' }, '10', { currency: 'EUR', amount: 920 }],
    // Never less than what was promised for it.
    [{ currency: 'eur', 'per-dollar': '0.921' }, '1.01', { currency: 'EUR', amount: 94 }],
    [{ currency: 'jpy', 'per-dollar': '150.3' }, '10', { currency: 'JPY', amount: 1503 }],
  ] as const)('%p for $%s', (options, usd, charge) => {
    expect(chargeInCurrency(config(options), parseUsd(usd))).toEqual(charge)
  })
})

describe('an event of Stripe', () => {
  const event = (type = 'checkout.session.completed') =>
    JSON.stringify({ id: 'evt_1', type, data: { object: { id: 'cs_1' } } })
  const seconds = () => Math.floor(clock.now() / 1000)
  const sign = (body: string, at: number, secret = signingSecret) =>
    new Bun.CryptoHasher('sha256', secret).update(`${at}.${body}`).digest('hex')
  const gateway = () => gatewayOf('stripe', `${secrets.stripe}\n${signingSecret}`)
  const read = (body: string, signature: string) =>
    gateway().eventReference?.({ headers: new Headers({ 'stripe-signature': signature }), body })

  test('names its session where the signature is over the very bytes', () => {
    const at = seconds()
    const body = event()
    expect(read(body, `t=${at},v1=${'0'.repeat(64)},v1=${sign(body, at)}`)).toBe('cs_1')
    expect(
      read(event('customer.created'), `t=${at},v1=${sign(event('customer.created'), at)}`),
    ).toBe(null)
  })

  test('is refused with another secret, other bytes, an old time, or no secret of ours', () => {
    const at = seconds()
    const body = event()
    const bad = new GatewayFault('bad_signature')
    expect(() => read(body, `t=${at},v1=${sign(body, at, 'whsec_other')}`)).toThrow(bad)
    expect(() => read(`${body} `, `t=${at},v1=${sign(body, at)}`)).toThrow(bad)
    expect(() => read(body, `t=${at - 301},v1=${sign(body, at - 301)}`)).toThrow(bad)
    expect(() => read(body, `v1=${sign(body, at)}`)).toThrow(bad)
    expect(() => read(body, '')).toThrow(bad)
    const without = gatewayOf('stripe')
    expect(() => without.eventReference?.({ headers: new Headers(), body })).toThrow(
      new GatewayFault('no_signing_secret'),
    )
  })
})
