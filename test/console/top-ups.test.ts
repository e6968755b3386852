import { afterEach, describe, expect, test } from 'bun:test'
import type { AccountId } from '../../src/domain/ids'
import { parseUsd } from '../../src/domain/money'
import type { PaymentOrder } from '../../src/business/payments/card-desk'
import { createRedeemCodes } from '../../src/business/payments/vouchers'
import { redeemHash } from '../../src/server/composition/payment-service'
import { handClock, testFolder, type HandClock } from '../storage/folder'
import { openTestGateway, type TestGateway } from '../support/gateway'
import {
  openGatewayStandIn,
  type GatewayStandIn,
  type StandInKind,
} from '../payments/gateway-stand-ins'
import { openVisitor, printedWord, type Visitor } from './visitor'

interface Shown {
  readonly id: string
  readonly page: string
  readonly state: string
  readonly usd: string
  readonly reference: string
  readonly receipt: { rate: string; is_late: boolean; number: string; card: string } | null
}
interface Refused {
  readonly error: { readonly code: string; readonly [fact: string]: string | number }
}

let open: { gateway: TestGateway; visitor: Visitor; clock: HandClock; bank: GatewayStandIn | null }
afterEach(async () => {
  await open.gateway.close()
  await open.bank?.stop()
})

/** A service with one gateway, or the bank for trying, and somebody signed in. */
async function begin(
  kind: StandInKind | null,
  env: Record<string, string> = {},
  folder: string | null = null,
) {
  const clock = handClock()
  const at = folder === null ? {} : { folder }
  const gateway = await openTestGateway({ web: true, clock, env, ...at })
  const bank = kind === null ? null : openGatewayStandIn(kind)
  if (bank !== null)
    await gateway.storage.cardGateways.save({
      name: 'main',
      kind: bank.kind,
      options: { base: bank.base },
      secret: kind === 'stripe' ? `${bank.secret}\nwhsec_secret00` : bank.secret,
    })
  await gateway.storage.payments.setRate('100000', 'test')
  const visitor = openVisitor(gateway)
  await visitor.signIn('09123456789')
  open = { gateway, visitor, clock, bank }
  return open
}

const inCoins = (coins = 50_000) => ({ gateway: 'main', coins, rate: '100000' })
const start = async (body: object = inCoins()) => await open.visitor.send('POST', '/top-ups', body)
const startedOne = async (body?: object) => (await start(body)).body as Shown
const shown = async (id: string) => (await open.visitor.send('GET', `/top-ups/${id}`)).body as Shown
const codeOf = (reply: { body: never }) => (reply.body as Refused).error.code
const balance = async () =>
  ((await open.visitor.send('GET', '/me')).body as { account: { balance_usd: string } }).account
    .balance_usd
const back = (id: string, method = 'GET') =>
  fetch(`${new URL(open.gateway.url).origin}/app/return/${id}?Authority=x&Status=OK`, {
    method,
    redirect: 'manual',
  })

describe('a payment by card', () => {
  test('is credited at the return, without a cookie, by GET and by POST, once', async () => {
    const { bank } = await begin('zarinpal')
    const { id, page, reference, state } = await startedOne()
    expect(state).toBe('started')
    expect(page).toBe(`${bank?.base}/pg/StartPay/${reference}`)
    expect(bank?.sessions.get(reference)).toMatchObject({
      amount: 500_000,
      order: id,
      returnTo: `${new URL(open.gateway.url).origin}/app/return/${id}`,
    })
    // Whoever forges a return pays nothing by it.
    expect((await back(id)).headers.get('location')).toBe(`/app/credit/${id}`)
    expect(await balance()).toBe('0.000000')
    bank?.decide(reference, 'paid')
    const replies = await Promise.all([back(id), back(id, 'POST'), back(id)])
    expect(replies.map(({ status }) => status)).toEqual([303, 303, 303])
    expect(await shown(id)).toMatchObject({
      state: 'credited',
      usd: '0.500000',
      receipt: { rate: '100000', is_late: false, number: '201', card: '502229******5995' },
    })
    expect(await balance()).toBe('0.500000')
    expect(await open.gateway.audit()).toMatchObject({ ok: true })
  })

  test('keeps the promised rate for 15 minutes, and takes that of the moment behind them', async () => {
    const { clock, gateway, bank } = await begin('zibal')
    const [soon, late] = [await startedOne(), await startedOne()]
    await gateway.storage.payments.setRate('200000', 'test')
    for (const { reference } of [soon, late]) bank?.decide(reference, 'paid')
    clock.set(clock.now() + 15 * 60_000)
    expect(await shown(soon.id)).toMatchObject({ usd: '0.500000', receipt: { is_late: false } })
    clock.set(clock.now() + 1)
    expect(await shown(late.id)).toMatchObject({
      usd: '0.250000',
      receipt: { rate: '200000', is_late: true },
    })
    expect(await gateway.storage.payments.list({ account: null, most: 9 })).toMatchObject([
      { rate: '200000', amount: parseUsd('0.25') },
      { rate: '100000', amount: parseUsd('0.5') },
    ])
  })

  test('that failed is credited when its customer goes back and pays', async () => {
    const { bank, clock, gateway } = await begin('zarinpal')
    const { id, reference } = await startedOne()
    bank?.decide(reference, 'failed')
    await back(id)
    expect(await shown(id)).toMatchObject({ state: 'refused' })
    bank?.decide(reference, 'paid')
    clock.set(clock.now() + 31_000)
    await gateway.payments.reconciler.step()
    expect(await shown(id)).toMatchObject({ state: 'credited' })
    // The people of the account hear of both, once.
    await back(id)
    const told = await gateway.storage.notices.list({ pending: false, most: 99 })
    const ofPayments = told.filter(({ notice }) => notice.period === id)
    expect(
      ofPayments.map(({ notice }) => notice.kind).toSorted((a, b) => (a < b ? -1 : 1)),
    ).toEqual(['payment_credited', 'payment_refused'])
  })

  test('whose customer never comes back is found by the clock, or given up after a day', async () => {
    const { bank, clock, gateway } = await begin('zibal')
    const [paid, left] = [await startedOne(), await startedOne()]
    bank?.decide(paid.reference, 'paid')
    await gateway.payments.reconciler.step()
    expect(await balance()).toBe('0.000000')
    clock.set(clock.now() + 30_000)
    await gateway.payments.reconciler.step()
    expect(await balance()).toBe('0.500000')
    clock.set(clock.now() + 24 * 3_600_000)
    await gateway.payments.reconciler.step()
    expect(await shown(left.id)).toMatchObject({ state: 'expired' })
    const asked = bank?.heard.length
    await gateway.payments.reconciler.step()
    expect(bank?.heard.length).toBe(asked as number)
  })

  test('belongs to its account alone', async () => {
    await begin('zarinpal')
    const { id } = await startedOne()
    const other = openVisitor(open.gateway)
    await other.signIn('09120000000')
    const reply = await other.send('GET', `/top-ups/${id}`)
    expect([reply.status, codeOf(reply)]).toEqual([404, 'payment_not_found'])
    const { body } = await other.send('GET', '/top-ups')
    expect((body as { data: unknown[] }).data).toEqual([])
  })

  test('is refused with the gateway’s own code, and nothing is left to settle', async () => {
    const { bank } = await begin('zarinpal')
    bank?.answerOnce({ data: [], errors: { code: -14 } })
    const reply = await start()
    expect([reply.status, (reply.body as Refused).error]).toEqual([
      503,
      { code: 'gateway_refused', gateway: 'main', fault: '-14' },
    ])
    const [kept] = await open.gateway.storage.cardPayments.list({
      account: null,
      state: 'refused',
      before: null,
      max: 1,
    })
    expect(kept).toMatchObject({ code: '-14', due: null, reference: null })
  })

  test('is not begun under a reference that another payment has', async () => {
    const { bank } = await begin('zarinpal')
    const { reference } = await startedOne()
    bank?.answerOnce({ data: { code: 100, authority: reference }, errors: [] })
    expect(codeOf(await start())).toBe('gateway_refused')
  })

  test('wants an amount within bounds, the rate that the page showed, and not too many', async () => {
    const { gateway } = await begin('zarinpal')
    expect(codeOf(await start(inCoins(49_999)))).toBe('coins_out_of_range')
    expect(codeOf(await start({ gateway: 'main', usd: '5' }))).toBe('coins_out_of_range')
    expect(codeOf(await start({ ...inCoins(), gateway: 'other' }))).toBe('gateway_unknown')
    expect(codeOf(await start({ ...inCoins(), gateway: 'bank' }))).toBe('gateway_unknown')
    await gateway.storage.payments.setRate('110000', 'test')
    expect((await start()).body as Refused).toEqual({
      error: { code: 'rate_changed', rate: '110000' },
    })
    const now = { ...inCoins(), rate: '110000' }
    for (let at = 0; at < 20; at++) expect((await start(now)).status).toBe(200)
    const reply = await start(now)
    expect([reply.status, codeOf(reply)]).toEqual([429, 'top_up_too_often'])
    expect(reply.headers.get('retry-after')).toBe('3600')
  })

  test('is begun twenty times in an hour, also by many at once', async () => {
    const { gateway } = await begin('zarinpal')
    const { body } = await open.visitor.send('GET', '/me')
    const { account } = body as { account: { id: AccountId } }
    const order: PaymentOrder = {
      account: account.id,
      person: null,
      gateway: 'main',
      pays: { coins: 50_000, shownRate: '100000' },
      mobile: null,
      description: 'test',
      origin: 'http://localhost',
    }
    const all = await Promise.allSettled(
      Array.from({ length: 40 }, () => gateway.payments.cards.start(order)),
    )
    const refused = all.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(20)
    for (const each of refused) expect(each).toMatchObject({ reason: { code: 'top_up_too_often' } })
    const kept = { account: account.id, state: null, before: null, max: 100 }
    expect(await gateway.storage.cardPayments.list(kept)).toHaveLength(20)
  })

  test('is closed by a rate that is too old, which an operator is told once', async () => {
    const { clock, gateway } = await begin('zarinpal', { CHAPAR_RATE_MAX_AGE: '2h' })
    clock.set(clock.now() + 2 * 3_600_000)
    expect((await start()).status).toBe(200)
    clock.set(clock.now() + 1)
    expect(codeOf(await start())).toBe('rate_too_old')
    for (let round = 0; round < 2; round++) await gateway.payments.reconciler.step()
    const told = await gateway.storage.notices.list({ pending: false, most: 9 })
    expect(told.map(({ notice }) => notice.kind)).toEqual(['rate_too_old'])
    await gateway.storage.payments.setRate('120000', 'test')
    expect((await start({ ...inCoins(), rate: '120000' })).status).toBe(200)
  })

  test('of another’s books is told to the operator once, and credits nobody', async () => {
    const { bank, gateway, clock } = await begin('zarinpal')
    const { reference } = await startedOne()
    bank?.decide(reference, 'paid')
    // As after a backup was restored: ours by its address, and unknown here.
    bank?.answerOnce({
      data: {
        code: '100',
        authorities: [
          {
            authority: 'A77',
            amount: 700_000,
            callback_url: `https://ai.example.com/app/return/pay_${'a'.repeat(32)}`,
          },
          { authority: 'A78', amount: 900_000, callback_url: 'https://shop.example.com/back' },
          { authority: reference, amount: 500_000, callback_url: 'x' },
        ],
      },
      errors: [],
    })
    await gateway.payments.reconciler.step()
    clock.set(clock.now() + 24 * 3_600_000)
    await gateway.payments.reconciler.step()
    const told = (await gateway.storage.notices.list({ pending: false, most: 9 })).filter(
      ({ notice }) => notice.kind === 'payment_unknown',
    )
    expect(told.map(({ notice }) => notice.subject.payment)).toEqual([
      {
        id: `pay_${'a'.repeat(32)}`,
        gateway: 'main',
        reference: 'A77',
        currency: 'IRR',
        amount: 700_000,
      },
    ])
    // What we do know was settled by the same list.
    expect(await balance()).toBe('0.500000')
  })
})

describe('Stripe', () => {
  test('is paid in dollars; its webhook credits what its server calls paid', async () => {
    const { bank, gateway, clock } = await begin('stripe')
    const { id, reference } = await startedOne({ gateway: 'main', usd: '12.5' })
    expect(bank?.sessions.get(reference)).toMatchObject({ amount: 1250, order: id })
    const body = JSON.stringify({
      type: 'checkout.session.completed',
      data: { object: { id: reference, payment_status: 'paid' } },
    })
    const hook = async (sent: string, path = 'main') => {
      const at = Math.floor(clock.now() / 1000)
      const signature = new Bun.CryptoHasher('sha256', 'whsec_secret00')
        .update(`${at}.${body}`)
        .digest('hex')
      const reply = await fetch(`${new URL(gateway.url).origin}/app/webhook/${path}`, {
        method: 'POST',
        headers: { 'stripe-signature': `t=${at},v1=${signature}` },
        body: sent,
      })
      return reply.status
    }
    expect(await hook(`${body} `)).toBe(400)
    expect(await hook(body, 'other')).toBe(404)
    // Signed, but Stripe itself does not call it paid.
    expect(await hook(body)).toBe(200)
    expect(await balance()).toBe('0.000000')
    bank?.decide(reference, 'paid')
    expect(await hook(body)).toBe(200)
    expect(await hook(body)).toBe(200)
    expect(await balance()).toBe('12.500000')
    expect(await shown(id)).toMatchObject({
      state: 'credited',
      receipt: { rate: null, number: 'pi_1', card: '**** **** **** 4242' },
    })
    expect(codeOf(await start({ gateway: 'main', usd: '0.5' }))).toBe('usd_out_of_range')
  })
})

describe('the test bank', () => {
  const page = (path: string, init: RequestInit = {}) =>
    fetch(`${new URL(open.gateway.url).origin}${path}`, { redirect: 'manual', ...init })

  test('takes no money, and is gone once a gateway is set up', async () => {
    const { gateway } = await begin(null)
    const { id, page: address } = await startedOne({ ...inCoins(), gateway: 'bank' })
    const answer = await page(address)
    expect(answer.headers.get('content-security-policy')).toContain(`default-src 'none'`)
    expect(await answer.text()).toContain('<form method="post">')
    const { origin } = new URL(gateway.url)
    const word = printedWord(gateway.logs())
    const pay = (typed = word) =>
      page(address, { method: 'POST', body: `do=pay&word=${typed}`, headers: { origin } })
    for (const wrong of ['', '%20', 'AAAA-AAAA', word.slice(1), `${word}2`]) {
      const refused = await pay(wrong)
      expect(refused.status).toBe(403)
      expect(await refused.text()).toContain('aria-invalid')
    }
    await back(id)
    expect(await shown(id)).toMatchObject({ state: 'started' })
    const long = await page(address, {
      method: 'POST',
      body: `do=pay&x=${'y'.repeat(5000)}`,
      headers: { origin },
    })
    expect(long.status).toBe(413)
    // Written as people write.
    const typed = ` ${word.toLowerCase().replace('-', ' ')}`
    expect((await pay(typed)).headers.get('location')).toBe(`/app/return/${id}`)
    await back(id)
    expect(await shown(id)).toMatchObject({ state: 'credited' })
    await gateway.storage.cardGateways.save({
      name: 'main',
      kind: 'zibal',
      options: {},
      secret: 'zibal',
    })
    expect((await pay()).status).toBe(404)
    expect(codeOf(await start({ ...inCoins(), gateway: 'bank' }))).toBe('gateway_unknown')
  })

  test('has a word for each payment', async () => {
    const { gateway } = await begin(null)
    const pays = { ...inCoins(), gateway: 'bank' }
    await startedOne(pays)
    const first = printedWord(gateway.logs())
    const { page: address } = await startedOne(pays)
    expect(printedWord(gateway.logs())).not.toBe(first)
    const paid = await page(address, { method: 'POST', body: `do=pay&word=${first}` })
    expect(paid.status).toBe(403)
  })

  test('is there in demo mode alone, and pays nothing that began in it', async () => {
    using folder = testFolder()
    await begin(null, {}, folder.path)
    const pays = { ...inCoins(), gateway: 'bank' }
    const { page: address } = await startedOne(pays)
    const word = printedWord(open.gateway.logs())
    const cookie = open.visitor.cookie().replace('chapar=', '__Host-chapar=')
    await open.gateway.close()
    open.gateway = await openTestGateway({
      web: true,
      clock: open.clock,
      folder: folder.path,
      env: { CHAPAR_DEMO: '0' },
    })
    const visitor = openVisitor(open.gateway)
    expect(codeOf(await visitor.send('POST', '/top-ups', pays, { cookie }))).toBe('top_up_off')
    const { body } = await visitor.send('GET', '/top-ups', undefined, { cookie })
    expect((body as { offer: { ways: unknown[] } }).offer.ways).toEqual([])
    expect((await page(address)).status).toBe(404)
    const paid = await page(address, { method: 'POST', body: `do=pay&word=${word}` })
    expect(paid.status).toBe(404)
  })
})

describe('where the service is reached', () => {
  const closed = async (headers: object) => {
    const { body } = await open.visitor.send('GET', '/top-ups', undefined, headers)
    return (body as { offer: { ways: { closed: string | null }[] } }).offer.ways[0]?.closed
  }

  test('is configured, or nobody pays by card', async () => {
    using folder = testFolder()
    await begin('zarinpal', {}, folder.path)
    const cookie = open.visitor.cookie().replace('chapar=', '__Host-chapar=')
    await open.gateway.close()
    const asked = { clock: open.clock, folder: folder.path, web: true } as const
    open.gateway = await openTestGateway({ ...asked, env: { CHAPAR_DEMO: '0' } })
    open.visitor = openVisitor(open.gateway)
    const elsewhere = { cookie, host: 'evil.example' }
    for (const headers of [{ cookie }, elsewhere]) {
      const refused = await open.visitor.send('POST', '/top-ups', inCoins(), headers)
      expect([refused.status, codeOf(refused)]).toEqual([409, 'public_url_missing'])
      expect(await closed(headers)).toBe('public_url_missing')
    }
    await open.gateway.close()
    const env = { CHAPAR_DEMO: '0', CHAPAR_URL: 'https://ai.example.ir' }
    open.gateway = await openTestGateway({ ...asked, env })
    open.visitor = openVisitor(open.gateway)
    expect(await closed({ cookie })).toBeNull()
    const { body } = await open.visitor.send('POST', '/top-ups', inCoins(), elsewhere)
    const { id, reference } = body as Shown
    expect(open.bank?.sessions.get(reference)?.returnTo).toBe(
      `https://ai.example.ir/app/return/${id}`,
    )
  })

  test('is where it listens in demo mode, whatever a request says', async () => {
    const { visitor, gateway, bank } = await begin('zarinpal')
    const { origin } = new URL(gateway.url)
    const { body } = await visitor.send('POST', '/top-ups', inCoins(), { host: 'evil.example' })
    const { id, reference } = body as Shown
    expect(bank?.sessions.get(reference)?.returnTo).toBe(`${origin}/app/return/${id}`)
  })
})

test('the audit shows a credit that is not what was put on the account', async () => {
  using folder = testFolder()
  const { gateway, bank } = await begin('zibal', {}, folder.path)
  const { id, reference } = await startedOne()
  bank?.decide(reference, 'paid')
  await back(id)
  expect(await gateway.audit()).toMatchObject({ ok: true })
  folder.raw().run('UPDATE card_payments SET credited_amount = credited_amount + 1')
  expect((await gateway.audit()).differences).toEqual([
    `payment ${id}: it was credited $0.500000001, the transfers come to $0.500000000 (off by $0.000000001)`,
  ])
})

describe('a redeem code', () => {
  const made = async (count: number, expires: number | null = null) => {
    const { storage } = open.gateway
    const codes = await createRedeemCodes(
      {
        store: storage.redeemCodes,
        clock: open.clock,
        hashOf: redeemHash(storage.pepper),
      },
      { amount: parseUsd('10'), count, batch: 'test', expires: expires as never, by: 'test' },
    )
    return codes.map(({ code }) => code)
  }
  const redeem = async (code: string, visitor = open.visitor) =>
    await visitor.send('POST', '/codes', { code })

  test('is worth its money once, in any digits, however many ask at once', async () => {
    await begin(null)
    const [code = ''] = await made(1)
    const persian = code.replace(/\d/g, (digit) => String.fromCodePoint(0x6f0 + Number(digit)))
    const typed = persian.replace(/(.{4})/g, '$1 - ')
    const replies = await Promise.all(Array.from({ length: 8 }, () => redeem(typed)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(7)
    expect(await balance()).toBe('10.000000')
    expect(codeOf(await redeem(code))).toBe('redeem_code_yours')
    const other = openVisitor(open.gateway)
    await other.signIn('09120000000')
    expect(codeOf(await redeem(code, other))).toBe('redeem_code_used')
    expect(await open.gateway.audit()).toMatchObject({ ok: true })
    expect(await open.gateway.storage.moneyIn({ from: null, to: null })).toMatchObject({
      byWay: { code: { count: 1, amount: parseUsd('10') } },
    })
  })

  test('that is over or revoked is worth nothing', async () => {
    await begin(null)
    const [over = ''] = await made(1, open.clock.now() + 1000)
    const [revoked = ''] = await made(1)
    open.clock.set(open.clock.now() + 1000)
    expect(codeOf(await redeem(over))).toBe('redeem_code_over')
    expect(await open.gateway.storage.redeemCodes.revoke({ batch: 'test' })).toBe(2)
    expect(codeOf(await redeem(revoked))).toBe('redeem_code_over')
    expect(await balance()).toBe('0.000000')
  })

  test('is not guessed: ten wrong ones an hour of a person, and an operator hears of many', async () => {
    const { gateway, clock } = await begin(null, { CHAPAR_WRONG_REDEEM_ALARM: '10' })
    const [code = ''] = await made(1)
    expect(codeOf(await redeem('123'))).toBe('redeem_code_invalid')
    const guess = () => redeem(String(Math.random()).slice(2).padEnd(20, '7').slice(0, 20))
    const replies = await Promise.all(Array.from({ length: 40 }, guess))
    const codes = replies.map(codeOf)
    expect(codes.filter((each) => each === 'redeem_code_unknown')).toHaveLength(10)
    expect(codes.filter((each) => each === 'redeem_locked')).toHaveLength(30)
    // The right one has to wait too.
    const locked = await redeem(code)
    expect([locked.status, codeOf(locked)]).toEqual([429, 'redeem_locked'])
    expect(locked.headers.get('retry-after')).toBe('3600')
    const told = await gateway.storage.notices.list({ pending: false, most: 9 })
    expect(told.map(({ notice }) => notice.kind)).toEqual(['wrong_redeem_codes'])
    clock.set(clock.now() + 3_600_000)
    expect((await redeem(code)).status).toBe(200)
  })
})
