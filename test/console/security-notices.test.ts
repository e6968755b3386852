import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { setMailServer } from '../../src/business/notices/mail-server'
import { systemClock, type Ms } from '../../src/domain/clock'
import { securityKinds } from '../../src/domain/notice'
import { maxSecuritySms, topics, ways } from '../../src/business/notices/recipients/topics'
import { openAuthenticator } from '../people/authenticator'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { mailUser, openMailStandIn, readLetter, type MailStandIn } from '../support/mail-server'
import { openVisitor, type Visitor } from './visitor'

/* Sara owns an account; Reza is or becomes a member of it. */

const saras = '09123456789'
const rezas = '09120000001'
/** As in the addresses of the gateway: there are passkeys at this one. */
const site = { rpId: 'localhost', origin: 'http://localhost' }

let gateway: TestGateway
let mail: MailStandIn
let smsService: ReturnType<typeof Bun.serve>
let sara: Visitor
let reza: Visitor
/** Where each notice went, as `kind way receiver`. */
let sent: string[]
let ahead = 0
const clock = { now: () => (systemClock.now() + ahead) as Ms }

beforeEach(async () => {
  sent = []
  ahead = 0
  smsService = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { phone, text } = (await request.json()) as { phone: string; text: string }
      sent.push(`${text.replace('chapar: ', '')} sms ${phone}`)
      return new Response('ok')
    },
  })
  gateway = await openTestGateway({
    web: true,
    clock,
    env: { CHAPAR_URL: site.origin },
    postPublic(url, { body }) {
      sent.push(`${(JSON.parse(body) as { kind: string }).kind} webhook ${url}`)
      return Promise.resolve(204)
    },
  })
  mail = await openMailStandIn()
  await setMailServer(gateway.storage.connections, {
    host: 'localhost',
    port: mail.port,
    security: 'none',
    user: mailUser.user,
    password: mailUser.password,
    from: 'Chapar <notices@example.com>',
  })
  sara = openVisitor(gateway)
  reza = openVisitor(gateway)
  await sara.signIn(saras)
  await reza.signIn(rezas)
  for (const who of [sara, reza]) await who.send('PUT', '/notice-ways/language', { language: 'en' })
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
  await Promise.all([mail.close(), smsService.stop(true)])
})

interface Me {
  readonly person: { readonly id: number }
  readonly account: { readonly id: number; readonly role: string }
  readonly invitations: readonly { readonly id: number }[]
}
interface Told {
  readonly kind: string
  readonly topic: string
  readonly text: string
}
const me = async (who: Visitor) => (await who.send('GET', '/me')).body as Me
const bell = async (who: Visitor): Promise<readonly Told[]> =>
  ((await who.send('GET', '/notices')).body as { data: Told[] }).data.filter(
    ({ topic }) => topic === 'security',
  )
const kinds = async (who: Visitor) => (await bell(who)).map(({ kind }) => kind)
/** Waits until something was sent so. @throws Error when it is not in ten seconds */
async function reached(what: string): Promise<void> {
  const letters = () =>
    mail.received.flatMap(({ to, raw }) => to.map((each) => `${readLetter(raw).subject} ${each}`))
  for (let tries = 0; ![...sent, ...letters()].some((each) => each.includes(what)); tries++) {
    if (tries === 2000) throw new Error(`${what} is not in ${[...sent, ...letters()].join('; ')}`)
    await Bun.sleep(5)
  }
}
const setEmail = async (who: Visitor, email: string) => {
  const letters = mail.received.length
  // Codes are sent once a minute.
  ahead += 61_000
  await who.send('POST', '/notice-ways/email', { email })
  const { text } = readLetter((await mail.until(letters + 1)).at(-1)?.raw ?? '')
  const code = /^\d{6}$/m.exec(text)?.[0]
  expect((await who.send('POST', '/notice-ways/email/check', { code })).status).toBe(200)
}
const addPasskey = async (who: Visitor) => {
  const device = openAuthenticator(site)
  const options = (await who.send('POST', '/passkeys/options', {})).body
  const made = { name: 'laptop', credential: device.make(options) }
  expect((await who.send('POST', '/passkeys', made)).status).toBe(200)
  return device
}
const join = async (role: string) => {
  await sara.send('POST', '/members/invitations', { phone: rezas, role })
  const [asked] = (await me(reza)).invitations
  expect((await reza.send('POST', `/invitations/${asked?.id}/accept`)).status).toBe(200)
  return (await me(reza)).person.id
}

describe('security', () => {
  test('is a topic that cannot be switched off by any way', async () => {
    expect(topics).toContain('security')
    for (const way of ways) {
      const choice = { way, topic: 'security', on: false }
      expect((await sara.send('PUT', '/notice-ways/choice', choice)).body as object).toEqual({
        error: { code: 'choice_fixed' },
      })
    }
  })

  test('tells every kind of change, to the bell and by SMS', async () => {
    const device = await addPasskey(sara)
    await sara.send('DELETE', `/passkeys/${device.id}`)
    await setEmail(sara, 'sara@example.com')
    await sara.send('PUT', '/notice-ways/webhook', { url: 'https://hooks.example.com/secret' })
    const { account } = await me(reza)
    const person = await join('member')
    await reza.send('PUT', '/session', { account: account.id })
    await sara.send('PATCH', `/members/${person}`, { role: 'owner' })
    await sara.send('DELETE', `/members/${person}`)
    const told = await bell(sara)
    const seen = new Set(told.map(({ kind }) => kind))
    expect([...seen].toSorted()).toEqual(
      securityKinds.filter((kind) => kind !== 'phone_changed').toSorted(),
    )
    for (const { text } of told) expect(text).not.toContain('/secret')
    for (const title of [
      'A passkey was added for you. Not you? Sign out everywhere',
      'A passkey of yours was removed',
      'Your e-mail address was changed. Not you? Sign out everywhere',
      'The webhook of your account was changed',
      '0912 ··· 0001 joined your account',
      '0912 ··· 0001 left or was removed from the account',
    ])
      await reached(`${title} sms ${saras}`)
    await reached('member_removed webhook https://hooks.example.com/secret')
    // Whoever was removed sees nothing of the account, and is told all the same.
    expect(await kinds(reza)).toContain('member_removed')
    await reached(`0912 ··· 0001 left or was removed from the account sms ${rezas}`)
  })

  test('reaches the address of before where the address is changed', async () => {
    await setEmail(sara, 'old@example.com')
    await setEmail(sara, 'thief@example.com')
    await reached('Your e-mail address was changed. Not you? Sign out everywhere old@example.com')
    await sara.send('DELETE', '/notice-ways/email')
    await reached('Your e-mail address was removed. Not you? Sign out everywhere thief@example.com')
  })

  test('reaches the webhook and the number of before', async () => {
    await sara.send('PUT', '/notice-ways/webhook', { url: 'https://old.example.com/' })
    await sara.send('PUT', '/notice-ways/webhook', { url: 'https://new.example.com/' })
    await reached('webhook_changed webhook https://old.example.com/')
    await sara.send('DELETE', '/notice-ways/webhook')
    await reached('webhook_changed webhook https://new.example.com/')
    const { people } = gateway.storage
    const { person } = await me(sara)
    expect(await people.setPhone(person.id as never, '+989120000009' as never)).toBe(true)
    gateway.gateway.changed()
    await reached(`Your mobile number was changed. Not you? Contact support sms ${saras}`)
  })

  test('has SMS of its own, which no other notices use up, and not without end', async () => {
    for (let times = 0; times < maxSecuritySms + 5; times++) {
      const device = await addPasskey(sara)
      await sara.send('DELETE', `/passkeys/${device.id}`)
    }
    await reached('A passkey was added for you')
    const bySms = () => sent.filter((each) => each.endsWith(`sms ${saras}`)).length
    for (let tries = 0; bySms() < maxSecuritySms && tries < 2000; tries++) await Bun.sleep(5)
    expect(bySms()).toBe(maxSecuritySms)
    expect((await bell(sara)).length).toBeGreaterThanOrEqual(25)
  })

  test('tells owners of keys that others make, whatever they switched', async () => {
    for (const way of ['bell', 'email'])
      await sara.send('PUT', '/notice-ways/choice', { way, topic: 'key_made', on: false })
    await setEmail(sara, 'sara@example.com')
    await join('member')
    const [project] = ((await reza.send('GET', '/projects')).body as { data: { id: number }[] })
      .data
    await sara.send('POST', '/keys', { project: project?.id, name: 'own' })
    await reza.send('POST', '/keys', { project: project?.id, name: 'theirs' })
    await reached('A key was made: “theirs” sara@example.com')
    const made = async () =>
      ((await sara.send('GET', '/notices')).body as { data: { kind: string; text: string }[] }).data
        .filter(({ kind }) => kind === 'key_made')
        .map(({ text }) => text.includes('theirs'))
    for (let tries = 0; (await made()).length === 0 && tries < 2000; tries++) await Bun.sleep(5)
    expect(await made()).toEqual([true])
  })
})
