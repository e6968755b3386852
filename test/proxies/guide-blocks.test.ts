import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/domain/clock'
import { openStorage } from '../../src/business/data/sqlite/open-storage'
import { openGatewayStandIn, type GatewayStandIn } from '../payments/gateway-stand-ins'
import { CookieJar } from '../support/cookie-jar'
import { certificate, certificateKey } from '../support/certificate'
import { run, serve, setUp, temporaryFolder, type Serving } from '../support/executable'
import { openListener, type Listener } from '../support/listener'
import { openStandIn, replies, type StandIn } from '../support/stand-in'
import {
  beginProxy,
  caddyFrame,
  freePort,
  missingProxies,
  nginxFrame,
  type ProxyDoor,
  type ProxyName,
} from './doors'

const guide = readFileSync(join(import.meta.dir, '../../src/guide/en/operate.md'), 'utf8')

/** The block of a program as the guide prints it. */
function blockOf(heading: string): string {
  const [, section = ''] = guide.split(`\n## ${heading}\n`)
  const [, block] = /```\w*\n([\s\S]*?)```/.exec(section) ?? []
  if (block === undefined) throw new Error(`the guide has no block of ${heading}`)
  return block
}

interface Place {
  readonly port: number
  readonly gateway: number
  readonly folder: string
}

/** @throws Error where the guide does not say what is changed for the test */
function replaced(text: string, changes: readonly (readonly [string | RegExp, string])[]): string {
  return changes.reduce((before, [from, to]) => {
    const after = before.replace(from, to)
    if (after === before) throw new Error(`the block has no ${String(from)}`)
    return after
  }, text)
}

const placed: Readonly<Record<ProxyName, (place: Place) => string>> = {
  nginx: ({ port, gateway, folder }) =>
    nginxFrame(
      folder,
      replaced(blockOf('nginx'), [
        ['listen 443 ssl', `listen 127.0.0.1:${port} ssl`],
        ['127.0.0.1:8080', `127.0.0.1:${gateway}`],
        [/\/etc\S+fullchain\.pem/, join(folder, 'whole.pem')],
        [/\/etc\S+privkey\.pem/, join(folder, 'whole.pem')],
      ]),
    ),
  haproxy: ({ port, gateway, folder }) =>
    replaced(blockOf('HAProxy'), [
      ['bind :443', `bind 127.0.0.1:${port}`],
      ['127.0.0.1:8080', `127.0.0.1:${gateway}`],
      [/\/etc\S+\.pem/, join(folder, 'whole.pem')],
    ]),
  caddy: ({ port, gateway, folder }) =>
    `${caddyFrame('\tdefault_sni localhost\n')}${replaced(blockOf('Caddy'), [
      // A certificate of its own is what it gets for a name; here is one at hand, and an address.
      [
        /^ai\.example\.com \{/m,
        `https://127.0.0.1:${port}, https://ai.example.com:${port} {\n\ttls ${folder}/whole.pem ${folder}/whole.pem`,
      ],
      ['127.0.0.1:8080', `127.0.0.1:${gateway}`],
    ])}`,
}

const names = (Object.keys(placed) as ProxyName[]).filter(
  (name) => !missingProxies().includes(name),
)

let vendor: StandIn
let sms: Listener
let bank: GatewayStandIn
const folder = temporaryFolder()
const data = join(folder, 'data')
let key: string
let serving: Serving

beforeAll(async () => {
  vendor = openStandIn(replies())
  sms = openListener(() => new Response())
  bank = openGatewayStandIn('zibal')
  key = await setUp(data, vendor.url)
  const option = `url=${sms.url}/sms`
  await run(['sms', 'set', 'own', '--provider', 'webhook', '--option', option], { data })
  await run(['rate', 'set', '100000'], { data })
  const storage = openStorage({ folder: data, exclusive: false, clock: systemClock })
  const options = { base: bank.base }
  await storage.cardGateways.save({ name: 'main', kind: bank.kind, options, secret: bank.secret })
  await storage.close()
  // As the unit of systemd in the guide has it.
  serving = await serve(['--data', data], {
    CHAPAR_TRUSTED_PROXIES: '127.0.0.1',
    CHAPAR_URL: 'https://ai.example.com',
  })
})
afterAll(async () => {
  serving.kill('SIGTERM')
  await serving.exited
  await Promise.all([vendor.close(), sms.close(), bank.stop()])
  rmSync(folder, { recursive: true, force: true })
})

/** As browsers and programs send it, whose clients are at 127.0.0.1 here. */
const tls = { tls: { rejectUnauthorized: false } }

describe.each(names)('the block of %s, as the guide prints it,', (name) => {
  let door: ProxyDoor
  beforeAll(async () => {
    const port = await freePort()
    const gateway = Number(new URL(serving.url).port)
    door = await beginProxy({
      name,
      port,
      scheme: 'https',
      config(at) {
        writeFileSync(join(at, 'whole.pem'), `${certificate}\n${certificateKey}\n`)
        return placed[name]({ port, gateway, folder: at })
      },
    })
  })
  afterAll(() => door.close())

  const host = 'ai.example.com'
  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${door.origin}${path}`, {
      ...init,
      ...tls,
      headers: { host, authorization: `Bearer ${key}`, ...(init.headers as object) },
    })

  test('keeps browsers to https, and shows the configured address', async () => {
    const page = await call('/')
    expect(page.headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(await page.text()).toContain('https://ai.example.com/v1')
  })

  test('lets recordings of 20 MB through, and streams', async () => {
    const form = new FormData()
    form.set('model', 'priced')
    form.set('file', new Blob([new Uint8Array(20_000_000)]), 'a.wav')
    const recorded = await call('/v1/audio/transcriptions', { method: 'POST', body: form })
    expect([400, 404]).toContain(recorded.status)
    expect(recorded.headers.get('x-request-id')).toStartWith('req_')
    await recorded.text()
    const body = { model: 'priced', stream: true, messages: [{ role: 'user', content: 'Hi' }] }
    const streamed = await call('/v1/chat/completions', {
      method: 'POST',
      body: JSON.stringify(body),
    })
    expect(await streamed.text()).toContain('data: [DONE]')
  })

  test('opens the realtime channel', async () => {
    const socket = new WebSocket(
      `${door.origin.replace('http', 'ws')}/v1/realtime?model=sandbox/realtime`,
      { headers: { host, authorization: `Bearer ${key}` }, ...tls },
    )
    const first = await new Promise<string>((resolve, reject) => {
      socket.addEventListener('message', ({ data: text }) => resolve(String(text)))
      socket.addEventListener('close', ({ code }) => reject(new Error(`closed with ${code}`)))
    })
    expect(first).toContain('session.created')
    socket.close()
  })

  test('tells the client’s address, whatever the client says of it', async () => {
    const phone = `0936000000${names.indexOf(name)}`
    const browser = (
      path: string,
      init: { method?: string; cookie?: string; body?: object } = {},
    ) =>
      call(`/app/api${path}`, {
        ...(init.method === undefined ? {} : { method: init.method }),
        headers: {
          origin: 'https://ai.example.com',
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/json',
          'x-forwarded-for': '203.0.113.7',
          ...(init.cookie === undefined ? {} : { cookie: init.cookie }),
        },
        ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
      })
    const asked = await browser('/sign-in', { method: 'POST', body: { phone } })
    expect(asked.status).toBe(200)
    await asked.text()
    // A code is good in the browser that asked for it.
    const jar = new CookieJar()
    jar.keep(asked.headers)
    const { code } = JSON.parse(sms.heard.at(-1)?.bytes.toString() ?? '{}') as { code: string }
    const checked = await browser('/sign-in/check', {
      method: 'POST',
      cookie: jar.all(),
      body: { phone, code },
    })
    jar.keep(checked.headers)
    const cookie = jar.session()
    expect(cookie).toStartWith('__Host-chapar=')
    await checked.text()
    const sessions = (await (await browser('/sessions', { cookie })).json()) as {
      address: string
    }[]
    expect(sessions.map(({ address }) => address)).toEqual(['127.0.0.1'])
    const pays = { gateway: 'main', coins: 500_000, rate: '100000' }
    const paid = await browser('/top-ups', { method: 'POST', cookie, body: pays })
    const { id, reference } = (await paid.json()) as { id: string; reference: string }
    expect(bank.sessions.get(reference)?.returnTo).toBe(`https://ai.example.com/app/return/${id}`)
  })
})
