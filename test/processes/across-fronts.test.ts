/** What people and operators do at one front holds at the other, from one request to the next. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import { codeAt, operatorPassword } from '../console/operator-visitor'
import { openAuthenticator } from '../people/authenticator'
import { run, setUp, temporaryFolder } from '../support/executable'
import { openRealtimeClient } from '../support/realtime-client'
import { openStandIn, replies, type StandIn } from '../support/stand-in'
import { acceptedBy } from './rounds/accepted'
import { openService, until, type Service } from './rounds/service'
import { FrontPair, json } from './front-pair'

const token = 'a-token-for-metrics'
const data = join(temporaryFolder(), 'data')
let vendor: StandIn
let service: Service
let pair: FrontPair
let key: string
let operatorKey: string

beforeAll(async () => {
  vendor = openStandIn(replies())
  key = await setUp(data, vendor.url)
  const words = ['operator', 'key', 'create', '--name', 'test', '--role', 'owner']
  operatorKey = (await command<{ key: string }>(...words, '--expires', '2d')).key
  service = await openService(data, 2, {
    CHAPAR_TRUSTED_PROXIES: '127.0.0.1/32',
    CHAPAR_METRICS_TOKEN: token,
    CHAPAR_DEMO: '1',
  })
  await service.whole()
  pair = new FrontPair(service)
}, 60_000)
afterAll(async () => {
  pair.close()
  // A terminal that closes ends all of them, in order: nothing is read again by this signal.
  expect(await service.end('SIGHUP')).toBe(0)
  await vendor.close()
  expect((await run(['audit'], { data })).code).toBe(0)
  rmSync(data, { recursive: true, force: true })
}, 60_000)

async function command<T>(...words: string[]): Promise<T> {
  const done = await run([...words, '--json'], { data })
  if (done.code !== 0) throw new Error(done.stdout + done.stderr)
  return done.json<T>()
}

/** A browser somewhere. Each of its requests goes to another front than the one before. */
class Browser {
  #cookie = ''
  readonly #host = `localhost:${service.url.port}`
  readonly #address: string

  constructor(address: string) {
    this.#address = address
  }

  get origin(): string {
    return `http://${this.#host}`
  }

  async send(method: string, path: string, body?: unknown) {
    const reply = await pair.ask(method, `/app/api${path}`, {
      headers: {
        host: this.#host,
        origin: this.origin,
        'sec-fetch-site': 'same-origin',
        'x-forwarded-for': this.#address,
        ...(this.#cookie === '' ? {} : { cookie: this.#cookie }),
      },
      ...(body === undefined ? {} : { body }),
    })
    const set = reply.headers.get('set-cookie')
    if (set !== null) this.#cookie = set.includes('Max-Age=0') ? '' : (set.split(';')[0] ?? '')
    return reply
  }

  /** Same, where it must be answered well. */
  async get<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await this.send(method, path, body)
    if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.body}`)
    return json<T>(reply)
  }

  async signIn(phone: string): Promise<void> {
    await this.get('POST', '/sign-in', { phone })
    await this.get('POST', '/sign-in/check', { phone, code: await codeFor(phone) })
  }
}

/** The code for a phone, from the terminal that takes the place of a provider. */
async function codeFor(phone: string): Promise<string> {
  const line = new RegExp(`··· ${phone.slice(-4)}: (\\d{6})`, 'g')
  const codes = () => [...service.owner().logs().matchAll(line)].map(([, code = '']) => code)
  await until(() => codes().length > 0, service.owner().logs)
  return codes().at(-1) ?? ''
}

const codeOf = (reply: { readonly body: string }): string =>
  (JSON.parse(reply.body) as { error: { code: string } }).error.code

describe('people', () => {
  test('sign in by a code that another front sent, and out of all of them at once', async () => {
    const sara = new Browser('192.0.2.1')
    await sara.signIn('09120000001')
    for (let ask = 0; ask < 2; ask++) expect((await sara.send('GET', '/me')).status).toBe(200)
    const again = await sara.send('POST', '/sign-in', { phone: '09120000001' })
    expect([again.status, codeOf(again)]).toEqual([429, 'code_too_soon'])
    await sara.send('DELETE', '/session')
    for (let ask = 0; ask < 2; ask++) expect((await sara.send('GET', '/me')).status).toBe(401)
  }, 30_000)

  test('have wrong codes counted once for all fronts', async () => {
    const phone = '09120000002'
    const browser = new Browser('192.0.2.2')
    await browser.get('POST', '/sign-in', { phone })
    const right = await codeFor(phone)
    const left: unknown[] = []
    for (let wrong = 1; wrong < 10; wrong++) {
      // From places of their own: addresses that guess are another limit.
      const guesser = new Browser(`198.51.100.${wrong}`)
      const code = String((Number(right) + wrong) % 1_000_000).padStart(6, '0')
      const refused = await guesser.send('POST', '/sign-in/check', { phone, code })
      left.push((JSON.parse(refused.body) as { error: { left: number } }).error.left)
    }
    expect(left).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
    const wrong = right === '000000' ? '000001' : '000000'
    const last = await browser.send('POST', '/sign-in/check', { phone, code: wrong })
    expect(codeOf(last)).toBe('code_locked')
    for (let ask = 0; ask < 2; ask++) {
      const locked = await browser.send('POST', '/sign-in/check', { phone, code: right })
      expect(codeOf(locked)).toBe('code_locked')
    }
  }, 30_000)

  test('register a passkey, and sign in by it, by challenges of the other front', async () => {
    const reza = new Browser('192.0.2.3')
    await reza.signIn('09120000003')
    const device = openAuthenticator({ rpId: 'localhost', origin: reza.origin })
    type Options = { readonly challenge: string; readonly user: { readonly id: string } }
    const options = await reza.get<Options>('POST', '/passkeys/options', {})
    const credential = device.make(options)
    await reza.get('POST', '/passkeys', { name: 'laptop', credential })
    const other = new Browser('192.0.2.3')
    const asked = await other.get<Options>('POST', '/sign-in/passkey/options', {})
    const answer = device.answer(asked)
    expect((await other.send('POST', '/sign-in/passkey', answer)).status).toBe(200)
    for (let ask = 0; ask < 2; ask++) expect((await other.send('GET', '/me')).status).toBe(200)
    // A challenge is good for once, wherever.
    for (let ask = 0; ask < 2; ask++)
      expect(codeOf(await other.send('POST', '/sign-in/passkey', answer))).toBe('passkey_expired')
  }, 30_000)

  test('see in the bell of both what happened, and have seen it in both', async () => {
    const mina = new Browser('192.0.2.4')
    await mina.signIn('09120000004')
    const { data: projects } = await mina.get<{ data: { id: number }[] }>('GET', '/projects')
    await mina.get('POST', '/keys', { project: projects[0]?.id, name: 'laptop' })
    const bells = async () => [
      await mina.get<Bell>('GET', '/notices?max=10'),
      await mina.get<Bell>('GET', '/notices?max=10'),
    ]
    await become(async () => (await bells()).every(({ unread }) => unread > 0))
    const [bell] = await bells()
    await mina.get('POST', '/notices/seen', { up_to: bell?.data[0]?.id })
    expect((await bells()).map(({ unread }) => unread)).toEqual([0, 0])
  }, 30_000)

  test('call out of the playground by a key that the other front made, and see it charged', async () => {
    const ali = new Browser('192.0.2.5')
    await ali.signIn('09120000005')
    const { account } = await ali.get<{ account: { id: number } }>('GET', '/me')
    await command('topup', String(account.id), '5')
    await command('account', 'set', String(account.id), '--verified')
    const { data: projects } = await ali.get<{ data: { id: number }[] }>('GET', '/projects')
    const words = { project: projects[0]?.id, name: 'laptop' }
    const made = await ali.get<{ id: number }>('POST', '/keys', words)
    const messages = [{ role: 'user', content: 'one two three' }]
    for (let ask = 0; ask < 2; ask++) {
      const call = { model: 'priced', messages }
      const answer = await ali.send('POST', `/playground/chat?key=${made.id}`, call)
      expect([answer.status, answer.body]).toEqual([200, expect.any(String) as string])
      const id = answer.headers.get('x-request-id') ?? ''
      expect((await ali.send('GET', `/requests/${id}`)).status).toBe(200)
    }
    const { account: now } = await ali.get<{ account: { balance_usd: string } }>('GET', '/me')
    expect(Number(now.balance_usd)).toBeCloseTo(5 - 2 * 0.00045, 9)
  }, 30_000)

  test('are told once that they are invited, whichever front is asked', async () => {
    const sent: string[] = []
    const provider = Bun.serve({
      port: 0,
      async fetch(request) {
        sent.push(await request.text())
        return new Response('taken')
      },
    })
    const owner = new Browser('192.0.2.6')
    await owner.signIn('09120000006')
    const words = ['--provider', 'webhook', '--option', `url=${provider.url.href}`]
    await command('sms', 'set', 'own', ...words, '--option', 'notice-body="{local}"')
    for (let ask = 0; ask < 4; ask++) {
      const invited = { phone: '09120000007', role: 'member' }
      const { id } = await owner.get<{ id: number }>('POST', '/members/invitations', invited)
      await owner.get('DELETE', `/members/invitations/${id}`)
    }
    await become(async () => sent.length > 0)
    await command('sms', 'remove', 'own')
    expect(sent).toHaveLength(1)
    await provider.stop(true)
  }, 30_000)
})

interface Bell {
  readonly unread: number
  readonly data: readonly { readonly id: string }[]
}

async function become(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await isSo()); tries++) {
    if (tries > 200) throw new Error('it did not come to that')
    await Bun.sleep(20)
  }
}

describe('operators', () => {
  test('are set up by one front and sign in by the other, and sign out of both', async () => {
    const { link } = await command<{ link: string }>('operator', 'link')
    const token = new URL(link).hash.replace(/^#.*[/=]/, '').replace('#', '')
    const browser = new Browser('192.0.2.8')
    const offer = await browser.get<{ secret: string }>('POST', '/operator/setup/offer', { token })
    const typed = { name: 'sara', password: operatorPassword }
    const now = () => codeAt(offer.secret, systemClock.now())
    await browser.get('POST', '/operator/setup', { token, ...typed, code: now() })
    for (let ask = 0; ask < 2; ask++)
      expect((await browser.send('GET', '/operator/me')).status).toBe(200)
    await browser.send('DELETE', '/operator/session')
    for (let ask = 0; ask < 2; ask++)
      expect((await browser.send('GET', '/operator/me')).status).toBe(401)
  }, 30_000)

  test('change settings, prices and vendors of all fronts by a command', async () => {
    const call = { as: key, body: { model: 'priced', messages: [{ role: 'user', content: 'a' }] } }
    const statuses = async () =>
      (await pair.askBoth('POST', '/v1/chat/completions', call)).map(({ status }) => status)
    expect(await statuses()).toEqual([200, 200])
    await command('model', 'set', 'priced', '--off')
    await Bun.sleep(1000)
    expect(await statuses()).toEqual([503, 503])
    await command('model', 'set', 'priced', '--on')
    await command('vendor', 'set', 'standin', '--base-url', 'http://127.0.0.1:9/v1', '--no-test')
    await Bun.sleep(1000)
    for (const status of await statuses()) expect(status).toBeGreaterThanOrEqual(500)
    await command('vendor', 'set', 'standin', '--base-url', vendor.url, '--no-test')
    await Bun.sleep(1000)
    await become(async () => (await statuses()).every((status) => status === 200))
    await command('settings', 'set', 'brand-name', 'Both')
    await Bun.sleep(1000)
    const told = await pair.askBoth('GET', '/app/api/operator/status')
    expect(told.map((each) => json<{ service: string }>(each).service)).toEqual(['Both', 'Both'])
  }, 60_000)

  test('see, and end, conversations of all fronts', async () => {
    const port = Number(service.url.port)
    const converse = async () => {
      const headers = { authorization: `Bearer ${key}` }
      const address = `ws://127.0.0.1:${port}/v1/realtime?model=sandbox/realtime`
      const client = openRealtimeClient(address, { headers })
      await client.next('session.created')
      return client
    }
    const clients = await Promise.all(Array.from({ length: 10 }, converse))
    // Which front a connection goes to is the kernel's choice.
    const hasAll = () => service.listening().every((front) => acceptedBy([front], port).size > 1)
    while (!hasAll() && clients.length < 60) clients.push(await converse())
    expect(hasAll()).toBe(true)
    type Live = { readonly data: readonly { readonly id: string; readonly endpoint: string }[] }
    const lists = await pair.askBoth('GET', '/admin/v1/live?status=running&max=100', {
      as: operatorKey,
    })
    const running = lists.map((each) =>
      json<Live>(each)
        .data.filter(({ endpoint }) => endpoint === 'realtime')
        .map(({ id }) => id)
        .toSorted(),
    )
    expect(running[0]).toHaveLength(clients.length)
    expect(running[1]).toEqual(running[0] ?? [])
    for (const id of running[0] ?? [])
      await pair.ask('POST', `/admin/v1/live/${id}/stop`, { as: operatorKey, body: {} })
    for (const { closed } of clients) await closed
  }, 30_000)

  test('read metrics of all processes from either', async () => {
    const texts = await pair.askBoth('GET', '/metrics', { as: token })
    const calls = texts.map(({ body }) => {
      expect(body).toContain('process="owner"')
      return body.split('\n').filter((line) => line.startsWith('chapar_calls_total{'))
    })
    expect(calls[0]).not.toEqual([])
    expect(calls[1]).toEqual(calls[0] ?? [])
  })

  test('see in each line of the log which process it is of', () => {
    const lines = service
      .owner()
      .logs()
      .matchAll(/^\{"level".*$/gm)
    const named = Array.from(lines, ([line]) => (JSON.parse(line) as { process?: string }).process)
    expect(named).toContain('owner')
    expect(named.filter((name) => name?.startsWith('front-')).length).toBeGreaterThan(1)
    expect(named).not.toContain(undefined)
  })
})

test('an address that guesses keys is refused by both fronts', async () => {
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  const guess = async () => {
    const body = { model: 'priced', messages: [] }
    return (await pair.ask('POST', '/v1/chat/completions', { as: 'sk-wrong', headers, body }))
      .status
  }
  await become(async () => (await guess()) === 429)
  // Fronts hear of each other once a second.
  await Bun.sleep(1200)
  expect([await guess(), await guess()]).toEqual([429, 429])
})
