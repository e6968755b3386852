import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { setMailServer } from '../../src/business/notices/mail-server'
import { planPhoneMove } from '../../src/business/users/phone-changes'
import { approveVerification } from '../../src/business/verification/rules'
import { dayMs, systemClock, type Ms } from '../../src/domain/clock'
import { systemNoticeId, type AccountId, type PersonId } from '../../src/domain/ids'
import { parseUsd } from '../../src/domain/money'
import { paymentNotice } from '../../src/business/notices/recipients/notices'
import type { PublicPost } from '../../src/gateway/outbound/public-fetch'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { mailUser, openMailStandIn, readLetter, type MailStandIn } from '../support/mail-server'
import { openVisitor, type Visitor } from './visitor'
import { until } from '../support/pace'
import { atMachine } from '../support/requesters'

interface Told {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly text: string
  readonly seen: boolean
}
interface Posted extends PublicPost {
  readonly url: string
}

let gateway: TestGateway
let sara: Visitor
let ahead = 0
let posted: Posted[] = []
let answer: (url: string) => Promise<number> = () => Promise.resolve(204)
const clock = { now: () => (systemClock.now() + ahead) as Ms }
const texts: { phone: string; text: string }[] = []
let smsService: ReturnType<typeof Bun.serve>

beforeEach(async () => {
  ahead = 0
  posted = []
  texts.length = 0
  answer = () => Promise.resolve(204)
  smsService = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      texts.push((await request.json()) as (typeof texts)[number])
      return new Response('ok')
    },
  })
  gateway = await openTestGateway({
    web: true,
    clock,
    postPublic(url, post) {
      posted.push({ ...post, url })
      return answer(url)
    },
  })
  sara = openVisitor(gateway)
  await sara.signIn('09123456789')
  await gateway.storage.smsProviders.save({
    name: 'main',
    kind: 'webhook',
    options: {
      url: `http://127.0.0.1:${smsService.port}/`,
      'notice-body': '{"phone":"{local}","text":"{text}"}',
    },
    secret: null,
  })
})
afterEach(async () => {
  await gateway.close()
  await smsService.stop(true)
})

/** Waits until what is seen is so. @returns what was seen then */
async function untilSeen<T>(look: () => Promise<T> | T, isSo: (seen: T) => boolean): Promise<T> {
  let seen!: T
  await until(async () => isSo((seen = await look())))
  return seen
}
const bell = async (who: Visitor): Promise<readonly Told[]> =>
  (
    (await who.send('GET', '/notices', undefined, { cookie: `${who.cookie()}; chapar_lang=en` }))
      .body as { data: Told[] }
  ).data
const told = (kind: string, who = sara) =>
  untilSeen(
    () => bell(who),
    (all) => all.some((each) => each.kind === kind),
  ).then((all) => all.filter((each) => each.kind === kind))
interface Me {
  readonly unread: number
  readonly person: { readonly id: PersonId }
  readonly account: { readonly id: AccountId; readonly name: string }
}
const me = async (who = sara) => (await who.send('GET', '/me')).body as Me
const newKey = async (fields: object = {}) => {
  const { data } = (await sara.send('GET', '/projects')).body as { data: { id: number }[] }
  const made = await sara.send('POST', '/keys', { project: data[0]?.id, name: 'laptop', ...fields })
  return made.body as { id: number; secret: string }
}
const topUp = async (usd: string, reference: string) => {
  const { id: account } = (await me()).account
  await gateway.storage.directory.deposit({
    account,
    amount: parseUsd(usd),
    kind: 'topup',
    reference,
  })
  gateway.gateway.changed()
}
const spend = async (key: string, words = 4) => {
  const response = await fetch(`${gateway.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify({
      model: 'sandbox/echo-priced',
      max_tokens: 8,
      messages: [{ role: 'user', content: 'word '.repeat(words) }],
    }),
  })
  await response.arrayBuffer()
  await gateway.gateway.parts.ledger.flush()
  return response.status
}
/** By a code that the provider is given. */
const signInAgain = async () => {
  await sara.send('POST', '/sign-in', { phone: '09123456789' })
  const { code } = texts.at(-1) as unknown as { code: string }
  await sara.send('POST', '/sign-in/check', { phone: '09123456789', code })
}
const choose = (way: string, topic: string, on: boolean) =>
  sara.send('PUT', '/notice-ways/choice', { way, topic, on })

describe('the bell', () => {
  test('tells a cap at 80 and at 100 per cent once, and counts what was not seen', async () => {
    await topUp('50', 'a')
    const { secret } = await newKey({ spend_limit_usd: '0.0005' })
    await told('key_made')
    for (let calls = 0; calls < 60 && (await spend(secret)) === 200; calls++);
    const caps = await untilSeen(
      () => bell(sara),
      (all) => all.filter(({ kind }) => kind === 'key_spend_limit').length === 2,
    )
    expect(caps.map(({ title }) => title)).toContain(
      'Key “laptop”: the end of its limit of $0.000500',
    )
    const { unread } = await me()
    expect(unread).toBe(caps.length)
    const [newest] = caps
    await sara.send('POST', '/notices/seen', { up_to: newest?.id })
    expect((await me()).unread).toBe(0)
    expect((await bell(sara)).every(({ seen }) => seen)).toBe(true)
  })

  test('tells a low balance with the days that it lasts at this pace', async () => {
    await topUp('1', 'a')
    await sara.send('PATCH', '/account', { notice_floor_usd: '0.9999' })
    const { secret } = await newKey()
    await spend(secret, 2000)
    const [low] = await told('balance_floor')
    expect(low?.title).toMatch(/^Balance is low: \$0\.9\d+, \d+ days at this pace$/)
  })

  test('tells payments once each, whoever writes them', async () => {
    const { account } = await me()
    for (const payment of ['pay_1', 'pay_1', 'pay_2'])
      await gateway.storage.notices.add(
        paymentNotice(
          'payment_credited',
          { account, payment, amount: parseUsd('5') },
          { id: systemNoticeId(), created: clock.now() },
        ),
      )
    gateway.gateway.holders.wake()
    const paid = await untilSeen(
      () => bell(sara),
      (all) => all.filter(({ kind }) => kind === 'payment_credited').length === 2,
    )
    expect(paid.find(({ kind }) => kind === 'payment_credited')?.title).toBe(
      'Payment arrived: $5.000000',
    )
  })

  test('tells of a key that ends within a week, and again where its end was moved', async () => {
    const { id } = await newKey({ expires_at: clock.now() + 30 * dayMs })
    await told('key_made')
    ahead = 25 * dayMs
    await signInAgain()
    gateway.gateway.holders.wake()
    expect(await told('key_ending')).toHaveLength(1)
    await sara.send('PATCH', `/keys/${id}`, { expires_at: clock.now() + 6 * dayMs })
    await untilSeen(
      () => bell(sara),
      (all) => all.filter(({ kind }) => kind === 'key_ending').length === 2,
    )
  })

  test('tells of a sign-in from a new place, and not of the first or of a known one', async () => {
    const signIn = async (browser: string) => {
      ahead += 61_000
      const visitor = openVisitor(gateway)
      const phone = '09120000007'
      const agent = { 'user-agent': `Mozilla/5.0 (Windows) ${browser}/140` }
      await visitor.send('POST', '/sign-in', { phone }, agent)
      const { code } = texts.at(-1) as unknown as { code: string }
      expect((await visitor.send('POST', '/sign-in/check', { phone, code }, agent)).status).toBe(
        200,
      )
      return visitor
    }
    await signIn('Chrome')
    await signIn('Chrome')
    const reza = await signIn('Firefox')
    const places = await told('sign_in_new_place', reza)
    expect(places).toHaveLength(1)
    expect(places[0]?.text).toContain('Firefox · Windows 127.0.0.1')
  })
})

describe('ways', () => {
  test('an SMS says the title to whoever switched it on, ten a day for an account', async () => {
    await choose('sms', 'key_made', true)
    for (let keys = 0; keys < 12; keys++) await newKey({ name: `k${keys}` })
    await untilSeen(
      () => bell(sara),
      (all) => all.length === 12,
    )
    await untilSeen(
      () => texts,
      (all) => all.length === 10,
    )
    expect(texts[0]).toEqual({
      phone: '09123456789',
      text: 'chapar: کلید تازه‌ای ساخته شد: «\u2068k0\u2069»',
    })
    ahead = dayMs
    await sara.send('PUT', '/notice-ways/language', { language: 'en' })
    await signInAgain()
    texts.length = 0
    await newKey({ name: 'tomorrow' })
    await untilSeen(
      () => texts,
      (all) => all.length === 1,
    )
    expect(texts[0]?.text).toBe('chapar: A key was made: “tomorrow”')
  })

  test('what is switched off does not come, and what guards the number cannot be', async () => {
    for (const way of ['bell', 'sms', 'email'])
      expect((await choose(way, 'phone', false)).body as object).toEqual({
        error: { code: 'choice_fixed' },
      })
    expect((await choose('webhook', 'sign_in', true)).status).toBe(400)
    await choose('bell', 'key_made', false)
    await newKey()
    const { person } = await me()
    await planPhoneMove(
      { store: gateway.storage.phoneMoves, requester: atMachine, now: clock.now() },
      { person: person.id, phone: null },
    )
    gateway.gateway.changed()
    await told('phone_moves')
    expect((await bell(sara)).map(({ kind }) => kind)).toEqual(['phone_moves'])
    expect(
      (
        await untilSeen(
          () => texts,
          (all) => all.length === 1,
        )
      )[0]?.text,
    ).toContain('شمارهٔ شما')
  })

  test('an invitation reaches whoever has signed in before, and no stranger', async () => {
    const reza = openVisitor(gateway)
    await gateway.storage.smsProviders.remove('main')
    await reza.signIn('09120000001')
    for (const phone of ['09120000001', '09120000002'])
      await sara.send('POST', '/members/invitations', { phone, role: 'member' })
    gateway.gateway.changed()
    const [invited] = await told('invited', reza)
    expect(invited?.text).toContain('0912 ··· 6789')
  })

  test('members are told of keys that they made, and of nothing else of the account', async () => {
    const reza = openVisitor(gateway)
    await gateway.storage.smsProviders.remove('main')
    await reza.signIn('09120000001')
    await sara.send('POST', '/members/invitations', { phone: '09120000001', role: 'member' })
    const { invitations } = (await reza.send('GET', '/me')).body as {
      invitations: { id: number }[]
    }
    await reza.send('POST', `/invitations/${invitations[0]?.id}/accept`)
    await newKey({ name: 'theirs' })
    const { data } = (await reza.send('GET', '/projects')).body as { data: { id: number }[] }
    await reza.send('POST', '/keys', { project: data[0]?.id, name: 'mine' })
    await untilSeen(
      () => bell(sara),
      (all) => all.filter(({ kind }) => kind === 'key_made').length === 2,
    )
    const made = await told('key_made', reza)
    expect(made.map(({ title }) => title)).toEqual(['A key was made: “mine”'])
  })
})

describe('mail', () => {
  let mail: MailStandIn
  beforeEach(async () => {
    mail = await openMailStandIn()
    await setMailServer(gateway.storage.connections, {
      host: 'localhost',
      port: mail.port,
      security: 'none',
      user: mailUser.user,
      password: mailUser.password,
      from: 'Chapar <notices@example.com>',
    })
  })
  afterEach(() => mail.close())
  const confirm = async () => {
    await sara.send('POST', '/notice-ways/email', { email: 'Sara@Example.COM' })
    const [letter] = await mail.until(1)
    const { text } = readLetter(letter?.raw ?? '')
    const [code] = /^\d{6}$/m.exec(text) ?? []
    return (await sara.send('POST', '/notice-ways/email/check', { code })).body as {
      email: string
    }
  }

  test('goes to an address once its code was typed, in the language and direction of its reader', async () => {
    expect((await me()).unread).toBe(0)
    expect(await confirm()).toMatchObject({ email: 'Sara@example.com', email_pending: null })
    await newKey()
    const [, letter] = await mail.until(2)
    expect(letter?.to).toEqual(['Sara@example.com'])
    const { subject, text, html } = readLetter(letter?.raw ?? '')
    expect(subject).toContain('کلید تازه‌ای ساخته شد')
    expect(text).toContain('ساخته شد. اگر هیچ‌کدام از شما نساخته است')
    expect(html).toContain('<html lang="fa" dir="rtl">')
    expect(html).not.toMatch(/src=|url\(/)
    await sara.send('PUT', '/notice-ways/language', { language: 'en' })
    await newKey({ name: '<b>bold</b>' })
    const english = readLetter((await mail.until(3))[2]?.raw ?? '')
    expect(english.html).toContain('dir="ltr"')
    expect(english.html).toContain('&lt;b&gt;bold&lt;/b&gt;')
  })

  test('wrong codes confirm nothing, five of them end it, and codes are sent sparingly', async () => {
    await sara.send('POST', '/notice-ways/email', { email: 'sara@example.com' })
    const wrong = async () =>
      (
        (await sara.send('POST', '/notice-ways/email/check', { code: '0000000' })).body as {
          error: { code: string }
        }
      ).error.code
    const codes = []
    for (let tries = 0; tries < 6; tries++) codes.push(await wrong())
    expect(codes).toEqual([
      ...Array.from({ length: 4 }, () => 'email_code_wrong'),
      'email_code_expired',
      'email_code_expired',
    ])
    const again = await sara.send('POST', '/notice-ways/email', { email: 'sara@example.com' })
    expect(again.body as object).toMatchObject({ error: { code: 'email_code_too_soon' } })
    const { body } = await sara.send('POST', '/notice-ways/email', { email: 'a@b' })
    expect(body as object).toMatchObject({ error: { code: 'email_invalid' } })
  })

  test('that is refused for good is not tried again, and holds up no other way', async () => {
    await confirm()
    mail.refuse(550)
    await choose('sms', 'key_made', true)
    await newKey()
    await untilSeen(
      () => texts,
      (all) => all.length === 1,
    )
    await untilSeen(
      () => gateway.storage.holderNotices.nextDue('email'),
      (next) => next === null,
    )
    expect(mail.received).toHaveLength(1)
  })

  test('that cannot be taken now is tried again', async () => {
    await confirm()
    mail.refuse(451)
    await newKey()
    const next = await untilSeen(
      () => gateway.storage.holderNotices.nextDue('email'),
      (due) => due !== null && due > clock.now(),
    )
    mail.refuse(null)
    ahead += (next ?? 0) - clock.now() + 1
    gateway.gateway.holders.wake()
    await mail.until(2)
  })
})

describe('a webhook of an account', () => {
  const set = async (url: string) =>
    (await sara.send('PUT', '/notice-ways/webhook', { url })).body as { secret: string }

  test('gets what concerns the account, signed by a secret that is shown once', async () => {
    const { secret } = await set('https://hooks.example.com/chapar')
    expect(JSON.stringify((await sara.send('GET', '/notice-ways')).body)).not.toContain(secret)
    await newKey()
    const [post] = await untilSeen(
      () => posted,
      (all) => all.length === 1,
    )
    const { headers = {}, body = '', url } = post ?? {}
    expect(url).toBe('https://hooks.example.com/chapar')
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
    const signature = createHmac('sha256', key).update(signed).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${signature}`)
    expect(JSON.parse(body)).toMatchObject({ kind: 'key_made', subject: { type: 'key' } })
  })

  test('must be https, and no address of ours or of a private network in any spelling', async () => {
    const refusal = async (url: string) =>
      ((await set(url)) as unknown as { error?: { code: string } }).error?.code
    expect(await refusal('http://example.com/')).toBe('webhook_invalid')
    for (const host of [
      '127.0.0.1',
      '127.0.0.1.',
      '127.1',
      '0x7f.1',
      '0177.0.0.1',
      '2130706433',
      '１２７.0.0.1',
      '%31%32%37.0.0.1',
      '0.0.0.0',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '100.64.0.1',
      '169.254.169.254',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::127.0.0.1]',
      '[fe80::1]',
      '[fd00::1]',
      '[64:ff9b::7f00:1]',
      '[2002:7f00:1::]',
      'localhost',
      'LOCALHOST.',
      'db.localhost:8443',
    ])
      expect([host, await refusal(`https://${host}/x`)]).toEqual([host, 'webhook_private'])
    for (const host of [
      'hooks.example.com',
      '8.8.8.8',
      '[2606:4700::1111]',
      'localhost.example.com',
    ])
      expect([host, await refusal(`https://${host}/x`)]).toEqual([host, undefined])
  })

  test('that an earlier program took is never posted to where it is not public', async () => {
    await gateway.close()
    // With the way out that the program has.
    gateway = await openTestGateway({ web: true, clock })
    sara = openVisitor(gateway)
    await sara.signIn('09123456789')
    const { person, account } = await me()
    const webhook = { url: 'https://127.0.0.1:1/', secret: 'whsec_c2VjcmV0' }
    await gateway.storage.accountWebhooks.save(person.id, account.id, webhook)
    await newKey()
    await told('key_made')
    expect(
      await untilSeen(
        () => gateway.storage.holderNotices.nextDue('webhook'),
        (next) => next === null,
      ),
    ).toBeNull()
  })

  test('that never answers holds up nobody else', async () => {
    const reza = openVisitor(gateway)
    await gateway.storage.smsProviders.remove('main')
    await reza.signIn('09120000001')
    const stuck = Promise.withResolvers<number>()
    answer = (url) => (url.includes('slow') ? stuck.promise : Promise.resolve(204))
    await set('https://slow.example.com/')
    await reza.send('PUT', '/notice-ways/webhook', { url: 'https://quick.example.com/' })
    for (let keys = 0; keys < 30; keys++) await newKey({ name: `k${keys}` })
    const { data } = (await reza.send('GET', '/projects')).body as { data: { id: number }[] }
    await reza.send('POST', '/keys', { project: data[0]?.id, name: 'quick' })
    await untilSeen(
      () => posted,
      (all) => all.some(({ url }) => url.includes('quick')),
    )
    expect(posted.filter(({ url }) => url.includes('slow'))).toHaveLength(1)
    stuck.resolve(204)
  })
})

test('a decision is told to the customer, a request to the operator', async () => {
  await sara.send('POST', '/verification', {
    first_name: 'Sara',
    last_name: 'Rezaei',
    national_code: '0012345679',
    birth_date: '1990-03-21',
    consent: true,
  })
  await untilSeen(
    () => gateway.storage.notices.list({ pending: false, most: 9 }),
    (all) => all.some(({ notice }) => notice.kind === 'verification_submitted'),
  )
  expect(await bell(sara)).toEqual([])
  await approveVerification(
    { store: gateway.storage.verifications, clock, personAccounts: 1 },
    (await me()).account.id,
  )
  gateway.gateway.changed()
  expect((await told('verification_approved'))[0]?.title).toBe('Your identity is verified')
})
