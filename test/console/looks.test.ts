import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { openConsoleApi } from '../../src/console/api/console-api'
import { handClock } from '../storage/folder'
import { openTestGateway, type TestGateway } from '../support/gateway'
import { operatorKey, setUpOperator, type OperatorVisitor } from './operator-visitor'
import { openVisitor, statusAndCode, type Visitor } from './visitor'

/* Ali owns an account; Sara operates the service and looks at it. */

interface Me {
  readonly person: { phone: string }
  readonly account: { id: number; name: string }
  readonly look: { by: string; until: number } | null
}
interface Look {
  readonly by: string
  readonly begun: number
  readonly until: number
  readonly lasts: boolean
}

const clock = handClock()
let gateway: TestGateway
let sara: OperatorVisitor
let ali: Visitor
let account: number

beforeAll(async () => {
  gateway = await openTestGateway({ web: true, clock })
  sara = (await setUpOperator(gateway, clock)).visitor
  ali = openVisitor(gateway)
  await ali.signIn('09123450001')
  account = ((await ali.send('GET', '/me')).body as Me).account.id
})
afterAll(() => gateway.close())

const later = (ms: number): void => clock.set(clock.now() + ms)

const ticketOf = async (): Promise<string> => {
  const { status, body } = await sara.send<{ url: string }>('POST', `/accounts/${account}/look`)
  expect(status).toBe(200)
  return new URL(body.url, gateway.url).hash.slice(1)
}

/** A browser that looks, and has no session of its own. */
async function looking(): Promise<Visitor> {
  const browser = openVisitor(gateway)
  const { status } = await browser.send('POST', '/look', { ticket: await ticketOf() })
  expect(status).toBe(200)
  return browser
}

const trail = async () =>
  (
    await gateway.storage.trail.list({ subject: `account:${account}`, before: null, max: 100 })
  ).filter(({ what }) => what.startsWith('account.look'))

describe('an operator who looks at an account', () => {
  test('sees what its owner sees, phones masked', async () => {
    const browser = await looking()
    const me = (await browser.send('GET', '/me')).body as Me
    expect(me.account.id).toBe(account)
    expect(me.look?.by).toBe('sara')
    expect(me.person.phone).toContain('···')
    expect(browser.cookie()).toStartWith('chapar-look=')
    for (const path of ['/keys', '/projects', '/requests', '/sessions', '/account', '/caps'])
      expect((await browser.send('GET', path)).status).toBe(200)
    expect(statusAndCode(await browser.send('GET', '/account/export'))).toEqual([403, 'look_only'])
  })

  test('reads nobody’s whole number, address or national code, by whatever route', async () => {
    const reza = openVisitor(gateway)
    await reza.signIn('09127654321')
    const invite = (phone: string) =>
      ali.send('POST', '/members/invitations', { phone, role: 'member' })
    await invite('09127654321')
    const [asked] = ((await reza.send('GET', '/me')).body as { invitations: { id: number }[] })
      .invitations
    await reza.send('POST', `/invitations/${asked?.id}/accept`)
    await invite('09128765432')
    const [project] = ((await reza.send('GET', '/projects')).body as { data: { id: number }[] })
      .data
    const key = (await reza.send('POST', '/keys', { project: project?.id, name: 'theirs' })).body
    const { person } = (await ali.send('GET', '/me')).body as { person: { id: number } }
    const { holderSettings } = gateway.storage
    const code = { hash: '', count: 1, wrong: 0 }
    const times = { sent: clock.now(), expires: clock.now(), since: clock.now() }
    for (const email of ['ali@example.com', 'other.ali@example.com']) {
      await holderSettings.emailCode(person.id as never, () => ({
        code: { ...code, ...times, email },
        answer: null,
      }))
      if (email === 'ali@example.com') await holderSettings.confirmEmail(person.id as never)
    }
    await ali.send('PUT', '/notice-ways/webhook', { url: 'https://hooks.example.com/s3cr3t' })
    const identity = { first_name: 'Ali', last_name: 'Rad', national_code: '0012345679' }
    const form = { ...identity, birth_date: '1990-03-21', consent: true }
    expect((await ali.send('POST', '/verification', form)).status).toBe(200)

    const whole = ['9123450001', '9127654321', '9128765432', '0012345679']
      .map((digits) => digits.split('').join(String.raw`\s?`))
      .concat(['ali@example', 's3cr3t'])
    const pattern = new RegExp(whole.join('|'))
    const fields: Record<string, number | string> = {
      '/keys/:id': (key as { id: number }).id,
      '/members/:person': person.id,
    }
    const paths = openConsoleApi({} as never)
      .routes.filter(({ method }) => method === 'GET')
      .map(({ path }) => path.replace('/app/api', '').replace(/\/$/, ''))
    const browser = await looking()
    const read: string[] = []
    for (const path of paths) {
      const id = Object.entries(fields).find(([start]) => path.startsWith(start))?.[1] ?? 1
      const answer = await browser.send('GET', path.replace(/:\w+/, String(id)))
      if (answer.status === 200) read.push(path)
      expect([path, pattern.exec(JSON.stringify(answer.body))?.[0]]).toEqual([path, undefined])
    }
    for (const path of [
      '/members',
      '/members/:person/made',
      '/notice-ways',
      '/verification',
      '/me',
    ])
      expect(read).toContain(path)
    // The owner sees them whole, so that the pattern would find them.
    for (const path of ['/members', '/notice-ways'])
      expect(JSON.stringify((await ali.send('GET', path)).body)).toMatch(pattern)
  })

  test('changes nothing, whatever it sends and wherever', async () => {
    const browser = await looking()
    const { person } = (await ali.send('GET', '/me')).body as { person: { id: number } }
    const before = await gateway.storage.trail.list({ subject: null, before: null, max: 1 })
    const writes: readonly (readonly [string, string, object?])[] = [
      ['POST', '/sign-in', { phone: '09123450009' }],
      ['PUT', '/session', { account }],
      ['DELETE', '/session'],
      ['DELETE', '/sessions'],
      ['DELETE', `/sessions/${'0'.repeat(16)}`],
      ['PATCH', '/account', { name: 'taken' }],
      ['POST', '/account/close', { name: null }],
      ['POST', '/projects', { name: 'p' }],
      ['POST', '/keys', { project: 1, name: 'k' }],
      ['PATCH', '/keys/1', { name: 'k' }],
      ['DELETE', '/keys/1'],
      ['POST', '/top-ups', { coins: 50_000 }],
      ['POST', '/redeem-codes', { code: 'x' }],
      ['POST', '/phone/codes', { phone: '09123450008' }],
      ['POST', '/invitations', { phone: '09123450007' }],
      ['POST', '/verification', {}],
      ['POST', '/notices/seen', {}],
      ['PUT', '/webhook', { url: 'https://a.example/' }],
      ['POST', '/passkeys/options', {}],
      ['POST', '/nowhere', {}],
      ['POST', '/playground/chat?key=1', { model: 'sandbox/echo', messages: [] }],
    ]
    for (const [method, path, body] of writes)
      expect([path, ...statusAndCode(await browser.send(method, path, body))]).toEqual([
        path,
        403,
        'look_only',
      ])
    expect(await gateway.storage.trail.list({ subject: null, before: null, max: 1 })).toEqual(
      before,
    )
    expect(person.id).toBeGreaterThan(0)
  })

  test('leaves a session of its own as it is, and comes back to it', async () => {
    const own = openVisitor(gateway)
    await own.signIn('09123450005')
    const session = own.cookie()
    const browser = await looking()
    const both = { cookie: `${session}; ${browser.cookie()}` }
    const seen = (await own.send('GET', '/me', undefined, both)).body as Me
    expect([seen.account.id, seen.look?.by]).toEqual([account, 'sara'])
    const left = await browser.send('DELETE', '/look')
    expect((left.body as { back: string }).back).toEndWith(`/app/operator/accounts/${account}`)
    expect(browser.cookie()).toBe('')
    const after = (await own.send('GET', '/me', undefined, both)).body as Me
    expect(after.look).toBeNull()
    expect(after.account.id).not.toBe(account)
  })

  test('does so for thirty minutes; the owner sees from when to when', async () => {
    const browser = await looking()
    const [lasting] = (await ali.send('GET', '/looks')).body as Look[]
    expect(lasting).toMatchObject({ by: 'sara', begun: clock.now(), lasts: true })
    later(29 * 60_000)
    expect((await browser.send('GET', '/me')).status).toBe(200)
    later(60_000)
    expect(statusAndCode(await browser.send('GET', '/me'))).toEqual([401, 'signed_out'])
    const [over] = (await ali.send('GET', '/looks')).body as Look[]
    expect(over).toMatchObject({ by: 'sara', until: clock.now(), lasts: false })
    const lines = await trail()
    const begin = lines.findLast(({ what, at }) => what.endsWith('begin') && at === lasting?.begun)
    const end = lines.find(({ after }) => after?.['look'] === begin?.after?.['look'])
    expect(begin).toMatchObject({ who: 'operator:sara', what: 'account.look.begin' })
    expect(end).toMatchObject({
      who: 'service',
      what: 'account.look.end',
      after: { by: 'operator:sara', ended: new Date(clock.now()).toISOString() },
    })
    // Two that look at the same time end it once.
    await Promise.all([ali.send('GET', '/looks'), ali.send('GET', '/looks')])
    expect(await trail()).toHaveLength(lines.length)
  })

  test('begins with a ticket that works once, within a minute', async () => {
    const ticket = await ticketOf()
    const twice = await Promise.all(
      [1, 2].map(() => openVisitor(gateway).send('POST', '/look', { ticket })),
    )
    expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
    const late = await ticketOf()
    // It signs nobody in by itself.
    const cookie = { cookie: `chapar-look=${late}` }
    expect((await openVisitor(gateway).send('GET', '/me', undefined, cookie)).status).toBe(401)
    later(60_000)
    const refused = await openVisitor(gateway).send('POST', '/look', { ticket: late })
    expect(statusAndCode(refused)).toEqual([404, 'look_over'])
  })

  test('is staff or owner, and no longer looks than they are', async () => {
    const key = await operatorKey(gateway, 'viewer')
    const asked = await fetch(`${new URL(gateway.url).origin}/admin/v1/accounts/${account}/look`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: '{}',
    })
    expect(asked.status).toBe(403)
    const { visitor } = await setUpOperator(gateway, clock, { name: 'reza', role: 'staff' })
    const { body } = await visitor.send<{ url: string }>('POST', `/accounts/${account}/look`)
    const browser = openVisitor(gateway)
    const ticket = new URL(body.url, gateway.url).hash.slice(1)
    await browser.send('POST', '/look', { ticket })
    expect((await browser.send('GET', '/me')).status).toBe(200)
    const reza = (await gateway.storage.operators.list()).find(({ name }) => name === 'reza')
    await gateway.storage.operators.remove(reza?.id as never)
    expect((await browser.send('GET', '/me')).status).toBe(401)
  })

  test('needs an owner to look as', async () => {
    const { id } = await gateway.storage.directory.createAccount({ name: 'nobody’s' })
    expect(statusAndCode(await sara.send('POST', `/accounts/${id}/look`))).toEqual([
      409,
      'account_without_owner',
    ])
  })

  test('leads from a port of operators to where customers are', async () => {
    const apart = await openTestGateway({ web: true, clock, env: { CHAPAR_ADMIN_PORT: '0' } })
    try {
      const owner = openVisitor(apart)
      await owner.signIn('09123450002')
      const { id } = ((await owner.send('GET', '/me')).body as Me).account
      const { visitor } = await setUpOperator({ ...apart, url: apart.operatorUrl }, clock)
      const { body } = await visitor.send<{ url: string }>('POST', `/accounts/${id}/look`)
      expect(apart.operatorUrl).not.toBe(new URL(apart.url).origin)
      expect(new URL(body.url).origin).toBe(new URL(apart.url).origin)
      expect(new URL(body.url).pathname).toBe('/app/look')
      // Where both are at one address the page's own is theirs too.
      const { body: near } = await sara.send<{ url: string }>('POST', `/accounts/${account}/look`)
      expect(near.url).toStartWith('/app/look#')
    } finally {
      await apart.close()
    }
  })
})
